// The CUDA instantiation of the same source.
#include "sim/stepper/stepper.cpp"
