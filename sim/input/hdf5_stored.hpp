#pragma once
// Whether a file holds what it announces: a damaged one may announce any size.

#include "sim/input/hdf5_handle.hpp"

namespace wavesim::hdf5 {

/// That the bytes of a dataset in the file, packed by gzip at most, can be so many values, whatever its shape says: before
/// memory for them is taken. `unwritten`: bytes that may be missing, of rows that were not written when a run was killed.
/// Throws Failure.
void require_stored(hid_t dataset, double values, const std::string& path, double unwritten = 16 << 20);

/// Whether that is known to bound it: no other filter packs its values, and they are in this file.
bool packs_at_most_as_gzip(hid_t dataset);

}  // namespace wavesim::hdf5
