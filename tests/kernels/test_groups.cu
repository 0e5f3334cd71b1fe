// The CUDA instantiation of the same source.
#include "tests/kernels/test_groups.cpp"
