// The CUDA instantiation of the same source.
#include "sim/study/bench.cpp"
