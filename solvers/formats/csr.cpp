// `csr` (kernels/formats/csr.hpp).
#include "kernels/formats/csr.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/formats/format.hpp"

namespace wavesim {

template <class B, class T>
FormatOn<B, T> csr_format() {
  return format_of<Csr<B, T>, B, T>(
      {.name = "csr", .text = "compressed sparse rows", .values = 5, .indices = 6, .periodic_values = 5});
}

WAVESIM_FORMAT(csr_format)

}  // namespace wavesim
