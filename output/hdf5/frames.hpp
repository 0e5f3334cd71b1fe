#pragma once
// Planes of numbers in the result file, (ny, nx) each.

#include "sim/input/hdf5_handle.hpp"
#include "sim/run/values.hpp"

namespace wavesim::hdf5 {

/// A dataset (1, ny, nx) that does not change.
void write_plane(hid_t parent, const char* name, hsize_t ny, hsize_t nx, const Values& values,
                 int compression);

/// A dataset (frames, ny, nx) that grows by whole frames, each in chunks of its own: never rewritten, never
/// moved.
class Frames {
 public:
  Frames() = default;
  /// `file`: the descriptor of the file that `parent` lies in. Large frames without compression are written
  /// past HDF5 where that is faster (output/hdf5/memory_file.hpp), to the places that it gives them.
  Frames(hid_t parent, const char* name, hid_t type, hsize_t ny, hsize_t nx, hsize_t planned, int compression,
         int file);
  void append(const Values& values);
  /// The first `count` frames of a dataset of the same type and shape; what is compressed stays so.
  void append_from(hid_t dataset, hsize_t count);
  hsize_t size() const { return frames_; }
  hid_t id() const { return dataset_; }
  /// Rows of a chunk, which is a whole frame or a part of it. An uncompressed one has up to 1 GiB (HDF5's limit is 4). A
  /// compressed one has to be in memory as a whole: up to 32 MiB, and more only where the file would have too many chunks.
  static hsize_t tile_rows(hsize_t ny, std::size_t row_bytes, hsize_t planned, bool compressed);

 private:
  void grow();
  void write_piece(hsize_t row, hsize_t rows, const void* values);
  void write_past_hdf5(hsize_t row, const void* values, std::size_t bytes);
  Handle dataset_, type_;
  hsize_t ny_ = 0, nx_ = 0, tile_ = 0, frames_ = 0;
  int compression_ = 0, file_ = -1;
  bool past_hdf5_ = false;
};

}  // namespace wavesim::hdf5
