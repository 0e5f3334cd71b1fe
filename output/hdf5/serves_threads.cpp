#include "output/hdf5/serves_threads.hpp"

#include <hdf5.h>

namespace wavesim::hdf5 {

bool serves_threads() {
  hbool_t safe = false;
  return H5is_library_threadsafe(&safe) >= 0 && safe;
}

}  // namespace wavesim::hdf5
