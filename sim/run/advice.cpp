#include "sim/run/advice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/backend/errors.hpp"
#include "sim/input/text.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/model/pml_reflection.hpp"
#include "sim/model/source_points.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

/// The smaller of two where 0 means unknown.
double smaller_known(double a, double b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

}  // namespace

double time_phase_error(const Scheme& s, double z) {
  if (s.order == 4)
    return z * z * z * z * (s.lax_wendroff ? 1.0 / 720 : s.step.correction != 0 ? 1.0 / 15 : -1.0 / 480);
  return ((s.weights[0] + s.weights[2]) / 2 - 1.0 / 12) * z * z / 2;
}

double space_phase_error(long order, double kh) {
  return order == 8 ? std::pow(kh, 8) / 6300 : order == 4 ? std::pow(kh, 4) / 480 : kh * kh / 24;
}

double time_loss(const Scheme& s, double z) { return (s.weights[0] - s.weights[2]) * z * z / 2; }

namespace {

/// The largest speed of a point source that moves, by 1000 pieces of its way; 0: it rests, or its way has an end.
double speed_of(const SourceConfig& source, const Grid& grid, double end) {
  if (!source.at || !source.at->moves()) return 0;
  constexpr int pieces = 1000;
  const double piece = end / pieces;
  double fastest = 0;
  try {
    MovingSource moving(source, grid);
    std::array<double, 2> before = moving.place(0);
    for (int k = 1; k <= pieces; ++k) {
      const std::array<double, 2> now = moving.place(piece * k);
      fastest = std::max(fastest, std::hypot(now[0] - before[0], now[1] - before[1]) / piece);
      before = now;
    }
  } catch (const InputError&) {
    return 0;
  }
  return fastest;
}

}  // namespace

Resolution resolution(const Config& config, const Model& m, const Scheme& scheme, const TimePlan& plan) {
  // A wave keeps its frequency where the speed changes: it is shortest where it is slowest.
  double period = 0, fastest = 0;
  const auto signal = [&](const std::shared_ptr<Signal>& s) {
    if (s && s->highest_frequency() > 0) period = smaller_known(period, 1 / s->highest_frequency());
  };
  for (const Source& s : m.sources) signal(s.signal);
  for (const SourceConfig& s : config.sources)
    if (const double speed = speed_of(s, m.grid, plan.end); speed > 0) {
      fastest = std::max(fastest, speed);
      // ahead of it f / (1 - v/c) arrives
      if (s.signal && s.signal->highest_frequency() > 0 && speed < m.smallest_speed)
        period = smaller_known(period, (1 - speed / m.smallest_speed) / s.signal->highest_frequency());
    }
  for (const EdgeCondition& e : m.edges) {
    signal(e.driven_by);
    signal(e.incoming);
  }
  for (const auto& s : m.rim.signals) signal(s);
  double wavelength = period * m.smallest_speed;
  for (const auto* terms : {&config.initial.displacement, &config.initial.velocity})
    for (const auto& term : *terms) {
      const double length = term->shortest_wavelength(m.grid);
      if (length <= 0) continue;
      wavelength = smaller_known(wavelength, length);
      period = smaller_known(period, length / m.largest_speed);
    }

  Resolution r;
  r.fastest_source = fastest;
  if (wavelength <= 0) return r;
  const double spacing = std::max(m.grid.spacing[0], m.grid.spacing[1]);
  const double kh = two_pi * spacing / wavelength, z = two_pi * plan.dt / period;
  r.wavelength = wavelength;
  r.period = period;
  r.points_per_wavelength = wavelength / spacing;
  r.steps_per_period = period / plan.dt;
  r.periods = plan.end / period;
  r.space_error = space_phase_error(m.space_order, kh);
  r.time_error = time_phase_error(scheme, z);
  r.loss_per_period = 1 - std::pow(std::max(0.0, 1 - time_loss(scheme, z)), r.steps_per_period);
  return r;
}

std::vector<std::string> advice(const Config& config, const Model& m, const Scheme& scheme,
                                const TimePlan& plan, const Resolution& r, const Cost& cost,
                                const DeviceFacts& device, const RunInfo& output) {
  std::vector<std::string> list;
  const auto say = [&](const std::string& sentence) { list.push_back(sentence); };

  if (cost.device_bytes > device.free)
    say("The run needs " + text(double(cost.device_bytes) * 1e-9) + " GB, but " + device.name + " has " +
        text(double(device.free) * 1e-9) +
        " GB free: take fewer cells, precision: single or format: stencil.");
  if (r.fastest_source >= m.smallest_speed)
    say("A source moves at " + text(r.fastest_source) + " m/s, where waves run at " + text(m.smallest_speed) +
        " m/s: ahead of it they pile up to a front that no grid resolves; give its signal a smooth area "
        "instead of "
        "a point.");
  const bool wide = m.space_order == 4;
  const double least = m.space_order == 8 ? 3.5 : wide ? 5 : 10;
  if (r.wavelength > 0 && r.points_per_wavelength < least)
    say("The shortest waves have only " + text(std::round(10 * r.points_per_wavelength) / 10) +
        " cells per wavelength and run " + text(std::round(1000 * r.space_error) / 10) + " % slow: " +
        (m.space_order == 8 ? "6 cells make that 0.02 %"
         : wide             ? "8 cells make that 0.08 %"
                            : "20 cells make that 0.4 %") +
        "; take finer cells or smoother sources.");
  if (wide && r.time_error > 4 * r.space_error && r.time_error > 1e-5)
    say("The time step makes an error of " + text(r.time_error) +
        " in the wave speed, the grid with its fourth order one of " + text(r.space_error) +
        ": scheme: numerov is of fourth order in time as well, and so is crank-nicolson with time: {order: "
        "4} at any step.");
  const double z = r.steps_per_period > 0 ? two_pi / r.steps_per_period : 0;
  if (z > 0.35 && std::abs(r.time_error) > 0.01)
    say("The time step gives the shortest period only " + text(std::round(10 * r.steps_per_period) / 10) +
        " steps, an error of " + text(std::round(1000 * r.time_error) / 10) +
        " % in the wave speed: crank-nicolson needs 18 for 1 % and 58 for 0.1 %; take a smaller courant or "
        "step.");
  if (r.loss_per_period > 0.05)
    say("Scheme " + scheme.name + " damps " + text(std::round(1000 * r.loss_per_period) / 10) +
        " % of the shortest waves' amplitude away each period: crank-nicolson damps none.");
  for (int side = 0; side < 4; ++side)
    if (const double made_for = m.edges[side].pml_reflection; made_for > 0) {
      const double shortest = r.wavelength > 0 ? r.wavelength : 10 * m.grid.spacing[side / 2];
      const double returns = reflection_of_layer(m, side, shortest, 1);
      if (returns > 3 * made_for && returns > 1e-3)
        say(std::string("The perfectly matched layer on the ") + side_names[std::size_t(side)] +
            " is made for a reflection of " + text(made_for) + " and returns " + text(returns) +
            ", since so few cells reflect themselves: make it thicker, 10 cells or more.");
    }
  if (r.wavelength == 0)
    say("The shortest wave cannot be told from this config (an expression, a file or an image): see to it "
        "yourself that it has 10 cells or more, and its period 18 steps or more.");
  const double time_error = std::abs(r.time_error);
  if (scheme.solves && time_error > 0 && config.solver.norm == "increment" &&
      config.solver.tolerance > 0.1 * time_error)
    say("The solver's tolerance " + text(config.solver.tolerance) +
        " is not small against the error of the time "
        "step, " +
        text(time_error) + ": take " + text(0.01 * time_error) + " or less.");
  if (scheme.solves && config.solver.norm == "relative-2")
    say("With norm: relative-2 a step may end before it has moved the wave, because u(n) itself is nearly "
        "the "
        "solution: norm: increment is the safe choice.");
  if (scheme.solves && plan.courant > 10 && cost.iterations > 2)
    say("At Courant number " + text(plan.courant) + " the condition number reaches " + text(plan.condition) +
        " and a step may take " + std::to_string(cost.iterations) +
        " iterations: a smaller step is often faster "
        "for the same time, and more exact.");
  if (scheme.solves && cost.iterations >= config.solver.max_iterations)
    say("The bound on the iterations reaches max-iterations (" +
        std::to_string(config.solver.max_iterations) + "): raise it, or take a smaller step.");
  if (scheme.solves && plan.courant < 0.5 && !wide && scheme.name != "numerov")
    say("At Courant number " + text(plan.courant) + " scheme: explicit is stable, too, and needs no solver.");
  const auto follows_grid = [](const auto& shape) { return !shape->has_cut_rim(); };
  if (std::any_of(config.shape.begin(), config.shape.end(), follows_grid))
    say("Rims that follow the grid in stairs make an error that falls with the spacing only, not with its "
        "square: write rim: cut where the shape's rim is known.");
  const bool limited = scheme.weights[0] + scheme.weights[2] < 0.5;
  if (limited && !wide && !m.rim.cell_share.uniform())
    say("Scheme " + scheme.name +
        " takes heavier cells where a free rim leaves a small part of one: the error there falls with the "
        "spacing only; scheme: crank-nicolson keeps them as they are, and so does numerov with space: "
        "{order: 4}.");
  if (plan.reduced && plan.steps < 20) say("The run has only " + std::to_string(plan.steps) + " steps.");
  const double frame =
      double(output.nx) * double(output.ny) * (output.single ? 4 : 8) * double(output.quantities.size());
  if (output.compression > 1 && frame > 32e6)
    say("A frame has " + text(std::round(frame * 1e-6)) + " MB, which gzip level " +
        std::to_string(output.compression) + " takes about " + text(std::round(frame / 3e6) / 10) +
        " s to compress: compression: 0 or 1, or a stride, is faster.");
  if (double(cost.disk_bytes) > 20e9)
    say("The result may take " + text(std::round(double(cost.disk_bytes) * 1e-9)) +
        " GB: write fewer frames (every, interval), or take a stride or a region.");
  if (output.planned_frames > 5000)
    say(std::to_string(output.planned_frames) +
        " frames are many to look at: a larger every or interval is enough "
        "for a smooth movie.");
  return list;
}

}  // namespace wavesim
