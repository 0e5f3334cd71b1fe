#pragma once
// A run that goes on from a checkpoint: which one, and whether it fits.

#include <memory>
#include <string>
#include <vector>

#include "library/run.hpp"
#include "output/checkpoint/checkpoint_folder.hpp"
#include "output/run/async_writer.hpp"
#include "output/run/result_directory.hpp"
#include "sim/config/config.hpp"
#include "sim/run/simulation.hpp"

namespace wavesim {

class Continuation {
 public:
  /// Whether the run may be one of a result that is there.
  static bool wanted_in(const RunOptions& options, const CheckpointFolder& checkpoints);
  /// Finds the checkpoint that the options name, if any, and decides on the old result. Throws InputError
  /// where there is none, or where the config does not go with it. `config` then takes its time step and its
  /// prices.
  Continuation(const RunOptions& options, const CheckpointFolder& checkpoints, ResultDirectory& folder,
               Config& config);

  /// False: the run starts at t = 0.
  explicit operator bool() const { return file_ != nullptr; }
  /// Whether what the solver has learnt goes on, too.
  bool keeps_solver() const { return same_solver_; }
  /// "continues from results/drum/drum_checkpoints/drum_000400.h5, after step 400"
  std::string sentence() const;
  /// Damaged checkpoints, another program or machine.
  std::vector<std::string> notes(const RunInfo& info) const;
  /// Whether the run that it continues came to the same end, with all its files.
  bool nothing_is_left(const Simulation& simulation) const;
  /// Puts the state back, and the writers to where they were. Throws InputError.
  void load(Simulation& simulation, AsyncWriter& writers, const RunInfo& info);

 private:
  CheckpointFolder checkpoints_;
  std::unique_ptr<CheckpointFile> file_;
  bool same_result_ = false, same_solver_ = true, complete_ = false;
  std::vector<std::string> damaged_;
};

}  // namespace wavesim
