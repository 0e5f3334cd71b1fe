// The CUDA instantiation of the same source.
#include "solvers/levels.cpp"
