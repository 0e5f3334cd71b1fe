// Rows and frames of a result that is continued, into the new file of it.

#include <algorithm>

#include "output/hdf5/block.hpp"
#include "output/hdf5/frames.hpp"
#include "output/hdf5/hdf5_dataset.hpp"
#include "output/hdf5/hdf5_reading.hpp"

namespace wavesim::hdf5 {

namespace {

/// Throws Failure unless the dataset has rows of this type and shape, `wanted` of them at least.
void check_rows(hid_t dataset, hid_t type, hsize_t wanted, const std::vector<hsize_t>& row) {
  const Handle there(H5Dget_type(dataset), H5Tclose, "type");
  const std::vector<hsize_t> shape = shape_of(dataset);
  if (check(H5Tequal(there, type), "type") == 0 || shape.size() != row.size() + 1 ||
      !std::equal(row.begin(), row.end(), shape.begin() + 1))
    throw Failure("its arrays are of another type or shape");
  if (shape[0] < wanted)
    throw Failure("it has " + std::to_string(shape[0]) + " rows or frames, and had " +
                  std::to_string(wanted) + " when the checkpoint was written");
}

/// Whether chunks of both are tiles of the same size that went through the same two filters.
bool same_filters(hid_t dataset, hid_t other) {
  hsize_t tiles[2][3];
  int number = 0;
  for (const hid_t d : {dataset, other}) {
    const Handle properties(H5Dget_create_plist(d), H5Pclose, "properties");
    if (H5Pget_layout(properties) != H5D_CHUNKED || !shuffled_and_deflated(properties) ||
        H5Pget_chunk(properties, 3, tiles[number++]) != 3)
      return false;
  }
  return std::equal(tiles[0], tiles[0] + 3, tiles[1]);
}

}  // namespace

void DatasetRows::append_from(hid_t dataset, hsize_t rows) {
  const std::vector<hsize_t> row = width_ ? std::vector<hsize_t>{width_} : std::vector<hsize_t>{};
  check_rows(dataset, type_, rows, row);
  const std::size_t row_bytes = H5Tget_size(type_) * std::max<hsize_t>(width_, 1);
  const hsize_t block = std::max<hsize_t>(1, (hsize_t(4) << 20) / row_bytes);
  std::vector<char> values(std::size_t(std::min(block, rows)) * row_bytes);
  for (hsize_t first = 0; first < rows; first += block) {
    const hsize_t count = std::min(block, rows - first);
    std::vector<hsize_t> start{first}, size{count};
    start.resize(row.size() + 1);
    size.insert(size.end(), row.begin(), row.end());
    read_block(dataset, type_, start, size, values.data(), "copy");
    append(values.data(), count);
  }
}

void Frames::append_from(hid_t dataset, hsize_t count) {
  check_rows(dataset, type_, count, {ny_, nx_});
  const std::size_t row_bytes = nx_ * H5Tget_size(type_);
  const bool as_stored = compression_ > 0 && same_filters(dataset, dataset_);
  std::vector<char> values;
  for (hsize_t n = 0; n < count; ++n) {
    grow();
    for (hsize_t row = 0; row < ny_; row += tile_) {
      const hsize_t rows = std::min(tile_, ny_ - row);
      if (!as_stored) {
        values.resize(rows * row_bytes);
        read_block(dataset, type_, {n, row, 0}, {1, rows, nx_}, values.data(), "copy");
        write_piece(row, rows, values.data());
        continue;
      }
      const hsize_t from[3] = {n, row, 0}, to[3] = {frames_, row, 0};
      hsize_t bytes = 0;
      std::uint32_t left_out = 0;
      check(H5Dget_chunk_storage_size(dataset, from, &bytes), "copy a frame");
      if (bytes == 0) throw Failure("a frame that it should hold is missing");
      values.resize(std::size_t(bytes));
      check(H5Dread_chunk(dataset, H5P_DEFAULT, from, &left_out, values.data()), "copy a frame");
      check(H5Dwrite_chunk(dataset_, H5P_DEFAULT, left_out, to, values.size(), values.data()),
            "copy a frame");
    }
    ++frames_;
  }
}

}  // namespace wavesim::hdf5
