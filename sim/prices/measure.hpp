#pragma once
// Prices of this machine's CPU for `method: auto`, from short runs of each method.

#include <functional>

#include "solvers/automatic/prices.hpp"

namespace wavesim {

/// Times steps on square grids of up to `largest` cells along a side, with as many threads as OpenMP gives:
/// about twenty seconds for the usual sizes. `progress` is called before each size, with its cells. The date is left for the
/// caller to fill. Throws InputError where `largest` leaves fewer than two sizes.
Prices measure_prices(long largest, const std::function<void(long)>& progress);

/// Cells along a side of the largest grid that is worth its time.
constexpr long largest_measured = 1024;

}  // namespace wavesim
