// What the runs of a sweep or a survey would be. Writes nothing.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/answer.hpp"
#include "apps/run_outline.hpp"
#include "apps/several_runs.hpp"
#include "output/run/duration.hpp"
#include "output/run/result_directory.hpp"
#include "sim/run/choose_device.hpp"
#include "sim/run/copy_bandwidth.hpp"

namespace wavesim {

namespace {

struct Needs {
  std::string name;
  std::array<long, 2> cells;
  long steps;
  double memory, disk, seconds;  // bytes, bytes, of the whole device; 0: not known
  double moved;                  // bytes through memory
};

Needs needs_of(const PlannedRun& run, const DeviceFacts& device, double bandwidth) {
  Config config = run.config;
  const RunOutline o = outline_run(config, device, bandwidth);
  const double memory = double(o.memory(device));
  return {run.name,
          o.model.grid.cells,
          o.plan.steps,
          memory,
          double(o.disk.expected),
          o.cost.seconds,
          o.cost.bytes_per_step * double(o.plan.steps)};
}

/// Of all runs together; 0: not known. On a CPU they share what one has alone. On a GPU small grids that run at the same time
/// are done in about the time that their memory takes at this part of its speed (bench/results/h200/shots.txt).
double seconds_of(const std::vector<Needs>& all, const RunsShare& share, double bandwidth) {
  constexpr double part_of_speed = 0.5;
  double sum = 0, longest = 0, moved = 0;
  for (const Needs& n : all) sum += n.seconds, longest = std::max(longest, n.seconds), moved += n.moved;
  if (sum == 0 || !share.in_threads) return sum;
  const double rounds = std::ceil(double(all.size()) / double(share.jobs));
  return std::min(sum, std::max(rounds * longest, moved / (part_of_speed * bandwidth)));
}

Tree number(double v) { return Tree::bare(shortest(v)); }

}  // namespace

int dry_runs(const RunsPlan& plan, const RunCommand& options) {
  const DeviceFacts device = choose_device(plan.runs.front().config.device);
  const double bandwidth = copy_bandwidth(device);
  std::vector<Needs> all;
  double memory = 0, disk = 0, points = 0;
  for (const PlannedRun& run : plan.runs) {
    all.push_back(needs_of(run, device, bandwidth));
    memory = std::max(memory, all.back().memory), disk += all.back().disk;
    const double own = double(all.back().cells[0]) * double(all.back().cells[1]);
    points = points > 0 ? std::min(points, own) : own;
  }
  const RunsShare share = share_of(options.jobs, all.size(), device, cpu_facts().units, memory, points);
  const double seconds = seconds_of(all, share, bandwidth);
  if (options.json) {
    Tree answer = Tree::map(), runs = Tree::list();
    answer.add("folder", Tree::string(plan.folder.string()));
    answer.add("jobs", number(double(share.jobs)));
    answer.add("threads", number(share.threads));
    answer.add("memory-bytes", number(memory * double(share.jobs)));
    answer.add("disk-bytes-expected", number(disk));
    answer.add("seconds", number(seconds));
    for (const Needs& n : all) {
      Tree one = Tree::map();
      one.add("run", Tree::string(n.name));
      one.add("cells-x", number(double(n.cells[0])));
      one.add("cells-y", number(double(n.cells[1])));
      one.add("steps", number(double(n.steps)));
      one.add("memory-bytes", number(n.memory));
      one.add("disk-bytes-expected", number(n.disk));
      one.add("seconds", number(n.seconds));
      runs.items.push_back(std::move(one));
    }
    answer.add("runs", std::move(runs));
    print_answer(answer);
    return 0;
  }
  std::size_t width = 3;
  for (const Needs& n : all) width = std::max(width, n.name.size());
  fmt::print("{} (dry run: nothing is written)\n", plan.name);
  fmt::print("  {:<{}}  {:>13}  {:>9}  {:>8}  {:>8}  {}\n", "run", width, "cells", "steps", "memory", "disk",
             "time");
  for (const Needs& n : all)
    fmt::print("  {:<{}}  {:>13}  {:>9}  {:>8}  {:>8}  {}\n", n.name, width,
               fmt::format("{} x {}", n.cells[0], n.cells[1]), n.steps, human_bytes(n.memory),
               human_bytes(n.disk), n.seconds > 0 ? human_duration(n.seconds) : "-");
  fmt::print(
      "  {} runs into {}, {} at once with {} thread{} each: at least {} of {} free, about {} on the disk\n",
      all.size(), plan.folder.string(), share.jobs, share.threads, share.threads == 1 ? "" : "s",
      human_bytes(memory * double(share.jobs)), human_bytes(double(device.free)), human_bytes(disk));
  if (seconds > 0)
    fmt::print(
        "  about {} without output, all runs together, at {:.3g} GB/s, the speed of a plain copy measured "
        "now\n",
        human_duration(seconds), bandwidth * 1e-9);
  return 0;
}

}  // namespace wavesim
