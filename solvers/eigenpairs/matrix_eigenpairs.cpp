// Compiled twice: by the host compiler for OpenMP, and by nvcc for CUDA.
#include "solvers/eigenpairs/matrix_eigenpairs.hpp"

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/eigenpairs/lobpcg.hpp"
#include "solvers/eigenpairs/lobpcg_preconditioner.hpp"
#include "solvers/matrices/powers_of_two.hpp"

namespace wavesim {

namespace {

using Vector = Field<Backend, double>;
using Made = LobpcgPreconditioner<Backend>;

/// Factors first: they make K^-1, with which a few iterations suffice.
Made first_that_can_be_set_up(Backend& be, const Operator<Backend, double>& K) {
  const std::vector<PreconditionerOptions> ways{{direct_preconditioner, {}}, {"ic0", {}}, {"jacobi", {}}};
  for (const PreconditionerOptions& way : ways) {
    try {
      return Made(be, K, way);
    } catch (const InputError&) {  // a pivot, or no room
    } catch (const SolveError&) {  // K is singular
    }
  }
  return Made(be, K, {"none", {}});
}

HostCsr scaled_matrix(HostCsr A, int exponent) {
  A.value = scaled(std::move(A.value), exponent);
  return A;
}

std::vector<double> as_list(const Vector& x, int n) {
  const std::vector<double> all = x.memory().download();
  const auto first = all.begin() + x.extent().pitch;
  std::vector<double> v(first, first + n);
  const auto larger = [](double a, double b) { return std::abs(a) < std::abs(b); };
  if (*std::max_element(v.begin(), v.end(), larger) < 0)
    for (double& vi : v) vi = -vi;
  return v;
}

}  // namespace

#ifdef __CUDACC__
MatrixEigenpairs eigenpairs_on_cuda(
#else
MatrixEigenpairs eigenpairs_on_host(
#endif
    const HostCsr& K, const HostCsr* M, const EigenOptions& options,
    const PreconditionerOptions* preconditioner, const std::string& format) {
  Backend be;
  const int of_K = exponent_of(K.value), of_M = M ? exponent_of(M->value) & ~1 : 0;  // even: x takes half
  const auto stiffness = make_operator<Backend, double>(format, be, scaled_matrix(K, -of_K));
  const auto mass = M ? make_operator<Backend, double>(format, be, scaled_matrix(*M, -of_M)) : nullptr;
  const auto unknowns =
      field_of_list<Backend, double>(be, stiffness->extent(), std::vector<double>(std::size_t(K.rows), 1));

  const Made T =
      preconditioner ? Made(be, *stiffness, *preconditioner) : first_that_can_be_set_up(be, *stiffness);
  Lobpcg<Backend, double> lobpcg(be, *stiffness, mass.get(), T.get(), unknowns, options);
  MatrixEigenpairs result{T.run(be, lobpcg), {}};
  for (double& value : result.pairs.value) value = std::ldexp(value, of_K - of_M);
  for (int k = 0; k < options.count; ++k)
    result.vectors.push_back(scaled(as_list(lobpcg.vector(k), K.rows), -of_M / 2));
  return result;
}

}  // namespace wavesim
