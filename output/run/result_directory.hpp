#pragma once
// The folder of one run: who may write into it, and whether the disk has space.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "output/run/file_lock.hpp"
#include "output/run/result_files.hpp"

namespace wavesim {

/// results/NAME, locked for this process as long as the object lives.
///
/// An old result that is to be replaced is set aside, in FOLDER/.old, until the new one has a frame; if it never
/// has one, the old result comes back: at the end of this object, or, after a kill, with the next lock.
class ResultDirectory {
 public:
  /// Creates the folder where it is missing. Throws InputError when it cannot be written, when another
  /// process is running in it, or when it holds a result and not `overwrite`. Writes nothing but the lock, and
  /// leaves no folder behind that it made itself if the run never starts writing.
  /// `may_continue`: a result that is there is no reason to refuse; keep_old() or start_writing() decides on it.
  ResultDirectory(const std::filesystem::path& directory, const std::string& name, bool overwrite,
                  bool may_continue = false);
  ~ResultDirectory();
  ResultDirectory(const ResultDirectory&) = delete;
  ResultDirectory& operator=(const ResultDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The file of the lock in it.
  std::filesystem::path lock() const { return path_ / FileLock::name; }
  /// Throws InputError, naming both figures, if fewer than `bytes` are free (what an old result frees is
  /// counted).
  void require_room(std::uintmax_t bytes) const;
  /// A file of the old result; empty: there is none.
  std::filesystem::path old_result() const;
  /// Throws InputError: there is a result, and nobody said what to do with it.
  [[noreturn]] void refuse_old() const;
  /// The old result stays, since the new one continues it or replaces it file by file.
  void keep_old() { old_.clear(); }
  /// Sets the old result aside, if there is one that is not kept. To be called when the new one is about to be
  /// written.
  void start_writing();
  /// The new result is worth more than the old one, which is removed.
  void discard_old();

 private:
  void set_old_aside();
  void bring_back();
  void recover();

  std::filesystem::path path_, made_;
  std::optional<FileLock> lock_;
  ResultFiles files_;
  std::vector<std::filesystem::path> old_;  // relative
  bool set_aside_ = false, writing_ = false;
};

/// Throws InputError where a folder has a result of the other kind: one run's, where `several` are to be in it (a survey, a sweep), or
/// that of several. Each would list, replace and show files of the other.
void refuse_other_kind(const std::filesystem::path& folder, bool several);

/// "1.5 GB": three digits, decimal units.
std::string human_bytes(double bytes);

}  // namespace wavesim
