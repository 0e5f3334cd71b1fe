// The CUDA instantiation of the same source.
#include "bench/methods.cpp"
