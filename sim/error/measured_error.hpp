#pragma once
// The error of a run, measured: what changes with half the time step, and with cells of half the size
// (Richardson's extrapolation; docs/accuracy.md).

#include <functional>
#include <optional>
#include <string>

#include "sim/config/config.hpp"

namespace wavesim {

/// Relative errors in the 2-norm: of the time step, of the grid, and of both together, which may cancel in part.
struct ErrorParts {
  double step = 0, grid = 0, both = 0;
};

struct MeasuredError {
  double until = 0, end = 0;  // seconds: of the runs that were compared, and of the config's own
  long steps = 0;             // of the config until then
  int order_in_time = 2, order_in_space = 2;  // that errors are taken to have; the lower where it is in doubt
  std::optional<ErrorParts> displacement;     // at `until`; none where all is at rest
  std::optional<ErrorParts> traces;  // of all receivers until then; none without, or where nothing arrived
  double seconds = 0;                // by the clock
};

/// Runs a config three times without output, up to `until` seconds (default: its end): as it is, with half the step,
/// and with half the step and half the spacing. `begins(k, cells, steps)` is called before each, k = 1, 2, 3. Throws
/// InputError, SolveError, DeviceError.
MeasuredError measure_error(const Config& config, const std::string& device, std::optional<double> until,
                            const std::function<void(int, const std::array<long, 2>&, long)>& begins);

}  // namespace wavesim
