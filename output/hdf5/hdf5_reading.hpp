#pragma once
// Texts, numbers and attributes of an HDF5 file, as a whole. All throw Failure.

#include <map>
#include <string>
#include <vector>

#include "output/hdf5/hdf5_handle.hpp"

namespace wavesim::hdf5 {

/// An existing file of this program, to be read beside a run that writes it.
Handle open_to_read(const std::string& path);
/// Whether every link on the way exists.
bool exists(hid_t parent, const std::string& path);
Handle open_dataset(hid_t parent, const std::string& path);
std::vector<hsize_t> shape_of(hid_t dataset);
/// Whether the filters of a dataset with these properties are shuffle and gzip, in this order.
bool shuffled_and_deflated(hid_t properties);
std::vector<std::string> read_texts(hid_t parent, const std::string& path);
std::vector<double> read_numbers(hid_t parent, const std::string& path);
std::vector<double> read_attribute(hid_t parent, const char* object, const char* name);
/// All attributes that are text.
std::map<std::string, std::string> read_text_attributes(hid_t parent, const char* object);

}  // namespace wavesim::hdf5
