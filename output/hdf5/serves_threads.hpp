#pragma once
namespace wavesim::hdf5 {

/// Whether several threads may use the HDF5 library at the same time.
bool serves_threads();

}  // namespace wavesim::hdf5
