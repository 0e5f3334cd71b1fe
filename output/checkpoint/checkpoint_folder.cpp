#include "output/checkpoint/checkpoint_folder.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "kernels/backend/errors.hpp"
#include "output/checkpoint/file_sums.hpp"
#include "output/run/partial_file.hpp"
#include "output/run/paths.hpp"
#include "output/run/sync.hpp"

namespace wavesim {

namespace fs = std::filesystem;

namespace {

constexpr const char* ending = ".h5";

}  // namespace

CheckpointFolder::CheckpointFolder(const fs::path& result, std::string name)
    : path_(result / (name + "_checkpoints")), name_(std::move(name)) {}

std::string CheckpointFolder::file(long step) const {
  RunInfo named;
  named.name = name_;
  return (path_ / step_name(named, step, ending)).string();
}

std::string CheckpointFolder::file_aside() const {
  return (path_.parent_path() / (name_ + "_not_finite.h5")).string();
}

std::vector<long> CheckpointFolder::steps() const {
  std::vector<long> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(path_, none))
    if (const long step = step_in_name(entry.path().filename().string(), name_, ending); step >= 0)
      found.push_back(step);
  std::sort(found.begin(), found.end(), std::greater<>());
  return found;
}

std::unique_ptr<CheckpointFile> CheckpointFolder::latest(std::vector<std::string>& notes) const {
  std::string last;
  for (const long step : steps()) {
    try {
      return std::make_unique<CheckpointFile>(file(step));
    } catch (const InputError& e) {
      last = e.what();
      notes.push_back(last + "; the one before it is taken");
    }
  }
  if (!last.empty()) throw InputError(last + "; no other is left, so start anew with --overwrite");
  return nullptr;
}

void CheckpointFolder::forget_after(long step) const {
  for (const long s : steps())
    if (std::error_code none; s > step) fs::remove(file(s), none);
}

void CheckpointFolder::keep(long count) const {
  const std::vector<long> all = steps();
  std::error_code none;
  for (std::size_t k = std::size_t(count); k < all.size(); ++k) fs::remove(file(all[k]), none);
  remove_later_files(path_.string(), name_, ending, std::numeric_limits<long>::max());
}

void CheckpointKeeper::sum_files() {
  if (!files_.empty()) head_.files = file_sums(std::exchange(files_, {}));
}

bool CheckpointKeeper::has(long step) const { return folder_.file(step) == latest_; }

void CheckpointKeeper::save(long step, double time, const std::function<void(Archive&)>& name_state) {
  const std::string path = folder_.file(step);
  sum_files();
  std::error_code error;
  fs::create_directories(folder_.path(), error);
  if (error) fail_to_write(folder_.path().string(), error.message());
  head_.step = step;
  head_.time = time;
  write_checkpoint(path, head_, [&](Archive& a) {
    name_state(a);
    // The results that a state counts on are on the disk before it is: all files of the file system, since
    // pictures and tables are closed already.
    sync_file_system(folder_.path().parent_path().string());
  });
  latest_ = path;
  folder_.keep(keep_);
  if (saved_) saved_();
}

std::string CheckpointKeeper::keep_aside(long step, double time,
                                         const std::function<void(Archive&)>& name_state) {
  CheckpointHead head = head_;
  head.step = step;
  head.time = time;
  head.finite = false;
  try {
    write_checkpoint(folder_.file_aside(), head, name_state);
    return folder_.file_aside();
  } catch (const OutputError&) {
    return {};  // the failure that led here is the one to be told
  }
}

}  // namespace wavesim
