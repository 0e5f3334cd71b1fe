#pragma once
// `format: auto` for a matrix that knows no grid.

#include <string>

#include "kernels/formats/host_csr.hpp"

namespace wavesim {

struct FormatChoice {
  std::string name, why;  // one sentence
};

/// From the lengths of the rows and the number of diagonals: the format that reads the fewest bytes.
FormatChoice choose_format(const HostCsr& matrix);

}  // namespace wavesim
