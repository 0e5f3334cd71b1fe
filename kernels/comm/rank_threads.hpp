#pragma once
// Ranks that are threads of one process: for tests of what ranks do, with a debugger's and a sanitizer's eyes on all of them.

#include <functional>

#include "kernels/comm/ranks.hpp"

namespace wavesim {

/// body(ranks) in `count` threads at once. Returns when all have ended, and throws what the first of them threw that did;
/// the others, which may wait for it, are then told by an exception.
void run_rank_threads(int count, const std::function<void(Ranks&)>& body);

}  // namespace wavesim
