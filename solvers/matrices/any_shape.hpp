#pragma once
#include "kernels/formats/host_csr.hpp"

namespace wavesim {

/// A matrix of any shape. If it is not square, rows or columns of zeros make it so.
struct MatrixOfAnyShape {
  HostCsr square;
  int rows = 0, columns = 0;  // without those
};

}  // namespace wavesim
