// The CUDA instantiation of the same source.
#include "bench/papers/nibbeling.cpp"
