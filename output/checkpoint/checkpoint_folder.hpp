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
  /// Whether it holds any state, damaged or not.
  bool holds_states() const { return !steps().empty(); }
  /// Of a state that no run continues from: NAME_not_finite.h5 in the folder of the result.
  std::string file_aside() const;
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
  /// `head`: its step and time are those of each state. `files`: those that the config names. `saved` is called when a
  /// state is on the disk.
  CheckpointKeeper(CheckpointFolder folder, CheckpointHead head, std::vector<std::filesystem::path> files,
                   long keep, std::function<void()> saved = {})
      : folder_(std::move(folder)),
        head_(std::move(head)),
        files_(std::move(files)),
        keep_(keep),
        saved_(std::move(saved)) {}
  /// Looks at the files now, and not when the first state is saved: they may be others by then.
  void sum_files();
  bool has(long step) const override;
  void save(long step, double time, const std::function<void(Archive&)>& name_state) override;
  /// As NAME_not_finite.h5 beside the other results; empty where that cannot be written.
  std::string keep_aside(long step, double time, const std::function<void(Archive&)>& name_state) override;
  /// The last one that was written; empty: none.
  const std::string& latest() const { return latest_; }

 private:
  CheckpointFolder folder_;
  CheckpointHead head_;
  std::vector<std::filesystem::path> files_;  // not summed yet
  long keep_;
  std::function<void()> saved_;
  std::string latest_;
};

}  // namespace wavesim
