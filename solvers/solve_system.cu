// The CUDA instantiation of the same source.
#include "solvers/solve_system.cpp"
