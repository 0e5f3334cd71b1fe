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

template void product(Backend&, Rows, const CsrView<double>&, double, const char*, const char*,
                      const Field<Backend, double>&, Field<Backend, double>&, Dots<double>, double*);
template void product(Backend&, Rows, const CsrView<float>&, double, const char*, const char*,
                      const Field<Backend, float>&, Field<Backend, float>&, Dots<float>, double*);

}  // namespace wavesim
