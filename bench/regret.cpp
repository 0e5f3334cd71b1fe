// bench_regret [--device cuda|cpu] [--folder CONFIGS] [--most PERCENT] [--repetitions N] [--only WORD]
// [--without-auto 1]: what `method: auto` loses against the best fixed choice of method and preconditioner,
// over whole runs of the configs and of membranes. Ends with status 1 where that is more than `most`.

#include <atomic>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "bench/program.hpp"
#include "sim/run/choose_device.hpp"
#include "sim/run/simulation.hpp"

namespace wavesim {

namespace {

struct FixedChoice {
  const char* name;
  std::vector<std::string> set;
};

const std::vector<FixedChoice>& fixed_choices() {
  static const std::vector<FixedChoice> all{
      {"cg", {"solver.method=cg"}},
      {"cg+jacobi", {"solver.method=cg", "solver.preconditioner=jacobi"}},
      {"cg-onchip", {"solver.method=cg-onchip"}},
      {"chebyshev", {"solver.method=chebyshev"}},
      {"cg+multigrid", {"solver.method=cg", "solver.preconditioner=multigrid"}},
      {"cg+multigrid-single",
       {"solver.method=cg", "solver.preconditioner={type: multigrid, arithmetic: single}"}},
      {"sine-transform", {"solver.method=sine-transform"}},
  };
  return all;
}

struct Case {
  std::string label;
  std::filesystem::path config;
  std::vector<std::string> set;
  long steps;
};

/// The configs of a folder, and membranes of some sizes and Courant numbers with a constant and a varying
/// speed.
std::vector<Case> cases(const std::filesystem::path& configs, bool cuda, const std::vector<int>& cells) {
  std::vector<Case> all;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(configs))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) all.push_back({file.stem(), file, {}, cuda ? 1000 : 200});
  for (const int n : cells)
    for (const char* courant : {"0.5", "1", "5", "20"})
      for (const char* speed : {"1", "1 + 0.5 * sin(20 * x) * sin(15 * y)"}) {
        const bool varies = std::string(speed) != "1";
        const std::string size = std::to_string(n);
        const double points = double(n) * n;
        const long steps = std::lround(std::min(1000.0, (cuda ? 3e9 : 1e8) / points));
        all.push_back({"membrane_" + size + (varies ? " varying" : " constant") + ", Courant " + courant,
                       configs.parent_path() / "bench" / "membrane_4096.yaml",
                       {"grid.cells=[" + size + ", " + size + "]", "medium.speed=" + std::string(speed),
                        "time.courant=" + std::string(courant)},
                       std::max(20L, steps)});
      }
  return all;
}

struct Timed {
  double seconds = std::numeric_limits<double>::infinity();  // a step, of the fastest run
  double iterations = 0;
  std::string set_up, why_not;
  bool ran() const { return std::isfinite(seconds); }
};

void run_once(const Case& c, const FixedChoice& selector, const DeviceFacts& device, Timed& timed) {
  try {
    std::vector<std::string> set = c.set;
    set.insert(set.end(), {"solver.preconditioner=none", "solver.format=auto"});
    set.insert(set.end(), selector.set.begin(), selector.set.end());
    Config config = read_config(c.config, set);
    config.time.end.reset();
    config.time.steps = c.steps;
    config.output.pictures = nullptr;
    config.output.frames->schedule = {};
    config.output.frames->schedule.times = {0};
    config.output.frames->stride = 16;
    config.output.energy.schedule = config.output.frames->schedule;
    config.study = nullptr;
    Simulation simulation(config, device.kind);
    const std::atomic<bool> stop{false};
    const RunSummary s = simulation.run({}, {}, stop);
    timed.seconds = std::min(timed.seconds, s.seconds / double(s.steps));
    timed.iterations = s.iterations_mean;
    timed.set_up = s.set_up;
  } catch (const InputError& e) {
    timed.why_not = "does not fit";
  } catch (const SolveError& e) {
    timed.why_not = "fails";
  } catch (const DeviceError& e) {
    timed.why_not = e.what();
  }
}

/// What auto loses, a fraction.
double measure(const Case& c, const DeviceFacts& device, int repetitions, bool with_auto) {
  std::vector<FixedChoice> choices = fixed_choices();
  if (device.kind == "cpu")  // where floats save little, and blocks for a chip have no use
    std::erase_if(choices, [](const FixedChoice& f) {
      return f.name == std::string("cg+multigrid-single") || f.name == std::string("cg-onchip");
    });
  if (with_auto) choices.push_back({"auto", {"solver.method=auto"}});
  std::vector<Timed> times(choices.size());
  double best = std::numeric_limits<double>::infinity();
  std::size_t winner = 0;
  const std::size_t fixed = choices.size() - with_auto;
  // a short run of each first, after which some are out of the race
  Case probe = c;
  probe.steps = std::max(20L, c.steps / 8);
  std::vector<Timed> probes(fixed);
  for (std::size_t k = 0; k < fixed; ++k) {
    run_once(probe, choices[k], device, probes[k]);
    best = std::min(best, probes[k].seconds);
  }
  std::vector<bool> in_the_race(choices.size(), true);
  for (std::size_t k = 0; k < fixed; ++k)
    if (!(probes[k].seconds < 2 * best)) in_the_race[k] = false, times[k] = probes[k];
  best = std::numeric_limits<double>::infinity();
  for (int r = 0; r < repetitions; ++r)
    for (std::size_t k = 0; k < choices.size(); ++k) {
      if (!in_the_race[k] || (r > 0 && k < fixed && !(times[k].seconds < 1.25 * best))) continue;
      run_once(c, choices[k], device, times[k]);
      if (k < fixed && times[k].seconds < best) best = times[k].seconds, winner = k;
    }
  std::printf("\n%s, %ld steps\n", c.label.c_str(), c.steps);
  for (std::size_t k = 0; k < choices.size(); ++k)
    if (times[k].ran())
      std::printf("  %-20s %9.4f ms a step, %6.1f iterations%s\n", choices[k].name, 1000 * times[k].seconds,
                  times[k].iterations,
                  k == winner      ? "   <- best fixed choice"
                  : in_the_race[k] ? ""
                                   : "   (a short run)");
    else if (times[k].why_not != "does not fit")
      std::printf("  %-20s %s\n", choices[k].name, times[k].why_not.c_str());
  std::fflush(stdout);
  if (!with_auto) return 0;
  const double regret = times.back().seconds / best - 1;
  std::printf("  regret of auto %+.1f %%: %s\n", 100 * regret, times.back().set_up.c_str());
  return regret;
}

}  // namespace

}  // namespace wavesim

int main(int argc, char** argv) {
  using namespace wavesim;
  double worst = 0, most = 5;
  const int status = run_program(
      "bench_regret",
      "[--folder CONFIGS] [--most PERCENT] [--repetitions N] [--cells N,N] [--steps N] [--only WORD] "
      "[--without-auto 1]",
      {"folder", "most", "repetitions", "cells", "steps", "only", "without-auto"}, argc, argv,
      [&](const CommandLine& line) {
        const auto option = [&](const char* name, const char* usual) {
          const auto at = line.options.find(name);
          return at == line.options.end() ? std::string(usual) : at->second;
        };
        most = std::atof(option("most", "5").c_str());
        const DeviceFacts device = choose_device(line.cuda ? "cuda" : "cpu");
        const std::string only = option("only", "");
        const long steps = line.number("steps", 1000000);
        for (Case& c : cases(option("folder", "configs"), line.cuda,
                             line.numbers("cells", {line.cuda ? 4096 : 1024}))) {
          c.steps = std::min(c.steps, steps);
          if (c.label.find(only) != std::string::npos)
            worst = std::max(worst, 100 * measure(c, device, line.number("repetitions", 3),
                                                  line.options.count("without-auto") == 0));
        }
        std::printf("\nlargest regret %.1f %%, allowed %g %%\n", worst, most);
      });
  return status != 0 ? status : worst > most ? 1 : 0;
}
