#pragma once
// A folder that one process at a time writes into.

#include <filesystem>

namespace wavesim {

/// FOLDER/.running, locked by flock(2) as long as the object lives: the kernel frees it when the process ends,
/// however it ends and wherever it runs. The file says which process on which host holds the lock since when.
/// File systems without locks (some mounts of Lustre) let everybody in.
class FileLock {
 public:
  /// Throws InputError where another process holds the lock (the sentence names it and the file), or where the
  /// file cannot be written.
  explicit FileLock(const std::filesystem::path& folder);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  static constexpr const char* name = ".running";

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

}  // namespace wavesim
