// The CUDA instantiation of the same source.
#include "solvers/sparse_rows.cpp"
