// The CUDA instantiation of the same source.
#include "tests/solvers/test_automatic.cpp"
