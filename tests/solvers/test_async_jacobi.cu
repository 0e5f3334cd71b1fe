// The CUDA instantiation of the same source.
#include "tests/solvers/test_async_jacobi.cpp"
