// Krylov methods.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/krylov/bicg.hpp"
#include "solvers/krylov/bicgstab.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/cgs.hpp"
#include "solvers/krylov/fcg.hpp"
#include "solvers/krylov/fgmres.hpp"
#include "solvers/krylov/gmres.hpp"
#include "solvers/krylov/idr.hpp"
#include "solvers/krylov/pipelined_cg.hpp"
#include "solvers/krylov/tfqmr.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_krylov(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  if (o.method == "cg") return std::make_unique<Cg<B, T>>(be, A, o);
  if (o.method == "bicgstab") return std::make_unique<BiCgStab<B, T>>(be, A, o);
  if (o.method == "pipelined-cg") return std::make_unique<PipelinedCg<B, T>>(be, A, o);
  if (o.method == "bicg") return std::make_unique<BiCg<B, T>>(be, A, o);
  if (o.method == "gmres") return std::make_unique<Gmres<B, T>>(be, A, o);
  if (o.method == "fgmres") return std::make_unique<Fgmres<B, T>>(be, A, o);
  if (o.method == "idr") return std::make_unique<Idr<B, T>>(be, A, o);
  if (o.method == "fcg") return std::make_unique<Fcg<B, T>>(be, A, o);
  if (o.method == "cgs") return std::make_unique<Cgs<B, T>>(be, A, o);
  if (o.method == "tfqmr") return std::make_unique<Tfqmr<B, T>>(be, A, o);
  return nullptr;
}

WAVESIM_METHODS(make_krylov)

}  // namespace wavesim
