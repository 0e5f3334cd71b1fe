// The same tests on CUDA.
#include "tests/kernels/test_outbox.cpp"
