#pragma once
// Files that are complete or absent: written under another name, then renamed.

#include <cstdio>
#include <string>
#include <string_view>

namespace wavesim {

/// When a file is on the disk and survives a power cut: before it gets its name, or when the system likes.
enum class Sync { now, later };

/// Text that grows during a run as PATH.partial (flushed about once a second, so that a killed run leaves it
/// readable) and becomes PATH at its end. Failures throw OutputError.
class PartialFile {
 public:
  explicit PartialFile(std::string path);
  /// Goes on after the first `length` bytes of what a run left as PATH.partial, or as PATH where it came to its
  /// end; the rest is cut off with the first change. Throws InputError if there are fewer.
  PartialFile(std::string path, long length);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  void write(std::string_view text);
  /// Gives it its name; by default once it is on the disk.
  void finish(Sync sync = Sync::now);
  /// The bytes so far, which the system has when this returns.
  long length();
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail() const;
  void cut();
  void give_name_back();
  std::string path_;
  std::FILE* file_;
  long cut_ = -1;         // where a file that goes on is to be cut; -1: it is cut
  bool renamed_ = false;  // from its own name
  double flushed_ = 0;
};

/// Writes `text` as `path`: complete or absent.
void replace_file(const std::string& path, const std::string& text, Sync sync = Sync::now);
/// Gives the finished file `temporary` its name. Throws OutputError.
void rename_file(const std::string& temporary, const std::string& path, Sync sync = Sync::now);
/// What to do about a failed write, by the system's own words for it: "free space or write elsewhere (--output), and
/// run again".
std::string remedy_for(const std::string& reason);
/// A failure's sentence: "cannot write PATH: REASON; " and the remedy.
[[noreturn]] void fail_to_write(const std::string& path, const std::string& reason);

}  // namespace wavesim
