#pragma once
// Which prices a run with `method: auto` takes.

#include <map>
#include <string>

#include "kernels/backend/device.hpp"
#include "kernels/comm/ranks.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

/// Fills in solver.known_prices, where they are wanted and not there: those of the file that `prices` names,
/// or those that were measured on this machine, or built-in ones. Ranks all take those of the first one. Throws InputError for a
/// file that holds none.
void choose_prices(SolverConfig& solver, const DeviceFacts& device, Ranks* ranks = nullptr);

/// Of the prices that were chosen, for a result: `prices`, where they are from, and on a CPU `prices-file`, the
/// text of a file that `solver.prices` takes. Empty for other methods.
std::map<std::string, std::string> price_facts(const SolverConfig& solver, const DeviceFacts& device);

}  // namespace wavesim
