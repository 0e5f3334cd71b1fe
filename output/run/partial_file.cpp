#include "output/run/partial_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>

#include "kernels/backend/errors.hpp"
#include "output/run/sync.hpp"

namespace wavesim {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Never through a symbolic link, nor into a pipe that nobody reads.
std::FILE* open_stream(const std::string& path, int how, const char* mode) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | how, 0666);
  return descriptor < 0 ? nullptr : fdopen(descriptor, mode);
}

}  // namespace

std::string remedy_for(const std::string& reason) {
  const auto is = [&](std::initializer_list<int> numbers) {
    return std::any_of(numbers.begin(), numbers.end(),
                       [&](int n) { return reason.find(std::strerror(n)) != std::string::npos; });
  };
  if (is({ENOSPC, EDQUOT, EFBIG})) return "free space or write elsewhere (--output), and run again";
  if (is({EACCES, EPERM, EROFS})) return "allow writing there or write elsewhere (--output), and run again";
  if (is({ENOENT, ENOTDIR})) return "make its folder again or write elsewhere (--output), and run again";
  return "write elsewhere (--output), and run again";
}

void fail_to_write(const std::string& path, const std::string& reason) {
  throw OutputError("cannot write " + path + ": " + reason + "; " + remedy_for(reason));
}

void rename_file(const std::string& temporary, const std::string& path, Sync sync) {
  if (sync == Sync::now) sync_closed_file(temporary);
  if (std::rename(temporary.c_str(), path.c_str()) != 0) fail_to_write(path, std::strerror(errno));
  if (sync == Sync::now) sync_names_beside(path);
}

void replace_file(const std::string& path, const std::string& text, Sync sync) {
  PartialFile file(path);
  try {
    file.write(text);
    file.finish(sync);
  } catch (...) {
    std::remove((path + ".partial").c_str());
    throw;
  }
}

PartialFile::PartialFile(std::string path)
    : path_(std::move(path)), file_(open_stream(path_ + ".partial", O_CREAT | O_TRUNC, "w")) {
  if (!file_) fail();
  flushed_ = now();
}

PartialFile::PartialFile(std::string path, long length)
    : path_(std::move(path)), file_(nullptr), cut_(length) {
  namespace fs = std::filesystem;
  const std::string partial = path_ + ".partial";
  std::error_code none;
  if (!fs::exists(partial, none) && fs::exists(path_, none)) {
    rename_file(path_, partial, Sync::later);
    renamed_ = true;
  }
  const bool there = fs::is_regular_file(partial, none);
  const std::uintmax_t size = there ? fs::file_size(partial, none) : 0;
  if (!there || size < std::uintmax_t(length)) {
    give_name_back();
    throw InputError("cannot continue " + path_ + ": " +
                     (there ? "it has " + std::to_string(size) + " bytes, and had " + std::to_string(length) +
                                  " when the checkpoint was written"
                            : "it is not there") +
                     "; restart into another folder with --restart FILE --output DIR");
  }
  file_ = open_stream(partial, 0, "r+");
  if (!file_ || std::fseek(file_, length, SEEK_SET) != 0) fail();
  flushed_ = now();
}

PartialFile::~PartialFile() {
  if (file_) std::fclose(file_);
  if (cut_ >= 0) give_name_back();
}

/// Of a file that had its name before it was to be continued, and was not.
void PartialFile::give_name_back() {
  if (renamed_) std::rename((path_ + ".partial").c_str(), path_.c_str());
}

/// What lies behind the place where the file goes on is lost with the first change, no earlier.
void PartialFile::cut() {
  if (cut_ >= 0 && ftruncate(fileno(file_), cut_) != 0) fail();
  cut_ = -1;
}

void PartialFile::write(std::string_view text) {
  cut();
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
  if (now() - flushed_ < 1) return;
  if (std::fflush(file_) != 0) fail();
  flushed_ = now();
}

void PartialFile::finish(Sync sync) {
  cut();
  if (std::fflush(file_) != 0) fail();
  if (sync == Sync::now) sync_file(fileno(file_), path_);
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
  rename_file(path_ + ".partial", path_, Sync::later);
  if (sync == Sync::now) sync_names_beside(path_);
}

long PartialFile::length() {
  if (std::fflush(file_) != 0) fail();
  flushed_ = now();
  const long length = std::ftell(file_);
  if (length < 0) fail();
  return length;
}

void PartialFile::fail() const { fail_to_write(path_, std::strerror(errno)); }

}  // namespace wavesim
