// ParICT, the Cholesky factor of ParILUT: L of A ~ L L' on a pattern that grows where it is large and is thinned
// out again (Anzt, Ribizel, Flegar, Chow & Dongarra, "ParILUT - a parallel threshold ILU for GPUs", IPDPS 2019).
// Compiled once for each backend (levels.cpp says why).
#include "kernels/backend/backend.hpp"
#include "solvers/factorisation/factorisation.hpp"
#include "solvers/factorisation/growing_pattern.hpp"
#include "solvers/factorisation/ic.hpp"
#include "solvers/factorisation/product_pattern.hpp"

namespace wavesim {

/// In units of the square root of a_ii, which the squares of a whole row of the factor add up to: sizes that
/// scaling of A to D A D does not change.
struct CholeskyUnits {
  HD double of_row(const SparseRowsView&, const SparseRowsView& a, int i) const {
    return a.start[i] < a.start[i + 1] ? std::sqrt(a.value[a.start[i + 1] - 1]) : 1;
  }
  HD bool apply(int, int) const { return true; }
};

template <class B>
struct GrowingCholesky {
  B& be;
  CholeskyUnits units;

  SparseRows<B> candidates(const SparseRows<B>& L) const {
    return pattern_of_product(be, L, transposed(be, L), "take a smaller fill for parict", LowerEntries{});
  }
  void sweep(SparseRows<B>& P, int count, Buffer<B, double> start) const {
    sweep_cholesky(be, "ParICT", P, count, std::move(start), false);
  }
};

template <class B, class T>
SparseRows<B> parict(B& be, const Csr<B, T>& A, int n, double fill, int rounds, int sweeps,
                     Levels<B>& levels) {
  const SparseRows<B> a = lower_part(be, "ParICT", A, n);
  SparseRows<B> L =
      grown_factors(be, a, fill, rounds, scaled_lower_part(be, a), GrowingCholesky<B>{be, CholeskyUnits{}});
  Buffer<B, double> start = std::move(L.value);
  L.value = values_on(be, L, a);
  if (sweeps > 0)
    sweep_cholesky(be, "ParICT", L, sweeps, std::move(start));
  else
    factorise_cholesky(be, "ParICT", L, levels);
  return L;
}

template SparseRows<Backend> parict(Backend&, const Csr<Backend, double>&, int, double, int, int,
                                    Levels<Backend>&);
template SparseRows<Backend> parict(Backend&, const Csr<Backend, float>&, int, double, int, int,
                                    Levels<Backend>&);

}  // namespace wavesim
