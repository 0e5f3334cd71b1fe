// `hybrid` (kernels/formats/hybrid.hpp).
#include "kernels/formats/hybrid.hpp"
#include "kernels/backend/backend.hpp"
#include "kernels/formats/converted.hpp"
#include "solvers/formats/format.hpp"

namespace wavesim {

template <class B, class T>
FormatOn<B, T> hybrid_format() {
  return format_of<Converted<B, T, Hybrid<B, T>>, B, T>(
      {.name = "hybrid",
       .text = "ell for what most rows have, csr for the rest of the long ones (Bell & Garland 2009)",
       .values = 5,
       .indices = 6,
       .periodic_values = 5});
}

WAVESIM_FORMAT(hybrid_format)

}  // namespace wavesim
