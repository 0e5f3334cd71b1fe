#include "sim/input/hdf5_stored.hpp"

#include <algorithm>

namespace wavesim::hdf5 {

void require_stored(hid_t dataset, double values, const std::string& path, double unwritten) {
  const Handle type(H5Dget_type(dataset), H5Tclose, path.c_str());
  constexpr double inflated = 4 * 1032;  // gzip makes at most 1032 bytes of one
  // What it says of stored bytes may be damaged, too.
  const Handle file(H5Iget_file_id(dataset), H5Fclose, path.c_str());
  hsize_t whole = 0;
  check(H5Fget_filesize(file, &whole), path.c_str());
  const double stored = double(std::min(H5Dget_storage_size(dataset), whole));
  if (values * double(H5Tget_size(type)) > inflated * stored + unwritten)
    throw Failure(path + " announces more values than the file holds");
}

bool packs_at_most_as_gzip(hid_t dataset) {
  const Handle made(H5Dget_create_plist(dataset), H5Pclose);
  if (!made.open() || H5Pget_layout(made) == H5D_VIRTUAL || H5Pget_external_count(made) != 0) return false;
  const int filters = H5Pget_nfilters(made);
  for (int k = 0; k < filters; ++k) {
    unsigned flags = 0, settings = 0;
    std::size_t no_values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(made, unsigned(k), &flags, &no_values, nullptr, 0, nullptr, &settings);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      return false;
  }
  return filters >= 0;
}

}  // namespace wavesim::hdf5
