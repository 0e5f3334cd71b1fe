#pragma once
// What follows a solve that failed: solver: {on-failure: stop | continue | {fallback: [bicgstab, ...]}}.

#include "sim/config/section.hpp"
#include "solvers/core/options.hpp"

namespace wavesim {

/// One solver of a chain, as its bare method or as a section.
struct FallbackSolver : Configured {
  /// What it does not say is that of the run's own solver.
  virtual SolverOptions after(const SolverOptions& own) const = 0;
};

struct OnFailure : Configured {
  /// Whether the run goes on with what a failed solve has left.
  virtual bool goes_on() const { return false; }
  /// The solvers that take a system that the run's own did not solve, in this order.
  virtual std::vector<SolverOptions> fallback(const SolverOptions& /*own*/) const { return {}; }
};

/// The run ends: what holds where nothing is said.
std::shared_ptr<OnFailure> stop_on_failure();

template <>
const std::vector<Kind<FallbackSolver>>& kinds<FallbackSolver>();
template <>
std::string_view family<FallbackSolver>();
template <>
const std::vector<Kind<OnFailure>>& kinds<OnFailure>();
template <>
std::string_view family<OnFailure>();

}  // namespace wavesim
