// Runs the runs of a sweep or a survey, beside each other: each in a process of its own, or on a GPU in a thread.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mutex>

#include "apps/answer.hpp"
#include "apps/child_runs.hpp"
#include "apps/file_contents.hpp"
#include "apps/made_with.hpp"
#include "apps/run_outline.hpp"
#include "apps/runs_bar.hpp"
#include "apps/several_runs.hpp"
#include "apps/signals.hpp"
#include "apps/thread_runs.hpp"
#include "kernels/backend/device.hpp"
#include "kernels/backend/errors.hpp"
#include "library/earlier_result.hpp"
#include "library/run_config.hpp"
#include "output/checkpoint/checkpoint_folder.hpp"
#include "output/run/partial_file.hpp"
#include "output/run/result_directory.hpp"
#include "output/sweep/run_pictures.hpp"
#include "sim/config/continued.hpp"
#include "sim/run/choose_device.hpp"

namespace wavesim {

namespace {

/// What may differ between a run that is done and the one that is wanted: it changes no result.
bool is_no_matter(const std::string& key) {
  for (const std::string_view other :
       {"device", "output.directory", "time.wall-limit", "checkpoint", "study"})
    if (key == other || key.starts_with(std::string(other) + ".")) return true;
  return false;
}

/// Whether the run is done. Throws InputError where its folder holds another one.
bool is_done(const PlannedRun& run, const RunsPlan& plan) {
  const std::filesystem::path folder = plan.folder / run.name;
  std::error_code none;
  if (!std::filesystem::is_directory(folder, none)) return false;
  const std::optional<EarlierResult> there = earlier_result(folder, run.name);
  if (!there) return false;
  Config wanted = run.config;
  for (const ConfigChange& c : config_changes(there->config, dump_config(wanted)))
    if (!is_no_matter(c.key))
      throw InputError(folder.string() + " holds a run of another config: '" + c.key + "' is " +
                       (c.now.empty() ? "absent" : c.now) + ", and was " +
                       (c.before.empty() ? "absent" : c.before) +
                       " there; replace the results with --overwrite, or name another folder with --output");
  return there->complete;
}

/// A run without checkpoints leaves none here either; what was left of it starts again.
bool resumes(const PlannedRun& run, const RunCommand& options) {
  return (run.config.checkpoint || !run.config.time.wall_limit.empty()) && !options.overwrite;
}

std::vector<std::string> command_of(const PlannedRun& run, const RunsPlan& plan, const RunCommand& options) {
  std::vector<std::string> words{"run", options.config.string()};
  const auto add = [&](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  for (const std::string& s : options.set) add("--set", s);
  for (const std::string& s : run.set) add("--set", s);
  for (const std::filesystem::path& folder : options.data) add("--data", folder.string());
  if (options.device) add("--device", *options.device);
  add("--output", plan.folder.string());
  words.insert(words.end(), {resumes(run, options) ? "--resume" : "--overwrite", "--quiet"});
  return words;
}

/// Whether the run may be one of several in this process (thread_runs.hpp).
bool may_be_a_thread(const PlannedRun& run, const RunsPlan& plan, const RunCommand& options) {
  return !(resumes(run, options) && CheckpointFolder(plan.folder / run.name, run.name).holds_states());
}

struct RunsCost {
  double memory = 0;         // bytes of the largest run
  double points = 0;         // of the smallest grid
  std::vector<double> work;  // bytes that each moves through memory
};

/// Builds each run in outline, so that a mistake in the last one is told before the first runs.
RunsCost cost_of(const RunsPlan& plan, const DeviceFacts& device) {
  constexpr double few_nodes = 1e4;
  RunsCost all;
  for (const PlannedRun& run : plan.runs) {
    Config config = run.config;
    const RunOutline o = outline_run(config, device, 0, few_nodes);
    all.memory = std::max(all.memory, double(o.memory(device)));
    const double points = double(o.model.grid.cells[0]) * double(o.model.grid.cells[1]);
    all.points = all.points > 0 ? std::min(all.points, points) : points;
    all.work.push_back(o.cost.bytes_per_step * double(o.plan.steps));
  }
  return all;
}

void fill(SweepRow& row, const RunsPlan& plan, const End& end) {
  row.exit_status = end.status;
  row.message = end.words;
  if (end.status == 0)
    row.status = "done";
  else if (end.status == ExitStatus::at_wall_limit)
    row.status = "stopped", row.message = "reached time.wall-limit; the same command goes on";
  else if (stop && end.status == 128 + signal_number)
    row.status = "stopped", row.message = "";
  else
    row.status = "failed";
  if (!row.done()) return;
  try {
    read_figures(ResultReader(plan.folder / row.name), row);
  } catch (const std::exception& e) {
    row.status = "failed", row.exit_status = ExitStatus::output_failed, row.message = e.what();
  }
}

/// Runs those of the plan that `wanted` names. `work`: of all.
void run_them(const RunsPlan& plan, const RunCommand& options, std::vector<std::size_t> wanted,
              const std::vector<double>& work, RunsShare share, SweepTable& table) {
  const auto thread_runs = std::stable_partition(wanted.begin(), wanted.end(), [&](std::size_t k) {
    return !share.in_threads || !may_be_a_thread(plan.runs[k], plan, options);
  });
  std::vector<std::vector<std::string>> commands;
  std::for_each(wanted.begin(), thread_runs,
                [&](std::size_t k) { commands.push_back(command_of(plan.runs[k], plan, options)); });
  std::vector<Config> threads;
  std::for_each(thread_runs, wanted.end(), [&](std::size_t k) { threads.push_back(plan.runs[k].config); });
  std::vector<double> own_work;
  for (const std::size_t k : wanted) own_work.push_back(work[k]);
  RunsBar bar(table, std::move(own_work), share.jobs, options.quiet);
  std::mutex table_and_bar;
  const auto from = [&](std::size_t first, long jobs) {
    RunsAtOnce them;
    them.jobs = jobs;
    them.threads = std::max(1, int(share.threads * share.jobs / jobs));
    them.started = [&, first](std::size_t run) {
      const std::lock_guard lock(table_and_bar);
      bar.starts(first + run);
    };
    them.ended = [&, first](std::size_t run, const End& end) {
      SweepRow& row = table.rows[wanted[first + run]];
      SweepRow filled = row;
      fill(filled, plan, end);
      const std::lock_guard lock(table_and_bar);
      row = std::move(filled);
      bar.ends(first + run, row.done());
    };
    them.waiting = [&](std::size_t running) {
      const std::lock_guard lock(table_and_bar);
      bar.show(running);
    };
    return them;
  };
  if (!commands.empty()) run_children(commands, from(0, share.processes));
  if (!threads.empty()) run_in_threads(threads, from(commands.size(), share.jobs));
  bar.show(0);
}

void write_page(const std::filesystem::path& file, const RunsPlan& plan, const SweepTable& table,
                const DeviceFacts& device) {
  Config first = plan.runs.front().config;
  const bool survey = plan.kind == std::string_view("survey");
  replace_file(file.string(),
               sweep_page({plan.name, plan.kind, dump_config(first), made_with(plan.command, device)}, table,
                          survey ? receiver_pictures(plan.folder, table, usual_gain)
                                 : last_frames(plan.folder, table)));
}

int status_of(const SweepTable& table) {
  if (stop) return 128 + signal_number;
  for (const SweepRow& row : table.rows)
    if (!row.done()) return row.exit_status;
  return 0;
}

void print_end(const RunsPlan& plan, const SweepTable& table, const RunCommand& options) {
  if (options.json) {
    Tree answer = Tree::map();
    answer.add("folder", Tree::string(plan.folder.string()));
    answer.add("runs", sweep_tree(table));
    print_answer(answer);
    return;
  }
  const bool all =
      std::all_of(table.rows.begin(), table.rows.end(), [](const SweepRow& r) { return r.done(); });
  if (!options.quiet) {
    std::fputs(sweep_text(table).c_str(), stdout);
    std::printf("\nThe table: %s/%s.csv; the page to read and send: %s.html beside it\n", plan.folder.c_str(),
                plan.kind, plan.kind);
  }
  if (!all)
    std::fprintf(stderr, "not all runs are done; the same command%s goes on with the others\n",
                 options.overwrite ? " without --overwrite" : "");
}

}  // namespace

RunsShare share_of(long wanted, std::size_t runs, const DeviceFacts& device, int cores, double memory,
                   double points) {
  RunsShare share;
  share.in_threads = device.kind != "cpu" && threads_may_run_configs();
  share.jobs = wanted;
  if (wanted == 0) {
    // On a CPU runs of one thread each do the most together; a GPU takes as many as fill it, but processes take turns there.
    constexpr double points_of_a_unit = 1 << 17;
    share.jobs = device.kind == "cpu" ? cores
                 : share.in_threads   ? std::min<long>(most_streams_at_once,
                                                     std::lround(points_of_a_unit * device.units / points))
                                      : 1;
    if (memory > 0) share.jobs = std::min(share.jobs, long(0.8 * double(device.free) / memory));
  }
  share.jobs = std::clamp(share.jobs, 1L, std::max(1L, long(runs)));
  share.processes = share.in_threads && wanted == 0 ? 1 : share.jobs;
  share.threads = std::max(1, int(cores / share.jobs));
  return share;
}

int run_all(const RunsPlan& plan, const RunCommand& options,
            const std::function<void(const SweepTable&)>& gather) {
  if (plan.runs.front().config.device != "cpu") expect_many_streams();
  const DeviceFacts device = choose_device(plan.runs.front().config.device);
  const RunsCost cost = cost_of(plan, device);
  refuse_other_kind(plan.folder, true);
  ResultDirectory folder(plan.folder, plan.kind, true);
  leave_nothing_of(folder.lock().string(), folder.path().string());
  SweepTable table{plan.keys, {}};
  std::vector<std::size_t> wanted;
  for (std::size_t k = 0; k < plan.runs.size(); ++k) {
    const PlannedRun& run = plan.runs[k];
    SweepRow row;
    row.name = run.name;
    row.values = run.values;
    if (!options.overwrite && is_done(run, plan)) {
      row.status = "done";
      read_figures(ResultReader(plan.folder / run.name), row);
    } else {
      wanted.push_back(k);
    }
    table.rows.push_back(std::move(row));
  }
  const RunsShare share =
      share_of(options.jobs, wanted.size(), device, cpu_facts().units, cost.memory, cost.points);
  if (!options.quiet)
    std::fprintf(stderr,
                 "%s: %zu run%s, %zu of them done already, %ld at once with %d thread%s each, into %s\n",
                 plan.name.c_str(), plan.runs.size(), plan.runs.size() == 1 ? "" : "s",
                 plan.runs.size() - wanted.size(), share.jobs, share.threads, share.threads == 1 ? "" : "s",
                 plan.folder.c_str());
  let_work_finish();
  folder.keep_old();
  folder.start_writing();
  const std::filesystem::path file = plan.folder / (std::string(plan.kind) + ".csv");
  const std::filesystem::path page = plan.folder / (std::string(plan.kind) + ".html");
  std::error_code none;
  // A table that is there says that the gather is complete.
  if (!wanted.empty()) std::filesystem::remove(file, none), std::filesystem::remove(page, none);
  const bool changed = !std::filesystem::exists(file, none);
  if (!wanted.empty()) run_them(plan, options, wanted, cost.work, share, table);
  if (changed && gather && !stop) gather(table);
  const std::string csv = sweep_csv(table);
  const bool other_rows = file_contents(file) != csv;
  replace_file(file.string(), csv);
  if (other_rows || !std::filesystem::exists(page, none)) write_page(page, plan, table, device);
  print_end(plan, table, options);
  return status_of(table);
}

}  // namespace wavesim
