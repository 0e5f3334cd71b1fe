#include "output/run/result_directory.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace fs = std::filesystem;

namespace {

constexpr const char* lock_name = ".running";

/// Creates the lock with this process's pid in it; false if there is one.
bool take(const fs::path& lock) {
  const int file = open(lock.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
  if (file < 0 && errno == EEXIST) return false;
  const std::string pid = std::to_string(getpid()) + "\n";
  const bool written = file >= 0 && write(file, pid.data(), pid.size()) == ssize_t(pid.size());
  const int error = errno;
  if (file >= 0) close(file);
  if (written) return true;
  if (file >= 0) fs::remove(lock);
  throw InputError("cannot write into " + lock.parent_path().string() + ": " + std::strerror(error) +
                   "; name another folder with --output or output.directory");
}

/// The pid in a lock; 0 if it cannot be read.
long holder(const fs::path& lock) {
  std::ifstream in(lock);
  long pid = 0;
  return in >> pid ? pid : 0;
}

bool alive(long pid) { return pid > 0 && (kill(pid_t(pid), 0) == 0 || errno == EPERM); }

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

/// What a run of this name may have left: NAME.vtkhdf, NAME_receivers.csv(.partial), NAME_vti/, pictures/ ...
std::vector<fs::path> results_in(const fs::path& directory, const std::string& name) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    const std::string file = entry.path().filename().string();
    if (starts_with(file, name + ".") || starts_with(file, name + "_") || file == "pictures")
      found.push_back(entry.path());
  }
  return found;
}

std::uintmax_t bytes_of(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return fs::file_size(path, ignored);
  std::uintmax_t sum = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path, ignored))
    if (entry.is_regular_file(ignored)) sum += entry.file_size(ignored);
  return sum;
}

/// The topmost folder of `directory` that does not exist yet; empty if all do.
fs::path first_missing(const fs::path& directory) {
  fs::path missing, p = fs::absolute(directory);
  for (std::error_code e; !p.empty() && !fs::exists(p, e) && p != p.root_path(); p = p.parent_path())
    missing = p;
  return missing;
}

}  // namespace

std::string human_bytes(double bytes) {
  constexpr std::array units{"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %s", bytes, units[unit]);
  return text;
}

ResultDirectory::ResultDirectory(const fs::path& directory, const std::string& name, bool overwrite,
                                 bool may_continue)
    : path_(directory), lock_(directory / lock_name), made_(first_missing(directory)), name_(name) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error || !fs::is_directory(path_))
    throw InputError("cannot make the folder " + path_.string() + ": " +
                     (error ? error.message() : std::string("a file has that name")) +
                     "; name another one with --output or output.directory");
  if (!take(lock_)) {
    const long pid = holder(lock_);
    if (alive(pid))
      throw InputError(path_.string() + " is being written by the running process " + std::to_string(pid) +
                       "; wait for it, or name another folder with --output");
    fs::remove(lock_, error);  // its process is dead
    if (!take(lock_))
      throw InputError(path_.string() +
                       " was just taken by another process; name another folder with --output");
  }
  old_ = results_in(path_, name_);
  if (!old_.empty() && !overwrite && !may_continue) {
    fs::remove(lock_, error);
    refuse_old();
  }
}

void ResultDirectory::refuse_old() const {
  throw InputError("there is a result already: " + old_.front().string() +
                   "; replace it with --overwrite or name another folder with --output");
}

ResultDirectory::~ResultDirectory() {
  std::error_code ignored;
  fs::remove(lock_, ignored);
  // Nothing was written: leave no empty folders behind (remove() takes empty ones only).
  if (made_.empty()) return;
  for (fs::path p = fs::absolute(path_); fs::remove(p, ignored) && p != made_;) p = p.parent_path();
}

void ResultDirectory::require_room(std::uintmax_t bytes) const {
  std::error_code error;
  const fs::space_info space = fs::space(path_, error);
  if (error) return;  // a file system that does not say; writing will
  std::uintmax_t available = space.available;
  for (const fs::path& p : old_) available += bytes_of(p);
  if (bytes > available)
    throw InputError(
        "the results need up to " + human_bytes(double(bytes)) + ", but " + path_.string() +
        " has room for " + human_bytes(double(available)) +
        "; write fewer frames (output.fields.every), a part (stride, region), or elsewhere (--output)");
}

void ResultDirectory::start_writing() {
  for (const fs::path& p : old_) {
    std::error_code error;
    fs::remove_all(p, error);
    if (error)
      throw InputError("cannot remove the old result " + p.string() + ": " + error.message() +
                       "; remove it, or name another folder with --output");
  }
  old_.clear();
}

}  // namespace wavesim
