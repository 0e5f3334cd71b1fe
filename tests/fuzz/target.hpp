#pragma once
// What the targets share: the bytes of an input as a file, and which exceptions are no finding.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "kernels/backend/errors.hpp"

namespace wavesim::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return std::string(reinterpret_cast<const char*>(data), size);
}

/// A folder in memory where there is one, gone at the end of the program.
inline const std::filesystem::path& folder() {
  struct Folder {
    std::filesystem::path path;
    Folder() {
      std::string name = (std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "/tmp") +
                         std::string("/wavesim-fuzz-XXXXXX");
      if (!mkdtemp(name.data())) throw std::runtime_error("no folder for the files of inputs");
      path = name;
    }
    Folder(const Folder&) = delete;
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder made;
  return made.path;
}

/// A file with these bytes. HDF5 wants one that has a name.
class InputFile {
 public:
  InputFile(const void* data, std::size_t size) : path_(folder() / "input") {
    std::ofstream to(path_, std::ios::binary);
    if (!to.write(static_cast<const char*>(data), std::streamsize(size)).flush())
      throw std::runtime_error("no space for the file of an input");
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Reads an input. That it is refused is no finding; any other exception is.
template <class Read>
int refused_or_read(const Read& read) {
  try {
    read();
  } catch (const InputError&) {
  }
  return 0;
}

}  // namespace wavesim::fuzz
