// Direct solvers.
#include "solvers/preconditioners/sine_transform.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"

namespace wavesim {

namespace {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_sine_transform(const PreconditionerOptions&, B& be,
                                                          const Operator<B, T>& A) {
  return std::make_unique<SineTransform<B, T>>(be, A);
}

}  // namespace

template <class B, class T>
Preconditioners<B, T> direct_preconditioners() {
  return {
      {{.name = "sine-transform",
        .text = "fast Fourier transforms that solve the system of the mean medium; exact for a constant one",
        .work = {.kept = 1.5, .moved = 15, .kernels = 14},
        .structure = Structure::five_point},
       make_sine_transform<B, T>},
  };
}

WAVESIM_PRECONDITIONERS(direct_preconditioners)

}  // namespace wavesim
