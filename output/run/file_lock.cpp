#include "output/run/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace fs = std::filesystem;

namespace {

std::string holder_here() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  std::array<char, 32> now{};
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::strftime(now.data(), now.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return "process " + std::to_string(getpid()) + " on " + host.data() + " since " + now.data();
}

/// What the holder wrote; it may be about to.
std::string holder_in(const fs::path& lock) {
  std::ifstream in(lock);
  std::string line;
  std::getline(in, line);
  const bool plain = !line.empty() && line.size() < 400 &&
                     line.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789 .:_-") == std::string::npos;
  return plain ? line : "another process";
}

[[noreturn]] void fail_to_lock(const fs::path& lock) {
  throw InputError("cannot write " + lock.string() + ": " + std::strerror(errno) +
                   "; name another folder with --output or output.directory");
}

/// Whether the path still leads to the open file. It does not where its holder removed it at its end.
bool leads_to(const fs::path& lock, int file) {
  struct stat named {
  }, opened{};
  return stat(lock.c_str(), &named) == 0 && fstat(file, &opened) == 0 && named.st_ino == opened.st_ino &&
         named.st_dev == opened.st_dev;
}

}  // namespace

FileLock::FileLock(const fs::path& folder) : path_(folder / name) {
  for (;;) {
    file_ = open(path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file_ < 0) fail_to_lock(path_);
    int failed = 0;
    while ((failed = flock(file_, LOCK_EX | LOCK_NB)) != 0 && errno == EINTR) {
    }
    if (failed && errno == EWOULDBLOCK) {
      close(file_);
      throw InputError(folder.string() + " is being written by " + holder_in(path_) + " (it holds the lock " +
                       path_.string() + "); wait for it, or name another folder with --output");
    }
    if (failed || leads_to(path_, file_)) break;
    close(file_);
  }
  const std::string holder = holder_here() + "\n";
  if (ftruncate(file_, 0) == 0 && pwrite(file_, holder.data(), holder.size(), 0) == ssize_t(holder.size()))
    return;
  const int error = errno;
  unlink(path_.c_str());
  close(file_);
  errno = error;
  fail_to_lock(path_);
}

FileLock::~FileLock() {
  // Before the lock is freed: whoever waits for it sees then that its file has no name any more.
  unlink(path_.c_str());
  close(file_);
}

}  // namespace wavesim
