// `csr-merge` (kernels/formats/csr_merge.hpp).
#include "kernels/formats/csr_merge.hpp"
#include "kernels/backend/backend.hpp"
#include "solvers/formats/format.hpp"

namespace wavesim {

template <class B, class T>
FormatOn<B, T> csr_merge_format() {
  return format_of<CsrMerge<B, T>, B, T>({.name = "csr-merge",
                                          .text = "csr in tiles of about as many entries each (Merrill & "
                                                  "Garland 2016); rows of very different lengths",
                                          .values = 5,
                                          .indices = 6,
                                          .periodic_values = 5,
                                          .kept = 1});
}

WAVESIM_FORMAT(csr_merge_format)

}  // namespace wavesim
