#include "output/run/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "output/run/driven.hpp"
#include "output/run/duration.hpp"

namespace wavesim {

namespace {

std::string part(const char* name, double seconds, double whole) {
  return fmt::format("{} {} ({:.0f} %)", name, human_duration(seconds),
                     whole > 0 ? 100 * seconds / whole : 0);
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

std::string report(const RunInfo& info, const RunSummary& s, const std::vector<std::string>& files,
                   double blocked_seconds) {
  std::string text;
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("{:<11} {}\n", name, value);
  };

  if (s.complete)
    line("done", fmt::format("{} steps in {}{}", s.steps, human_duration(s.seconds),
                             s.seconds > 0 ? ", " + human_rate(double(s.steps) / s.seconds) : ""));
  else
    line("stopped", fmt::format("after {} of {} steps, {}: {}", s.steps, info.planned_steps,
                                human_duration(s.seconds), s.ending));
  if (const StartSeconds& start = info.start; start.device + start.model + start.state > 0)
    line("start", "device " + human_duration(start.device) + ", model " + human_duration(start.model) +
                      ", state " + human_duration(start.state));
  // The writer thread works beside the computation; only what the loop waited for it is part of the run's
  // time.
  const double rest = std::max(0.0, s.seconds - s.assembly_seconds - s.solve_seconds - s.output_seconds);
  line("time", part("assembly", s.assembly_seconds, s.seconds) + ", " +
                   part("solve", s.solve_seconds, s.seconds) + ", " +
                   part("output", s.output_seconds, s.seconds) + ", " + part("rest", rest, s.seconds));
  if (blocked_seconds > 0.05 * s.seconds && blocked_seconds > 1)
    line("",
         fmt::format(
             "the computation waited {} for the disk; fewer frames or a lower output.fields.compression help",
             human_duration(blocked_seconds)));
  std::istringstream set_up(s.set_up);
  bool first = true;
  for (std::string part; std::getline(set_up, part); first = false) line(first ? "set-up" : "", part);
  line("iterations", fmt::format("{} least, {:.1f} mean, {} most a step", s.iterations_min, s.iterations_mean,
                                 s.iterations_max));
  if (s.complete || s.steps > 0)
    for (std::size_t k = 1; k < s.steps_of_solver.size() && k < info.solvers.size(); ++k)
      line(k == 1 ? "fallback" : "",
           fmt::format("{} in {} of the steps", info.solvers[k], s.steps_of_solver[k]));
  if (s.failed_steps > 0)
    line("failed",
         fmt::format("the solves of {} of the steps, first of step {}; the run went on with what they left",
                     s.failed_steps, s.failed_first));
  if (s.parted_steps > 0)
    line("",
         fmt::format("in {} of the steps, first in step {}, the residual of the method itself and the true "
                     "one differ by more than a factor of ten; the latter counts",
                     s.parted_steps, s.parted_first));
  if (!std::isnan(s.energy_first))
    line("energy", fmt::format("{:.6g} at first, {:.6g} at last{}", s.energy_first, s.energy_last,
                               std::isnan(s.energy_drift) || is_driven(info.config)
                                   ? ""
                                   : fmt::format("; largest change {:.2g} of the first", s.energy_drift)));
  if (s.balance) {
    line("balance", fmt::format("sources {:+.6g}, damping {:+.6g}, outflow {:+.6g}, residuals {:+.2g}",
                                s.balance->sources, 0 - s.balance->damping, 0 - s.balance->outflow,
                                s.balance->residual));
    line("", fmt::format("closes to {:.2g} of its largest term in every step", s.balance_error));
  }
  for (std::size_t k = 0; k < files.size(); ++k) line(k == 0 ? "files" : "", files[k]);
  for (const std::string& f : files) {
    if (ends_with(f, ".vtkhdf"))
      line("open", "ParaView 5.12 or newer: paraview " + f +
                       "; older: set output.fields.formats: [vti] and run again");
    else if (ends_with(f, ".pvd"))
      line("open", "any ParaView: paraview " + f);
  }
  return text;
}

}  // namespace wavesim
