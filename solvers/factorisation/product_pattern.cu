// The CUDA instantiation of the same source.
#include "solvers/factorisation/product_pattern.cpp"
