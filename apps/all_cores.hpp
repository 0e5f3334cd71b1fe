#pragma once
#include <sched.h>

namespace wavesim {

/// The cores of this process before OpenMP bound its first thread to some of them: for programs that it starts, which would
/// have these alone.
cpu_set_t all_cores();

}  // namespace wavesim
