// The CUDA instantiation of the same source.
#include "solvers/staged_rows.cpp"
