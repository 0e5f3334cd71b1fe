#include "output/run/sync.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "output/run/partial_file.hpp"

namespace wavesim {

namespace {

template <class Work>
void with_descriptor(const std::string& path, int flags, Work&& work) {
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) return;
  work(descriptor);
  close(descriptor);
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

void sync_file(int descriptor, const std::string& path) {
  int failed = 0;
  while ((failed = fsync(descriptor)) != 0 && errno == EINTR) {
  }
  const bool has_no_disk = errno == EINVAL || errno == EROFS || errno == ENOTSUP;  // a pipe, /dev/null
  if (failed && !has_no_disk) fail_to_write(path, std::strerror(errno));
}

void sync_closed_file(const std::string& path) {
  with_descriptor(path, O_RDONLY, [&](int descriptor) { sync_file(descriptor, path); });
}

void sync_names_beside(const std::string& path) {
  with_descriptor(folder_of(path), O_RDONLY | O_DIRECTORY, [](int descriptor) { fsync(descriptor); });
}

void sync_file_system(const std::string& folder) {
  with_descriptor(folder, O_RDONLY | O_DIRECTORY, [](int descriptor) { syncfs(descriptor); });
}

}  // namespace wavesim
