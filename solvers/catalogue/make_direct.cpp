// Direct solvers.
#include "solvers/preconditioners/sine_transform.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_direct_preconditioner(const PreconditionerOptions& o, B& be,
                                                                 const Operator<B, T>& A) {
  if (o.type == "sine-transform") return std::make_unique<SineTransform<B, T>>(be, A);
  return nullptr;
}

WAVESIM_PRECONDITIONERS(make_direct_preconditioner)

}  // namespace wavesim
