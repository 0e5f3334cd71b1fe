#pragma once
// Which prices a run with `method: auto` takes.

#include "kernels/backend/device.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

/// Fills in solver.known_prices, where they are wanted and not there: those of the file that `prices` names,
/// or those that were measured on this machine, or built-in ones. Throws InputError for a file that holds none.
void choose_prices(SolverConfig& solver, const DeviceFacts& device);

/// Of the prices that were chosen, for a result: text that `solver.prices` takes as a file; of a GPU a name.
/// Empty for other methods.
std::string prices_fact(const SolverConfig& solver, const DeviceFacts& device);

}  // namespace wavesim
