#include "output/hdf5/stored_frame.hpp"

#include <algorithm>
#include <bit>

#include "output/hdf5/block.hpp"
#include "output/hdf5/chunk_filter.hpp"
#include "output/hdf5/hdf5_reading.hpp"

namespace wavesim::hdf5 {

void StoredFrame::fetch(std::int64_t dataset, std::uint64_t plane) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "shape");
  hsize_t shape[3];
  if (H5Sget_simple_extent_ndims(space) != 3) throw Failure("it is no series of frames");
  check(H5Sget_simple_extent_dims(space, shape, nullptr), "shape");
  if (shape[0] == 0) throw Failure("it has no frame");
  require_stored(dataset, double(shape[1]) * double(shape[2]), "it");
  plane = std::min<std::uint64_t>(plane, shape[0] - 1);
  rows_ = shape[1], columns_ = shape[2];
  values_ = std::size_t(rows_ * columns_);
  deflated_ = std::endian::native == std::endian::little && fetch_chunks(dataset, plane, shape);
  if (deflated_) return;
  plain_.resize(values_);
  read_block(dataset, H5T_NATIVE_FLOAT, {plane, 0, 0}, {1, shape[1], shape[2]}, plain_.data(), "read");
}

bool StoredFrame::fetch_chunks(std::int64_t dataset, std::uint64_t plane, const hsize_t shape[3]) {
  const Handle type(H5Dget_type(dataset), H5Tclose, "type"),
      properties(H5Dget_create_plist(dataset), H5Pclose, "properties");
  if (H5Tequal(type, H5T_NATIVE_FLOAT) <= 0 && H5Tequal(type, H5T_NATIVE_DOUBLE) <= 0) return false;
  hsize_t tile[3];
  if (H5Pget_layout(properties) != H5D_CHUNKED || !shuffled_and_deflated(properties) ||
      H5Pget_chunk(properties, 3, tile) != 3 || tile[0] != 1 || tile[2] != shape[2] || tile[1] > shape[1])
    return false;
  bytes_ = H5Tget_size(type);
  chunk_values_ = std::size_t(tile[1] * tile[2]);
  chunks_.resize(std::size_t((shape[1] + tile[1] - 1) / tile[1]));
  for (std::size_t k = 0; k < chunks_.size(); ++k) {
    const hsize_t offset[3] = {plane, k * tile[1], 0};
    hsize_t size = 0;
    check(H5Dget_chunk_storage_size(dataset, offset, &size), "chunk");
    if (size == 0) return false;
    chunks_[k].resize(std::size_t(size));
    std::uint32_t left_out = 0;
    check(H5Dread_chunk(dataset, H5P_DEFAULT, offset, &left_out, chunks_[k].data()), "chunk");
    if (left_out) return false;
  }
  return true;
}

void StoredFrame::decode(std::vector<float>& values) {
  if (!deflated_) return values.swap(plain_);
  values.resize(values_);
  inflated_.resize(chunk_values_ * bytes_);
  for (std::size_t k = 0; k < chunks_.size(); ++k) {
    const std::size_t first = k * chunk_values_, count = std::min(chunk_values_, values_ - first);
    inflate_and_unshuffle(chunks_[k], inflated_, chunk_values_, bytes_, count, values.data() + first);
  }
}

}  // namespace wavesim::hdf5
