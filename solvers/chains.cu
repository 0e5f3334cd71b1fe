// The CUDA instantiation of the same source.
#include "solvers/chains.cpp"
