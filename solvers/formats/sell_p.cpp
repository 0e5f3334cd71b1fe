// `sell-p` (kernels/formats/sell_p.hpp).
#include "kernels/formats/sell_p.hpp"
#include "kernels/backend/backend.hpp"
#include "kernels/formats/converted.hpp"
#include "solvers/formats/format.hpp"

namespace wavesim {

template <class B, class T>
FormatOn<B, T> sell_p_format() {
  return format_of<Converted<B, T, SellP<B, T>>, B, T>(
      {.name = "sell-p",
       .text = "the same in slices of 64 rows, each as wide as its longest (Anzt 2014)",
       .values = 6,
       .indices = 6,
       .periodic_values = 6});
}

WAVESIM_FORMAT(sell_p_format)

}  // namespace wavesim
