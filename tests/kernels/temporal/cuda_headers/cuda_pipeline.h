#pragma once
// Stands for CUDA's header of this name where the lanes of a block run on a CPU.
#include "tests/kernels/temporal/lanes_on_host.hpp"
