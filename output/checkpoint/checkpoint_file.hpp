#pragma once
// A saved state of a run as an HDF5 file: arrays are global, in grid order, and independent of the backend.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "solvers/core/archive.hpp"

namespace wavesim {

/// What one has to know of a state before it is loaded.
struct CheckpointHead {
  long step = 0;
  double time = 0, dt = 0;                     // seconds
  std::string config;                          // effective, YAML
  std::map<std::string, std::string> facts;    // of program and machine
  std::map<std::string, std::string> files{};  // that the config names: length and CRC-32 (file_sums.hpp)
  bool finite = true;                          // whether a run may go on from it
};

/// Writes what `name_state` names as `path`: complete or absent, and on the disk when this returns. Throws
/// OutputError; NotFiniteError if `head.finite` and a field holds a number that is not, and then the file is absent.
void write_checkpoint(const std::string& path, const CheckpointHead& head,
                      const std::function<void(Archive&)>& name_state);

/// Throws InputError if the file is absent, damaged or none of this program.
class CheckpointFile {
 public:
  explicit CheckpointFile(const std::string& path);
  ~CheckpointFile();
  CheckpointFile(const CheckpointFile&) = delete;
  CheckpointFile& operator=(const CheckpointFile&) = delete;

  const std::string& path() const { return path_; }
  const CheckpointHead& head() const { return head_; }
  /// Puts back what was saved. What does not fit throws InputError.
  Archive& state();

 private:
  struct Open;
  std::string path_;
  CheckpointHead head_;
  std::unique_ptr<Open> open_;
};

}  // namespace wavesim
