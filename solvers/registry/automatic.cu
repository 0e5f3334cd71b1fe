// The CUDA instantiation of the same source.
#include "solvers/registry/automatic.cpp"
