// The same tests on the CUDA backend.
#include "tests/solvers/test_factor_sweeps.cpp"
