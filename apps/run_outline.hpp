#pragma once
// What is known about a run before it starts: what it would compute, write and take.

#include "kernels/comm/row_share.hpp"
#include "output/run/make_writers.hpp"
#include "sim/config/config.hpp"
#include "sim/model/model.hpp"
#include "sim/run/advice.hpp"
#include "sim/run/output_plan.hpp"
#include "sim/time/scheme.hpp"

namespace wavesim {

struct RunOutline {
  Model model;  // its arrays over nodes may be those of a coarser grid
  Scheme scheme;
  TimePlan plan;
  RunInfo output;
  DiskBytes disk;
  Resolution resolution;
  Cost cost;
  std::size_t host_bytes = 0;  // beside those of the device
  int ranks = 1;               // that share out the rows; bytes of device and host are those of one of them
  RowCounts rows{};            // of several ranks
  std::size_t bytes_of_row = 0;
  double efficiency = 0;  // of as many GPUs; 0: on CPUs, or not known

  /// In a step.
  double bytes_to_neighbour() const { return cost.traffic.rows * double(bytes_of_row); }
  /// Bytes that it takes at least of the memory that `device` tells the free bytes of: a GPU's, or the computer's.
  std::size_t memory(const DeviceFacts& device) const {
    return cost.device_bytes + (device.kind == "cpu" ? host_bytes : 0);
  }
};

/// Throws InputError where the run would be refused. The config takes its prices and its tolerance. `bandwidth`: of a copy,
/// bytes a second; 0: not known, and so is the run's time. `most_nodes`: sampled_model.hpp. `ranks` share out the rows.
RunOutline outline_run(Config& config, const DeviceFacts& device, double bandwidth, double most_nodes = 1e6,
                       int ranks = 1);

}  // namespace wavesim
