#pragma once
// What can be known about a run before it starts: how well the grid and the time step resolve its waves, and what is unwise
// about it. Formulas: docs/math.md.

#include <string>
#include <vector>

#include "kernels/backend/device.hpp"
#include "sim/run/cost.hpp"
#include "sim/run/writer.hpp"
#include "sim/time/scheme.hpp"

namespace wavesim {

/// How the shortest waves are resolved: those ahead of a source that moves are shorter than it sends at rest. 0 where the config does
/// not tell them.
struct Resolution {
  double wavelength = 0;  // shortest, metres, where the wave is slowest
  double period = 0;      // shortest, seconds
  double points_per_wavelength = 0;
  double steps_per_period = 0;
  double periods = 0;  // of the run; times an error below: how far the wave is off at its end, in periods
  /// Relative error of the phase speed, slower: five points (k h)^2 / 24, nine (k h)^4 / 480.
  double space_error = 0;
  double time_error = 0;       // and of the time step; positive where it slows the wave
  double fastest_source = 0;   // m/s, of those that move
  double loss_per_period = 0;  // part of the amplitude that the scheme damps away in one period
};
Resolution resolution(const Config& config, const Model& model, const Scheme& scheme, const TimePlan& plan);

/// Part of the phase speed that a scheme's time step takes away from a wave of angular frequency omega: (th -
/// 1/12) z^2 / 2 with z = omega dt and th the mean of w+ and w-: z^2 / 12 for crank-nicolson, -z^2 / 24 for
/// explicit; of numerov, where that is 0, the next term: -z^4 / 480; with space.order 8: z^4 / 720.
double time_phase_error(const Scheme& scheme, double z);
/// Part of the phase speed that the grid takes away from waves along an axis: the first term in k h.
double space_phase_error(long order, double kh);
/// Part of the amplitude that a step takes away: (w+ - w-) z^2 / 2.
double time_loss(const Scheme& scheme, double z);

/// Sentences on what is unwise, each with what to do.
std::vector<std::string> advice(const Config& config, const Model& model, const Scheme& scheme,
                                const TimePlan& plan, const Resolution& resolution, const Cost& cost,
                                const DeviceFacts& device, const RunInfo& output);

}  // namespace wavesim
