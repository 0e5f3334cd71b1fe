// The CUDA instantiation of the same source.
#include "solvers/factorisation/ilu.cpp"
