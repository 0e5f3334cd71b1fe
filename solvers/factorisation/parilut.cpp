// ParILUT, incomplete LU factors on a pattern that grows where they are large and is thinned out again (Anzt,
// Chow & Dongarra, SIAM J. Sci. Comput. 40, 2018). Compiled once for each backend (levels.cpp says why).
#include "kernels/backend/backend.hpp"
#include "solvers/factorisation/factorisation.hpp"
#include "solvers/factorisation/growing_pattern.hpp"
#include "solvers/factorisation/ilu.hpp"
#include "solvers/factorisation/product_pattern.hpp"

namespace wavesim {

/// Those of U in units of the diagonal of their row: those of L have a diagonal of ones.
struct LuUnits {
  HD double of_row(const SparseRowsView& f, const SparseRowsView&, int i) const {
    double diagonal = 1;
    for (int k = f.start[i]; k < f.start[i + 1]; ++k)
      if (f.column[k] == i) diagonal = f.value[k];
    return diagonal;
  }
  HD bool apply(int i, int j) const { return j >= i; }
};

template <class B>
struct GrowingLu {
  B& be;
  LuUnits units;

  SparseRows<B> candidates(const SparseRows<B>& F) const {
    const SparseRows<B> L = triangle_of(be, F, Triangle::lower, true),
                        U = triangle_of(be, F, Triangle::upper, false);
    return pattern_of_product(be, L, U, "take a smaller fill for parilut");
  }
  void sweep(SparseRows<B>& P, int count, Buffer<B, double> start) const {
    sweep_factors(be, "ParILUT", P, count, std::move(start), false);
  }
};

template <class B, class T>
SparseRows<B> parilut(B& be, const Csr<B, T>& A, int n, double fill, int rounds, int sweeps,
                      Levels<B>& levels) {
  const SparseRows<B> a = sorted_part(be, A.view(), n, AllEntries{});
  SparseRows<B> F = grown_factors(be, a, fill, rounds, values_in<double>(be, a), GrowingLu<B>{be, LuUnits{}});
  Buffer<B, double> start = std::move(F.value);
  F.value = values_on(be, F, a);
  if (sweeps > 0)
    sweep_factors(be, "ParILUT", F, sweeps, std::move(start));
  else
    factorise(be, "ParILUT", F, levels);
  return F;
}

template SparseRows<Backend> parilut(Backend&, const Csr<Backend, double>&, int, double, int, int,
                                     Levels<Backend>&);
template SparseRows<Backend> parilut(Backend&, const Csr<Backend, float>&, int, double, int, int,
                                     Levels<Backend>&);

}  // namespace wavesim
