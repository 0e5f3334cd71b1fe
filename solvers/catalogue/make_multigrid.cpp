// Multigrid.
#include "solvers/multigrid/multigrid.hpp"

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/catalogue/option_list.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_multigrid(const PreconditionerOptions& o, B& be,
                                                     const Operator<B, T>& A) {
  if (o.type != "multigrid") return nullptr;
  if constexpr (std::is_same_v<T, double>)
    if (o.choices.word(option::arithmetic) == "single")
      return std::make_unique<Multigrid<B, T, float>>(be, A);
  return std::make_unique<Multigrid<B, T>>(be, A);
}

WAVESIM_PRECONDITIONERS(make_multigrid)

}  // namespace wavesim
