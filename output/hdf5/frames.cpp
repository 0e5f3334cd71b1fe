#include "output/hdf5/frames.hpp"

#include <algorithm>
#include <cstring>
#include <future>
#include <string>
#include <system_error>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/block.hpp"
#include "output/hdf5/chunk_filter.hpp"
#include "output/hdf5/hdf5_dataset.hpp"
#include "output/hdf5/hdf5_file.hpp"
#include "output/hdf5/memory_file.hpp"

namespace wavesim::hdf5 {

namespace {

/// Bytes; what is smaller is written before threads have started.
constexpr std::size_t large_frame = 8 << 20;
constexpr hsize_t piece_bytes = hsize_t(32) << 20, largest_chunk = hsize_t(1) << 30;

/// Chunks of that shape, through the filters shuffle and gzip where `level` is not 0.
void make_chunks(hid_t properties, const hsize_t (&chunk)[3], int level) {
  check(H5Pset_chunk(properties, 3, chunk), "chunks");
  if (level <= 0) return;
  check(H5Pset_shuffle(properties), "shuffle filter");
  check(H5Pset_deflate(properties, unsigned(level)), "gzip filter");
}

/// f(first row, rows, values) for all ny rows of a plane: those of a chunk if they are compressed, or if all are here; else fewer,
/// of which the next come from other ranks while f has these.
template <class F>
void each_piece(const Values& values, hsize_t ny, hsize_t nx, hsize_t tile, std::size_t row_bytes,
                bool compressed, const F& f) {
  const hsize_t few = std::clamp<hsize_t>(piece_bytes / row_bytes, 1, tile),
                rows = compressed || values.is_local() ? tile : few;
  const auto end_of = [&](hsize_t row) {
    return std::min({row + rows, (row / tile + 1) * tile, ny});  // not beyond its chunk
  };
  std::vector<char> scratch[2];
  const auto part = [&](hsize_t row, int turn) {
    return values.part(row * nx, (end_of(row) - row) * nx, scratch[turn % 2]);
  };
  int turn = 0;
  const void* here = part(0, turn);
  for (hsize_t row = 0, end; row < ny; row = end) {
    end = end_of(row);
    std::future<const void*> next;
    if (!values.is_local() && end < ny) try {
        next = std::async(std::launch::async, part, end, turn + 1);
      } catch (const std::system_error&) {
        // the system grants no more threads: this one reads
      }
    f(row, end - row, here);
    ++turn;
    if (end < ny) here = next.valid() ? next.get() : part(end, turn);
  }
}

/// Writes rows of a plane of a dataset (planes, ny, nx), whose chunks have `tile` rows; if they are compressed, those of a chunk.
void write_rows(hid_t dataset, hid_t type, const hsize_t (&first)[3], hsize_t rows, hsize_t nx, hsize_t tile,
                int compression, const void* values, const char* name) {
  if (compression == 0)
    return write_block(dataset, type, {first[0], first[1], first[2]}, {1, rows, nx}, values, name);
  const std::vector<unsigned char> chunk =
      shuffle_and_deflate(values, rows * nx, tile * nx, H5Tget_size(type), compression);
  check(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, first, chunk.size(), chunk.data()), name);
}

}  // namespace

void write_plane(hid_t parent, const char* name, hsize_t ny, hsize_t nx, const Values& values,
                 int compression) {
  const hid_t type = values.word() == 1 ? native<std::uint8_t>()
                     : values.single()  ? native<float>()
                                        : native<double>();
  const std::size_t row_bytes = nx * values.word();
  const hsize_t tile = Frames::tile_rows(ny, row_bytes, 1, compression > 0);
  const Handle properties = creation_properties();
  if (compression > 0) make_chunks(properties, {1, tile, nx}, compression);
  const Handle data(
      H5Dcreate2(parent, name, type, space_of({1, ny, nx}), H5P_DEFAULT, properties, no_chunk_cache()),
      H5Dclose, name);
  each_piece(values, ny, nx, tile, row_bytes, compression > 0,
             [&](hsize_t row, hsize_t rows, const void* part) {
               write_rows(data, type, {0, row, 0}, rows, nx, tile, compression, part, name);
             });
}

hsize_t Frames::tile_rows(hsize_t ny, std::size_t row_bytes, hsize_t planned, bool compressed) {
  const hsize_t tiles = std::max<hsize_t>(1, File::most_chunks / planned),
                usual = (compressed ? piece_bytes : largest_chunk) / row_bytes;
  return std::clamp<hsize_t>(
      std::min<hsize_t>(std::max(usual, (ny + tiles - 1) / tiles), largest_chunk / row_bytes), 1, ny);
}

Frames::Frames(hid_t parent, const char* name, hid_t type, hsize_t ny, hsize_t nx, hsize_t planned,
               int compression, int file)
    : type_(H5Tcopy(type), H5Tclose, name),
      ny_(ny),
      nx_(nx),
      tile_(tile_rows(ny, nx * H5Tget_size(type), planned, compression > 0)),
      compression_(compression),
      file_(file),
      past_hdf5_(compression == 0 && ny * nx * H5Tget_size(type) >= large_frame && maps_well(file)) {
  const std::vector<hsize_t> shape{0, ny, nx};
  const hsize_t most[3] = {H5S_UNLIMITED, ny, nx};
  const Handle properties = creation_properties();
  make_chunks(properties, {1, tile_, nx}, compression);
  check(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER), name);
  // A place in the file before there are values.
  if (past_hdf5_) check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY), name);
  dataset_ =
      Handle(H5Dcreate2(parent, name, type, space_of(shape, most), H5P_DEFAULT, properties, no_chunk_cache()),
             H5Dclose, name);
}

void Frames::append(const Values& values) try {
  grow();
  each_piece(values, ny_, nx_, tile_, nx_ * H5Tget_size(type_), compression_ > 0,
             [&](hsize_t row, hsize_t rows, const void* part) { write_piece(row, rows, part); });
  ++frames_;
} catch (const DeviceError&) {  // values have not come: the frame is none
  const hsize_t size[3] = {frames_, ny_, nx_};
  H5Dset_extent(dataset_, size);
  throw;
}

void Frames::grow() {
  const hsize_t size[3] = {frames_ + 1, ny_, nx_};
  check(H5Dset_extent(dataset_, size), "append a frame");
}

void Frames::write_piece(hsize_t row, hsize_t rows, const void* values) {
  if (past_hdf5_) return write_past_hdf5(row, values, rows * nx_ * H5Tget_size(type_));
  write_rows(dataset_, type_, {frames_, row, 0}, rows, nx_, tile_, compression_, values, "append a frame");
}

/// These chunks are in no chunk cache, and nothing points to them before the next flush.
void Frames::write_past_hdf5(hsize_t row, const void* values, std::size_t bytes) {
  const hsize_t first = row / tile_ * tile_, offset[3] = {frames_, first, 0};
  const std::size_t before = (row - first) * nx_ * H5Tget_size(type_);
  unsigned left_out = 0;
  haddr_t at = HADDR_UNDEF;
  hsize_t available = 0;
  check(H5Dget_chunk_info_by_coord(dataset_, offset, &left_out, &at, &available), "append a frame");
  if (at == HADDR_UNDEF || available < before + bytes)
    throw Failure("append a frame: HDF5 has no place for it");
  if (const int error = write_mapped(file_, at + before, static_cast<const char*>(values), bytes))
    throw Failure(std::string("append a frame: ") + std::strerror(error));
}

}  // namespace wavesim::hdf5
