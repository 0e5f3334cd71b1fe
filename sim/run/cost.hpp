#pragma once
// What a run costs, as far as that is known before it starts.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/backend/device.hpp"
#include "kernels/grid/extent.hpp"
#include "sim/config/config.hpp"
#include "sim/model/model.hpp"
#include "sim/time/scheme.hpp"
#include "solvers/automatic/selector.hpp"

namespace wavesim {

/// What ranks that share out the rows bring each other in a step, at most.
struct Traffic {
  double exchanges = 0;  // of ghost rows
  double rows = 0;       // that go to each neighbour, in all of them
  double sums = 0;       // that all ranks wait for
  int reach = 0;  // rows on either side of a chunk of a pass that are computed for the chunk beside it, too
};

struct Cost {
  std::size_t device_bytes = 0;
  std::uintmax_t disk_bytes = 0;  // at most: planes uncompressed
  long iterations = 0;            // of a step, at most: the method's bound at this condition number
  double bytes_per_step = 0;      // moved through memory
  double bandwidth = 0;           // bytes/s, measured
  double seconds = 0;             // of all steps: bytes over bandwidth, launches or operations; 0 if unknown
  double launches = 0;            // seconds of all steps, on a GPU: ranks have as many
  Traffic traffic;                // of a step
  bool gathers = false;           // each rank repeats a part of the work: what more GPUs gain is not known
};
/// On one device; `on_ranks`: with a method that works where ranks share out the rows.
Cost cost(const Config& config, const Model& model, const Scheme& scheme, const TimePlan& plan,
          const DeviceFacts& device, double bandwidth, std::uintmax_t disk_bytes, bool on_ranks = false);

/// Seconds of all steps on `ranks` GPUs of one host, with NVLink, where the cost on one is known and nothing gathers.
double seconds_on_gpus(const Cost& on_one, const Extent& e, long steps, int ranks);

/// The choice of `method: auto` before the first step, as far as it can be known without one: for other
/// methods none.
std::optional<Selector> foreseen(const Config& config, const Model& model, const Scheme& scheme,
                                 const TimePlan& plan, const DeviceFacts& device, bool on_ranks = false);

/// Iterations after which the method's error bound is below the tolerance, at most max-iterations.
long iteration_bound(const SolverConfig& solver, double condition);

}  // namespace wavesim
