// wavesim run CONFIG with `shots`: a run for each place of the source, and one gather of what the receivers recorded.

#include <algorithm>
#include <cstdio>
#include <thread>

#include "apps/several_runs.hpp"
#include "apps/signals.hpp"
#include "kernels/backend/errors.hpp"
#include "library/run_config.hpp"
#include "output/pictures/result_plots.hpp"
#include "output/run/frame_workers.hpp"
#include "output/run/one_line.hpp"
#include "output/segy/segy_file.hpp"

namespace wavesim {

namespace {

constexpr int width = 960;

/// As many as two gigabytes suffice for: each holds the samples of a shot, which its file holds, too.
unsigned drawing_threads(const RunsPlan& plan, const SweepTable& table) {
  if (!threads_may_run_configs()) return 1;
  std::uintmax_t largest = 1;
  std::error_code none;
  for (const SweepRow& row : table.rows)
    if (const auto size = std::filesystem::file_size(plan.folder / row.name / (row.name + ".vtkhdf"), none);
        !none)
      largest = std::max(largest, size);
  constexpr std::uintmax_t memory = std::uintmax_t(2) << 30;
  return unsigned(
      std::clamp<std::uintmax_t>(memory / largest, 1, std::max(1u, std::thread::hardware_concurrency())));
}

/// Pictures of each shot that is done, and one SEG-Y file of all.
void gather_shots(const RunsPlan& plan, const SweepTable& table) {
  const auto done =
      long(std::count_if(table.rows.begin(), table.rows.end(), [](const SweepRow& r) { return r.done(); }));
  if (done == 0) return;
  if (plan.runs.front().config.receivers.empty())
    return print_note("the config has no receivers, so the shots have no gather");
  const std::string path = (plan.folder / "survey.segy").string();
  std::unique_ptr<SegyWriter> segy;
  const auto give_up = [&](const InputError& e) {
    print_note(std::string("there is no ") + path + ": " + e.what());
    segy.reset();
  };
  if (writes_segy()) segy = std::make_unique<SegyWriter>(path, done);
  const auto add = [&](const ResultReader& result, std::size_t k) {
    if (segy) try {
        segy->add(result, long(k + 1));
      } catch (const InputError& e) {
        give_up(e);
      }
  };
  InOrder in_order;
  by_workers(drawing_threads(plan, table), table.rows.size(), in_order, [&](std::size_t k, unsigned) {
    if (!table.rows[k].done() || stop) return in_order(k, [] {});
    const ResultReader result(plan.folder / table.rows[k].name);
    write_figures(receiver_figures(result, usual_gain), result, (plan.folder / "gathers").string(), width);
    in_order(k, [&] { add(result, k); });
  });
  if (segy && !stop) segy->finish();
}

}  // namespace

bool is_survey(const RunCommand& options, const Config& config) {
  if (config.shots.empty() && options.jobs > 0)
    throw InputError("--jobs is about the runs of a config with shots, and " + options.config.string() +
                     " has none; leave it out");
  return !config.shots.empty();
}

int survey(const RunCommand& options, const Config& config) {
  if (options.restart)
    throw InputError(
        "--restart names the checkpoint of one run, and the shots of a survey are several; the same command "
        "goes on with them");
  const RunsPlan plan = plan_survey(options, config);
  return run_all(plan, options, [&](const SweepTable& table) { gather_shots(plan, table); });
}

}  // namespace wavesim
