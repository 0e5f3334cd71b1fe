// The CUDA instantiation of the same source.
#include "solvers/factorisation/sorted_part.cpp"
