#pragma once
// The kinds of HDF5 object that the result file consists of.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/input/hdf5_handle.hpp"

namespace wavesim::hdf5 {

Handle make_group(hid_t parent, const char* name);

/// Attributes of fixed size, so that `set` later rewrites them in place.
void set_attribute(hid_t object, const char* name, std::int64_t value);
void set_attribute(hid_t object, const char* name, double value);
void set_attribute(hid_t object, const char* name, std::span<const std::int64_t> values);
void set_attribute(hid_t object, const char* name, std::span<const double> values);
/// Text of `size` bytes (at least its own length), null-padded; longer text is cut.
void set_attribute(hid_t object, const char* name, const std::string& text, std::size_t size = 0);
/// Fixed-length ASCII of exactly the text's bytes: what VTK's reader asks of `Type`.
void set_ascii_attribute(hid_t object, const char* name, const std::string& text);

/// A scalar dataset holding the text (UTF-8, fixed length).
void write_text(hid_t parent, const char* name, const std::string& text);
/// A 1-D dataset of texts, each padded to the longest.
void write_texts(hid_t parent, const char* name, const std::vector<std::string>& texts);

/// Native type of T: double, float, std::int64_t, std::uint8_t.
template <class T>
hid_t native();

/// A static array of the given shape.
template <class T>
void write_array(hid_t parent, const char* name, const std::vector<hsize_t>& shape,
                 std::span<const T> values);
/// What datasets are made with: without times of creation, so that the same run gives the same bytes.
Handle creation_properties();
/// No chunk waits in memory: data is on disk, or has failed, before any metadata that points to it is written.
Handle no_chunk_cache();
/// `most`: how far each length may grow; null: as far as it is.
Handle space_of(const std::vector<hsize_t>& shape, const hsize_t* most = nullptr);

/// Rows of one chunk for a dataset of `planned` rows of `row_bytes` each: all of them up to 256 KiB, and
/// never so few that there are more than 2^14 chunks.
hsize_t chunk_rows(hsize_t planned, std::size_t row_bytes);

/// A dataset (n, width) or (n) that grows in blocks of rows. The index of its chunks is made at creation, so
/// that it is on disk before anything counts on it; chunks only fill free entries of it.
class DatasetRows {
 public:
  DatasetRows() = default;
  /// width 0: a 1-D dataset. `rows` exist at once, filled with zeros.
  DatasetRows(hid_t parent, const char* name, hid_t type, hsize_t width, hsize_t planned, hsize_t rows = 0);
  void append(const void* values, hsize_t count);
  /// The first `rows` of a dataset of the same type and width.
  void append_from(hid_t dataset, hsize_t rows);
  void overwrite(hsize_t row, const void* value);
  hsize_t size() const { return rows_; }
  hid_t id() const { return dataset_; }

 private:
  void write(hsize_t first, hsize_t count, const void* values);
  Handle dataset_, type_;
  hsize_t width_ = 0, rows_ = 0;
};

}  // namespace wavesim::hdf5
