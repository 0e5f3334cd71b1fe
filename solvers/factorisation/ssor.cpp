// SSOR as a product of triangles (Saad, Iterative Methods, 10.2):
// M = omega / (2 - omega) (D / omega + L) D^-1 (D / omega + U), the first of them and the rest.
// Compiled once for each backend (levels.cpp says why).
#include "kernels/backend/backend.hpp"
#include "solvers/factorisation/factorisation.hpp"
#include "solvers/factorisation/sorted_part.hpp"

namespace wavesim {

template <class B, class T>
SparseRows<B> ssor_lower(B& be, const Csr<B, T>& A, int n, double omega) {
  SparseRows<B> L = sorted_part(be, A.view(), n, LowerEntries{});
  const SparseRowsView l = L.view();
  each(be, "D / omega + L", n, 16, [=] KERNEL(int i) {
    for (int k = l.start[i]; k < l.start[i + 1]; ++k)
      if (l.column[k] == i) l.value[k] /= omega;
  });
  return L;
}
template <class B, class T>
SparseRows<B> ssor_upper(B& be, const Csr<B, T>& A, int n, double omega) {
  SparseRows<B> U = sorted_part(be, A.view(), n, UpperEntries{});
  const SparseRowsView u = U.view();
  const double unit = 1 / (2 - omega), weight = omega / (2 - omega);
  each(be, "D^-1 (D / omega + U), weighted", n, 16, [=] KERNEL(int i) {
    double d = 1;
    for (int k = u.start[i]; k < u.start[i + 1]; ++k)
      if (u.column[k] == i) d = u.value[k];
    for (int k = u.start[i]; k < u.start[i + 1]; ++k)
      u.value[k] = u.column[k] == i ? unit : weight * u.value[k] / d;
  });
  return U;
}

template SparseRows<Backend> ssor_lower(Backend&, const Csr<Backend, double>&, int, double);
template SparseRows<Backend> ssor_upper(Backend&, const Csr<Backend, double>&, int, double);
template SparseRows<Backend> ssor_lower(Backend&, const Csr<Backend, float>&, int, double);
template SparseRows<Backend> ssor_upper(Backend&, const Csr<Backend, float>&, int, double);

}  // namespace wavesim
