#pragma once
// Texts, numbers and attributes of an HDF5 file, as a whole. All throw Failure.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/input/hdf5_handle.hpp"
#include "sim/input/hdf5_stored.hpp"

namespace wavesim::hdf5 {

/// An existing file of this program, to be read beside a run that writes it.
Handle open_to_read(const std::string& path);
/// Opens all groups and datasets below a group, with their types, shapes and properties.
void open_all(hid_t group);
/// Whether every link on the way exists.
bool exists(hid_t parent, const std::string& path);
Handle open_dataset(hid_t parent, const std::string& path);
std::vector<hsize_t> shape_of(hid_t dataset);
/// Whether the filters of a dataset with these properties are shuffle and gzip, in this order.
bool shuffled_and_deflated(hid_t properties);
/// Values of a dataset, which are stored.
std::size_t count_of(hid_t dataset, const std::string& path);
/// Of fixed length each, as this program writes them.
std::vector<std::string> read_texts(hid_t parent, const std::string& path);
std::string read_text(hid_t parent, const std::string& path);
/// T: double or std::int64_t.
template <class T>
std::vector<T> read_array(hid_t parent, const std::string& path);
std::vector<double> read_numbers(hid_t parent, const std::string& path);
/// One value at least.
std::vector<double> read_attribute(hid_t parent, const char* object, const char* name);
/// A number of a file as a count or an index.
long whole_number(double v, const char* what, double most = 9e15);
/// All attributes that are one text of fixed length.
std::map<std::string, std::string> read_text_attributes(hid_t parent, const char* object);

}  // namespace wavesim::hdf5
