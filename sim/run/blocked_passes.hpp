#pragma once
// Which steps in time a config takes in passes over memory of several sweeps each (solvers/stationary/blocked_sweeps.hpp),
// for estimates.

#include "kernels/backend/device.hpp"
#include "sim/time/scheme.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

/// Whether there is damping, of the medium or of edges that radiate.
bool is_damped(const Model& m);
/// Sweeps of one pass over memory of a system whose rows are computed; 0: they are taken one by one.
int sweeps_of_a_pass_of(const Model& m);
/// Whether such passes take steps in time as a whole (BlockedSystem::fuses).
bool fuses_steps(const Config& c, const Model& m, const Scheme& scheme);

struct Passes {
  long count = 0;      // of a step, at most; 0: sweeps are taken one by one
  bool whole = false;  // they take the step in time as a whole
  bool anew = false;   // each begins without the iterate before
  /// Words of a point in all of them, and their kernels.
  Work work(double media) const {
    const double n = double(count), goes_on = n - 1;
    return {.moved = whole  ? n * (4 + media) + goes_on       // u, p before and after; u + d
                     : anew ? n * (2 + media) + goes_on       // b and x; x before the pass
                            : n * (3 + media) + 2 * goes_on,  // and x of the sweep before
            .kernels = 2 * n};
  }
};
/// Of the method of the config, where the matrix has this condition number.
Passes passes_of(const Config& c, const Model& m, const Scheme& scheme, double condition);

/// Steps that a pass of explicit steps takes at once, at most. `tracks`: maxima or arrival times as well.
int steps_of_an_explicit_pass(const Model& m, const DeviceFacts& device, bool tracks);
/// Seconds of an explicit step at a point within such a pass, where its operations bound it: of a multiprocessor or a core.
double seconds_of_an_explicit_step(const DeviceFacts& device, const Model& m, double word);
/// The same, of what a cell of a perfectly matched layer takes beside.
double seconds_of_an_explicit_step_in_layers(const DeviceFacts& device, double word);

/// Seconds of a sweep at a point within such a pass, which is bound by its operations: of a multiprocessor
/// or a core (docs/performance.md).
double seconds_of_a_sweep(const DeviceFacts& device, const Model& m, double word);

}  // namespace wavesim
