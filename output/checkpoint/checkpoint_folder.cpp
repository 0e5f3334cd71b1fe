#include "output/checkpoint/checkpoint_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "kernels/backend/errors.hpp"
#include "output/run/partial_file.hpp"
#include "output/run/paths.hpp"

namespace wavesim {

namespace fs = std::filesystem;

namespace {

constexpr const char* ending = ".h5";

/// The results that a state counts on are on the disk before it is: all files of the file system, since
/// pictures and tables are closed already.
void sync_results(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  syncfs(descriptor);
  close(descriptor);
}

}  // namespace

CheckpointFolder::CheckpointFolder(const fs::path& result, std::string name)
    : path_(result / (name + "_checkpoints")), name_(std::move(name)) {}

std::string CheckpointFolder::file(long step) const {
  RunInfo named;
  named.name = name_;
  return (path_ / step_name(named, step, ending)).string();
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

void CheckpointKeeper::save(long step, double time, const std::function<void(Archive&)>& name_state) {
  const std::string path = folder_.file(step);
  if (path == latest_) return;
  std::error_code error;
  fs::create_directories(folder_.path(), error);
  if (error) fail_to_write(folder_.path().string(), error.message());
  head_.step = step;
  head_.time = time;
  write_checkpoint(path, head_, [&](Archive& a) {
    name_state(a);
    sync_results(folder_.path().parent_path());
  });
  latest_ = path;
  folder_.keep(keep_);
}

}  // namespace wavesim
