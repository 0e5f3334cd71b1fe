// The CUDA instantiation of the same source.
#include "solvers/factorisation/ssor.cpp"
