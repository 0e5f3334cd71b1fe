// The CUDA instantiation of the same source.
#include "solvers/registry/matrix_operators.cpp"
