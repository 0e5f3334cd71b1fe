#pragma once
// results/NAME/NAME_checkpoints: the states of a run, NAME_000400.h5 that after step 400.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "output/checkpoint/checkpoint_file.hpp"
#include "sim/run/supervision.hpp"

namespace wavesim {

class CheckpointFolder {
 public:
  /// Of the run `name` in the folder `result`; it need not be there.
  CheckpointFolder(const std::filesystem::path& result, std::string name);

  const std::filesystem::path& path() const { return path_; }
  std::string file(long step) const;
  /// The latest state that is not damaged; null: there is none at all. Each damaged one adds a sentence to
  /// `notes`. Throws InputError if all are damaged.
  std::unique_ptr<CheckpointFile> latest(std::vector<std::string>& notes) const;
  /// Removes those after `step`: of a run that is continued from before them.
  void forget_after(long step) const;
  /// Removes all but the latest so many, and what was left of writing one.
  void keep(long count) const;

 private:
  std::vector<long> steps() const;  // descending
  std::filesystem::path path_;
  std::string name_;
};

/// Writes states into a folder.
class CheckpointKeeper final : public StateKeeper {
 public:
  /// `head`: its step and time are those of each state.
  CheckpointKeeper(CheckpointFolder folder, CheckpointHead head, long keep)
      : folder_(std::move(folder)), head_(std::move(head)), keep_(keep) {}
  void save(long step, double time, const std::function<void(Archive&)>& name_state) override;
  /// The last one that was written; empty: none.
  const std::string& latest() const { return latest_; }

 private:
  CheckpointFolder folder_;
  CheckpointHead head_;
  long keep_;
  std::string latest_;
};

}  // namespace wavesim
