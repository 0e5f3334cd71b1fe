// The same tests on the CUDA backend.
#include "tests/solvers/test_chains.cpp"
