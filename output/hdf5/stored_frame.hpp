#pragma once
// A frame of a result as it is stored in the file: one thread at a time reads it, as HDF5 requires, and any
// number of threads decompress in parallel.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wavesim::hdf5 {

class StoredFrame {
 public:
  /// Plane `plane` of a dataset (planes, ny, nx), the last one if there are fewer; `dataset` is an id of
  /// HDF5. Throws Failure.
  void fetch(std::int64_t dataset, std::uint64_t plane);
  /// ny and nx of what was fetched.
  std::uint64_t rows() const { return rows_; }
  std::uint64_t columns() const { return columns_; }
  /// Its (ny, nx) values; once for each fetch. Calls nothing of HDF5. Throws Failure.
  void decode(std::vector<float>& values);

 private:
  /// False where the dataset is not as our writer's compression leaves it; HDF5 itself reads it then.
  bool fetch_chunks(std::int64_t dataset, std::uint64_t plane, const unsigned long long shape[3]);

  std::vector<float> plain_;                        // where HDF5 has read it
  std::vector<std::vector<unsigned char>> chunks_;  // shuffled and deflated; each a tile of rows
  std::vector<unsigned char> inflated_;
  std::uint64_t rows_ = 0, columns_ = 0;
  std::size_t chunk_values_ = 0, values_ = 0, bytes_ = 0;  // bytes of a value
  bool deflated_ = false;
};

}  // namespace wavesim::hdf5
