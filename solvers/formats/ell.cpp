// `ell` (kernels/formats/ell.hpp).
#include "kernels/formats/ell.hpp"
#include "kernels/backend/backend.hpp"
#include "kernels/formats/converted.hpp"
#include "solvers/formats/format.hpp"

namespace wavesim {

template <class B, class T>
FormatOn<B, T> ell_format() {
  return format_of<Converted<B, T, Ell<B, T>>, B, T>({.name = "ell",
                                                      .text = "column-major rows, all as long as the longest",
                                                      .values = 5,
                                                      .indices = 5,
                                                      .periodic_values = 5});
}

WAVESIM_FORMAT(ell_format)

}  // namespace wavesim
