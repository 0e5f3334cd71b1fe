#include "output/hdf5/hdf5_dataset.hpp"

#include <algorithm>
#include <array>

#include "output/hdf5/block.hpp"

namespace wavesim::hdf5 {

namespace {

Handle text_type(std::size_t size, H5T_cset_t characters) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  check(H5Tset_size(type, std::max<std::size_t>(size, 1)), "text size");
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "text padding");
  check(H5Tset_cset(type, characters), "text encoding");
  return type;
}

void write_attribute(hid_t object, const char* name, hid_t type, const std::vector<hsize_t>& shape,
                     const void* value) {
  const bool there = check(H5Aexists(object, name), name) > 0;
  const Handle attribute(there ? H5Aopen(object, name, H5P_DEFAULT)
                               : H5Acreate2(object, name, type, space_of(shape), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, name);
  check(H5Awrite(attribute, type, value), name);
}

void write_dataset(hid_t parent, const char* name, hid_t type, const std::vector<hsize_t>& shape,
                   const void* values) {
  const Handle data(
      H5Dcreate2(parent, name, type, space_of(shape), H5P_DEFAULT, creation_properties(), no_chunk_cache()),
      H5Dclose, name);
  check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
}

}  // namespace

Handle space_of(const std::vector<hsize_t>& shape, const hsize_t* most) {
  if (shape.empty()) return Handle(H5Screate(H5S_SCALAR), H5Sclose, "scalar");
  return Handle(H5Screate_simple(int(shape.size()), shape.data(), most), H5Sclose, "array shape");
}

Handle creation_properties() {
  Handle p(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "dataset properties");
  check(H5Pset_obj_track_times(p, false), "dataset properties");
  return p;
}

Handle no_chunk_cache() {
  Handle p(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "dataset access");
  check(H5Pset_chunk_cache(p, 0, 0, 1), "chunk cache");
  return p;
}

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
  write_dataset(parent, name, text_type(content.size(), H5T_CSET_UTF8), {}, content.data());
}

void write_texts(hid_t parent, const char* name, const std::vector<std::string>& texts) {
  std::size_t size = 1;
  for (const std::string& t : texts) size = std::max(size, t.size());
  std::vector<char> padded(size * texts.size(), '\0');
  for (std::size_t k = 0; k < texts.size(); ++k)
    std::copy(texts[k].begin(), texts[k].end(), padded.begin() + long(k * size));
  write_dataset(parent, name, text_type(size, H5T_CSET_UTF8), {texts.size()}, padded.data());
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
void write_array(hid_t parent, const char* name, const std::vector<hsize_t>& shape,
                 std::span<const T> values) {
  write_dataset(parent, name, native<T>(), shape, values.data());
}
template void write_array(hid_t, const char*, const std::vector<hsize_t>&, std::span<const double>);
template void write_array(hid_t, const char*, const std::vector<hsize_t>&, std::span<const std::int64_t>);
template void write_array(hid_t, const char*, const std::vector<hsize_t>&, std::span<const float>);
template void write_array(hid_t, const char*, const std::vector<hsize_t>&, std::span<const std::uint8_t>);

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
  std::vector<hsize_t> start{first, 0}, size{count, width_};
  if (width_ == 0) start.pop_back(), size.pop_back();
  write_block(dataset_, type_, start, size, values, "append");
}

}  // namespace wavesim::hdf5
