#include "output/run/partial_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

void fail_to_write(const std::string& path, const std::string& reason) {
  throw OutputError("cannot write " + path + ": " + reason +
                    "; free space or write elsewhere (--output), and run again");
}

void rename_file(const std::string& temporary, const std::string& path) {
  if (std::rename(temporary.c_str(), path.c_str()) != 0) fail_to_write(path, std::strerror(errno));
}

void replace_file(const std::string& path, const std::string& text) {
  PartialFile file(path);
  try {
    file.write(text);
    file.finish();
  } catch (...) {
    std::remove((path + ".partial").c_str());
    throw;
  }
}

PartialFile::PartialFile(std::string path)
    : path_(std::move(path)), file_(std::fopen((path_ + ".partial").c_str(), "we")) {
  if (!file_) fail();
  flushed_ = now();
}

PartialFile::PartialFile(std::string path, long length) : path_(std::move(path)), file_(nullptr) {
  namespace fs = std::filesystem;
  const std::string partial = path_ + ".partial";
  std::error_code none;
  if (!fs::exists(partial, none) && fs::exists(path_, none)) rename_file(path_, partial);
  const std::uintmax_t size = fs::file_size(partial, none);
  if (none || size < std::uintmax_t(length))
    throw InputError("cannot continue " + path_ + ": " +
                     (none ? "it is not there"
                           : "it has " + std::to_string(size) + " bytes, and had " + std::to_string(length) +
                                 " when the checkpoint was written") +
                     "; restart into another folder with --restart FILE --output DIR");
  file_ = std::fopen(partial.c_str(), "r+e");
  if (!file_ || ftruncate(fileno(file_), length) != 0 || std::fseek(file_, 0, SEEK_END) != 0) fail();
  flushed_ = now();
}

PartialFile::~PartialFile() {
  if (file_) std::fclose(file_);
}

void PartialFile::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
  if (now() - flushed_ < 1) return;
  if (std::fflush(file_) != 0) fail();
  flushed_ = now();
}

void PartialFile::finish() {
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
  rename_file(path_ + ".partial", path_);
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
