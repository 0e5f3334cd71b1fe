#pragma once
// Rectangular parts of datasets.

#include <vector>

#include "sim/input/hdf5_handle.hpp"

namespace wavesim::hdf5 {

/// Elements start[k] to start[k] + size[k] - 1 along each axis k of a dataset. `what` begins the Failure's text.
void read_block(hid_t dataset, hid_t type, const std::vector<hsize_t>& start,
                const std::vector<hsize_t>& size, void* to, const char* what);
void write_block(hid_t dataset, hid_t type, const std::vector<hsize_t>& start,
                 const std::vector<hsize_t>& size, const void* from, const char* what);

}  // namespace wavesim::hdf5
