#include "output/hdf5/block.hpp"

namespace wavesim::hdf5 {

namespace {

struct Block {
  Handle there, here;  // in the file, and in memory
};
Block block_of(hid_t dataset, const std::vector<hsize_t>& start, const std::vector<hsize_t>& size,
               const char* what) {
  Block b{Handle(H5Dget_space(dataset), H5Sclose, what),
          Handle(H5Screate_simple(int(size.size()), size.data(), nullptr), H5Sclose, what)};
  check(H5Sselect_hyperslab(b.there, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr), what);
  return b;
}

}  // namespace

void read_block(hid_t dataset, hid_t type, const std::vector<hsize_t>& start,
                const std::vector<hsize_t>& size, void* to, const char* what) {
  const Block b = block_of(dataset, start, size, what);
  check(H5Dread(dataset, type, b.here, b.there, H5P_DEFAULT, to), what);
}

void write_block(hid_t dataset, hid_t type, const std::vector<hsize_t>& start,
                 const std::vector<hsize_t>& size, const void* from, const char* what) {
  const Block b = block_of(dataset, start, size, what);
  check(H5Dwrite(dataset, type, b.here, b.there, H5P_DEFAULT, from), what);
}

}  // namespace wavesim::hdf5
