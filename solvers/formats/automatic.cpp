// `auto`: the format that reads the fewest bytes.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/formats/format.hpp"
#include "solvers/matrices/choose_format.hpp"

namespace wavesim {

template <class B, class T>
FormatOn<B, T> chosen_format() {
  const FormatOn<B, T> computed = stencil_format<B, T>();
  return {{.name = "auto", .text = "stencil for the wave system; for a matrix, by the lengths of its rows"},
          computed.constant,
          computed.varying,
          computed.nine_point,
          computed.constant_nine_point,
          [](B& be, const HostCsr& matrix) {
            return make_operator<B, T>(choose_format(matrix).name, be, matrix);
          }};
}

WAVESIM_FORMAT(chosen_format)

}  // namespace wavesim
