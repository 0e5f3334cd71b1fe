#pragma once
// The folder of one run: who may write into it, and whether the disk has space.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wavesim {

/// results/NAME, locked for this process as long as the object lives.
class ResultDirectory {
 public:
  /// Creates the folder where it is missing. Throws InputError when it cannot be written, when another
  /// process is running in it (named by its pid; the lock of a dead process is taken over), or when it holds
  /// a result and not `overwrite`. Writes nothing but the lock, and leaves no folder behind that it made
  /// itself if the run never starts writing.
  /// `may_continue`: a result that is there is no reason to refuse; keep() or start_writing() decides on it.
  ResultDirectory(const std::filesystem::path& directory, const std::string& name, bool overwrite,
                  bool may_continue = false);
  ~ResultDirectory();
  ResultDirectory(const ResultDirectory&) = delete;
  ResultDirectory& operator=(const ResultDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Throws InputError, naming both figures, if fewer than `bytes` are free (what an old result frees is
  /// counted).
  void require_room(std::uintmax_t bytes) const;
  /// A file of the old result; empty: there is none.
  std::filesystem::path old_result() const { return old_.empty() ? std::filesystem::path() : old_.front(); }
  /// Throws InputError: there is a result, and nobody said what to do with it.
  [[noreturn]] void refuse_old() const;
  /// The old result stays, since the run continues it.
  void keep_old() { old_.clear(); }
  /// Removes the old result, if any. To be called when the new one is about to be written.
  void start_writing();

 private:
  std::filesystem::path path_, lock_, made_;
  std::string name_;
  std::vector<std::filesystem::path> old_;
};

/// "1.5 GB": three digits, decimal units.
std::string human_bytes(double bytes);

}  // namespace wavesim
