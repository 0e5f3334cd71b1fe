#pragma once
// Files that are complete or absent: written under another name, then renamed.

#include <cstdio>
#include <string>

namespace wavesim {

/// Text that grows during a run as PATH.partial (flushed about once a second, so that a killed run leaves it
/// readable) and becomes PATH at its end. Failures throw OutputError.
class PartialFile {
 public:
  explicit PartialFile(std::string path);
  /// Goes on after the first `length` bytes of what a run left as PATH.partial, or as PATH where it came to its
  /// end; the rest is cut off. Throws InputError if there are fewer.
  PartialFile(std::string path, long length);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  void write(const std::string& text);
  void finish();
  /// The bytes so far, which the system has when this returns.
  long length();
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail() const;
  std::string path_;
  std::FILE* file_;
  double flushed_ = 0;
};

/// Writes `text` as `path`: complete or absent.
void replace_file(const std::string& path, const std::string& text);
/// Gives the finished file `temporary` its name. Throws OutputError.
void rename_file(const std::string& temporary, const std::string& path);
/// A failure's sentence: "cannot write PATH: REASON; free space or write elsewhere (--output), and run
/// again".
[[noreturn]] void fail_to_write(const std::string& path, const std::string& reason);

}  // namespace wavesim
