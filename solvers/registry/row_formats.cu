// The CUDA instantiation of the same source.
#include "solvers/registry/row_formats.cpp"
