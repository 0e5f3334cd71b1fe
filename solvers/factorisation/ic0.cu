// The CUDA instantiation of the same source.
#include "solvers/factorisation/ic0.cpp"
