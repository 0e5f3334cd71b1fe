// The CUDA instantiation of the same source.
#include "bench/solvers.cpp"
