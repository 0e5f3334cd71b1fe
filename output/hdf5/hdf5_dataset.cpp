#include "output/hdf5/hdf5_dataset.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "output/hdf5/chunk_filter.hpp"
#include "output/hdf5/memory_file.hpp"

namespace wavesim::hdf5 {

namespace {

/// Bytes; what is smaller is written before threads have started.
constexpr std::size_t large_frame = 8 << 20;

Handle text_type(std::size_t size, H5T_cset_t characters) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  check(H5Tset_size(type, std::max<std::size_t>(size, 1)), "text size");
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "text padding");
  check(H5Tset_cset(type, characters), "text encoding");
  return type;
}

Handle space_of(const std::vector<hsize_t>& shape, const hsize_t* most = nullptr) {
  if (shape.empty()) return Handle(H5Screate(H5S_SCALAR), H5Sclose, "scalar");
  return Handle(H5Screate_simple(int(shape.size()), shape.data(), most), H5Sclose, "array shape");
}

void write_attribute(hid_t object, const char* name, hid_t type, const std::vector<hsize_t>& shape,
                     const void* value) {
  const bool there = check(H5Aexists(object, name), name) > 0;
  const Handle attribute(there ? H5Aopen(object, name, H5P_DEFAULT)
                               : H5Acreate2(object, name, type, space_of(shape), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, name);
  check(H5Awrite(attribute, type, value), name);
}

/// Without times of creation the same run gives the same bytes.
Handle creation_properties() {
  Handle p(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "dataset properties");
  check(H5Pset_obj_track_times(p, false), "dataset properties");
  return p;
}

void compress(hid_t properties, int level) {
  if (level <= 0) return;
  check(H5Pset_shuffle(properties), "shuffle filter");
  check(H5Pset_deflate(properties, unsigned(level)), "gzip filter");
}

/// Writes one plane (ny, nx) of a chunked dataset (planes, ny, nx), tile by tile, as the dataset's filters
/// want it.
void write_compressed(hid_t dataset, hid_t type, hsize_t plane, hsize_t ny, hsize_t nx, int level,
                      const void* values, const char* name) {
  const std::size_t size = H5Tget_size(type), row_bytes = nx * size;
  const hsize_t tile = Frames::tile_rows(ny, row_bytes);
  for (hsize_t row = 0; row < ny; row += tile) {
    const std::vector<unsigned char> chunk =
        shuffle_and_deflate(static_cast<const char*>(values) + row * row_bytes, std::min(tile, ny - row) * nx,
                            tile * nx, size, level);
    const hsize_t offset[3] = {plane, row, 0};
    check(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset, chunk.size(), chunk.data()), name);
  }
}

/// No chunk waits in memory: data is on disk, or has failed, before any metadata that points to it is
/// written.
Handle no_chunk_cache() {
  Handle p(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "dataset access");
  check(H5Pset_chunk_cache(p, 0, 0, 1), "chunk cache");
  return p;
}

void write_dataset(hid_t parent, const char* name, hid_t type, const std::vector<hsize_t>& shape,
                   const void* values, int compression) {
  const Handle properties = creation_properties();
  if (compression > 0 && !shape.empty()) {
    std::vector<hsize_t> chunk = shape;
    if (shape.size() == 3) chunk[1] = Frames::tile_rows(shape[1], shape[2] * H5Tget_size(type));
    check(H5Pset_chunk(properties, int(chunk.size()), chunk.data()), name);
    compress(properties, compression);
  }
  const Handle data(
      H5Dcreate2(parent, name, type, space_of(shape), H5P_DEFAULT, properties, no_chunk_cache()), H5Dclose,
      name);
  if (compression > 0 && shape.size() == 3 && shape[0] == 1)
    write_compressed(data, type, 0, shape[1], shape[2], compression, values, name);
  else
    check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
}

}  // namespace

Handle make_group(hid_t parent, const char* name) {
  return Handle(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, name);
}

void set_attribute(hid_t object, const char* name, std::int64_t value) {
  write_attribute(object, name, H5T_NATIVE_INT64, {}, &value);
}
void set_attribute(hid_t object, const char* name, double value) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, {}, &value);
}
void set_attribute(hid_t object, const char* name, std::span<const std::int64_t> values) {
  write_attribute(object, name, H5T_NATIVE_INT64, {values.size()}, values.data());
}
void set_attribute(hid_t object, const char* name, std::span<const double> values) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
}
void set_attribute(hid_t object, const char* name, const std::string& text, std::size_t size) {
  const std::size_t bytes = size ? size : std::max<std::size_t>(text.size(), 1);
  std::string padded = text.substr(0, bytes);
  padded.resize(bytes, '\0');
  write_attribute(object, name, text_type(bytes, H5T_CSET_UTF8), {}, padded.data());
}
void set_ascii_attribute(hid_t object, const char* name, const std::string& text) {
  write_attribute(object, name, text_type(text.size(), H5T_CSET_ASCII), {}, text.data());
}

void write_text(hid_t parent, const char* name, const std::string& text) {
  const std::string content = text.empty() ? std::string(1, '\0') : text;
  write_dataset(parent, name, text_type(content.size(), H5T_CSET_UTF8), {}, content.data(), 0);
}

void write_texts(hid_t parent, const char* name, const std::vector<std::string>& texts) {
  std::size_t size = 1;
  for (const std::string& t : texts) size = std::max(size, t.size());
  std::vector<char> padded(size * texts.size(), '\0');
  for (std::size_t k = 0; k < texts.size(); ++k)
    std::copy(texts[k].begin(), texts[k].end(), padded.begin() + long(k * size));
  write_dataset(parent, name, text_type(size, H5T_CSET_UTF8), {texts.size()}, padded.data(), 0);
}

template <>
hid_t native<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t native<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
hid_t native<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
hid_t native<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}

template <class T>
void write_array(hid_t parent, const char* name, const std::vector<hsize_t>& shape, std::span<const T> values,
                 int compression) {
  write_dataset(parent, name, native<T>(), shape, values.data(), compression);
}
template void write_array(hid_t, const char*, const std::vector<hsize_t>&, std::span<const double>, int);
template void write_array(hid_t, const char*, const std::vector<hsize_t>&, std::span<const std::int64_t>,
                          int);
template void write_array(hid_t, const char*, const std::vector<hsize_t>&, std::span<const float>, int);
template void write_array(hid_t, const char*, const std::vector<hsize_t>&, std::span<const std::uint8_t>,
                          int);

hsize_t chunk_rows(hsize_t planned, std::size_t row_bytes) {
  constexpr hsize_t chunk_bytes = 256 << 10, most_chunks = 1 << 14;
  const hsize_t rows = std::max<hsize_t>(chunk_bytes / row_bytes, planned / most_chunks + 1);
  return std::clamp<hsize_t>(rows, 1, std::max<hsize_t>(planned, 2));
}

DatasetRows::DatasetRows(hid_t parent, const char* name, hid_t type, hsize_t width, hsize_t planned,
                         hsize_t rows)
    : type_(H5Tcopy(type), H5Tclose, name), width_(width), rows_(rows) {
  const std::size_t row_bytes = H5Tget_size(type) * std::max<hsize_t>(width, 1);
  const hsize_t extent[2] = {std::max<hsize_t>(rows, 1), width};
  const std::vector<hsize_t> shape(extent, extent + (width ? 2 : 1));
  const hsize_t most[2] = {H5S_UNLIMITED, width};
  const hsize_t chunk[2] = {chunk_rows(planned, row_bytes), width};
  const Handle properties = creation_properties();
  check(H5Pset_chunk(properties, int(shape.size()), chunk), name);
  check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY), name);
  // Written now: space that is only allocated would leave a killed file shorter than its superblock says.
  check(H5Pset_fill_time(properties, H5D_FILL_TIME_ALLOC), name);
  dataset_ =
      Handle(H5Dcreate2(parent, name, type, space_of(shape, most), H5P_DEFAULT, properties, no_chunk_cache()),
             H5Dclose, name);
  // An empty dataset has no index yet; one that was emptied has. Made later, it could reach the disk after
  // its header.
  const hsize_t size[2] = {rows, width};
  if (rows == 0) check(H5Dset_extent(dataset_, size), name);
}

void DatasetRows::append(const void* values, hsize_t count) {
  if (count == 0) return;
  const hsize_t size[2] = {rows_ + count, width_};
  check(H5Dset_extent(dataset_, size), "append");
  write(rows_, count, values);
  rows_ += count;
}

void DatasetRows::overwrite(hsize_t row, const void* value) { write(row, 1, value); }

void DatasetRows::write(hsize_t first, hsize_t count, const void* values) {
  const hsize_t start[2] = {first, 0}, size[2] = {count, width_};
  const Handle file_space(H5Dget_space(dataset_), H5Sclose, "append");
  check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, nullptr, size, nullptr), "append");
  const Handle memory(H5Screate_simple(width_ ? 2 : 1, size, nullptr), H5Sclose, "append");
  check(H5Dwrite(dataset_, type_, memory, file_space, H5P_DEFAULT, values), "append");
}

hsize_t Frames::tile_rows(hsize_t ny, std::size_t row_bytes) {
  return std::clamp<hsize_t>((hsize_t(1) << 30) / row_bytes, 1, ny);
}

Frames::Frames(hid_t parent, const char* name, hid_t type, hsize_t ny, hsize_t nx, int compression, int file)
    : type_(H5Tcopy(type), H5Tclose, name),
      ny_(ny),
      nx_(nx),
      compression_(compression),
      file_(file),
      past_hdf5_(compression == 0 && ny * nx * H5Tget_size(type) >= large_frame && maps_well(file)) {
  const std::vector<hsize_t> shape{0, ny, nx};
  const hsize_t most[3] = {H5S_UNLIMITED, ny, nx};
  const hsize_t chunk[3] = {1, tile_rows(ny, nx * H5Tget_size(type)), nx};
  const Handle properties = creation_properties();
  check(H5Pset_chunk(properties, 3, chunk), name);
  check(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER), name);
  // A place in the file before there are values.
  if (past_hdf5_) check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY), name);
  compress(properties, compression);
  dataset_ =
      Handle(H5Dcreate2(parent, name, type, space_of(shape, most), H5P_DEFAULT, properties, no_chunk_cache()),
             H5Dclose, name);
}

void Frames::append(const void* values) {
  const hsize_t size[3] = {frames_ + 1, ny_, nx_}, start[3] = {frames_, 0, 0}, count[3] = {1, ny_, nx_};
  check(H5Dset_extent(dataset_, size), "append a frame");
  if (compression_ > 0) {
    write_compressed(dataset_, type_, frames_, ny_, nx_, compression_, values, "append a frame");
    ++frames_;
    return;
  }
  if (past_hdf5_) {
    write_past_hdf5(values);
    ++frames_;
    return;
  }
  const Handle file_space(H5Dget_space(dataset_), H5Sclose, "append a frame");
  check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, nullptr, count, nullptr), "append a frame");
  const Handle memory(H5Screate_simple(3, count, nullptr), H5Sclose, "append a frame");
  check(H5Dwrite(dataset_, type_, memory, file_space, H5P_DEFAULT, values), "append a frame");
  ++frames_;
}

/// These chunks are in no chunk cache, and nothing points to them before the next flush.
void Frames::write_past_hdf5(const void* values) {
  const std::size_t row_bytes = nx_ * H5Tget_size(type_);
  const hsize_t tile = tile_rows(ny_, row_bytes);
  for (hsize_t row = 0; row < ny_; row += tile) {
    const hsize_t offset[3] = {frames_, row, 0};
    unsigned left_out = 0;
    haddr_t at = HADDR_UNDEF;
    hsize_t available = 0;
    const std::size_t bytes = std::min(tile, ny_ - row) * row_bytes;
    check(H5Dget_chunk_info_by_coord(dataset_, offset, &left_out, &at, &available), "append a frame");
    if (at == HADDR_UNDEF || available < bytes) throw Failure("append a frame: HDF5 has no place for it");
    if (const int error = write_mapped(file_, at, static_cast<const char*>(values) + row * row_bytes, bytes))
      throw Failure(std::string("append a frame: ") + std::strerror(error));
  }
}

}  // namespace wavesim::hdf5
