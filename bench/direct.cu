// bench_direct [--repetitions K] [n ...]: a sparse direct solve by cuSOLVER (Cholesky and QR, after a symamd
// reordering) beside our own ways of solving the five-point system of the fixed membrane, 1 + 4a and -a at a
// = 50, n x n points, in double precision. A direct solve of cuSOLVER takes its matrix whole: reordering,
// analysis, factorisation and the two triangular solves are one call.

#define DISABLE_CUSOLVER_DEPRECATED  // NVIDIA points to cuDSS, which is no part of the toolkit
#include <cusolverSp.h>

#include <cmath>
#include <cstdio>

#include "bench/membrane.hpp"
#include "bench/peer.hpp"
#include "bench/program.hpp"
#include "bench/timing.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "solvers/catalogue/make.hpp"

namespace wavesim {

namespace {

constexpr double a = 50;

void line(int n, const char* what, double seconds, double set_up, int iterations, double residual) {
  std::printf("%5d  %-34s %10.3f ms", n, what, seconds * 1e3);
  if (iterations > 0)
    std::printf("  %3d iterations, set-up %8.3f ms", iterations, set_up * 1e3);
  else
    std::printf("  %-37s", "whole");
  std::printf(", true residual %.2g\n", residual);
  std::fflush(stdout);
}

/// Without padding, points row by row.
HostCsr matrix_of(int n) { return five_point_matrix(n, {-a, -a, 1 + 4 * a, -a, -a}); }

std::vector<double> points_of(const Field<Backend, double>& f) {
  const Extent e = f.extent();
  const std::vector<double> all = f.memory().download();
  std::vector<double> v;
  for (int row = 0; row < e.ny; ++row)
    for (int col = 0; col < e.nx; ++col) v.push_back(all[std::size_t(row + 1) * e.pitch + col]);
  return v;
}

double norm(const std::vector<double>& v) {
  double sum = 0;
  for (double x : v) sum += x * x;
  return std::sqrt(sum);
}

void by_cusolver(Backend& be, int n, const std::vector<double>& b, int repetitions) {
  const HostCsr host = matrix_of(n);
  const Csr<Backend, double> A(be, host);
  Buffer<Backend, double> rhs(be, b.size()), x(be, b.size());
  rhs.upload(b);
  cusolverSpHandle_t solver = nullptr;
  cusparseMatDescr_t kind = nullptr;
  PEER(cusolverSpCreate(&solver));
  PEER(cusolverSpSetStream(solver, be.stream()));
  PEER(cusparseCreateMatDescr(&kind));
  constexpr int symamd = 2;
  const CsrView<double> v = A.view();
  for (bool cholesky : {true, false}) {
    int singular = -1;
    const double seconds = median_wall_seconds(be, repetitions, [&] {
      const auto call = cholesky ? cusolverSpDcsrlsvchol : cusolverSpDcsrlsvqr;
      PEER(call(solver, host.rows, int(A.entries()), kind, v.value, v.start, v.column, rhs.data(), 1e-14,
                symamd, x.data(), &singular));
    });
    if (singular >= 0) throw SolveError("cuSOLVER calls the matrix singular");
    std::vector<double> r = multiply(host, x.download());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
    line(n, cholesky ? "cuSOLVER csrlsvchol, symamd" : "cuSOLVER csrlsvqr, symamd", seconds, 0, 0,
         norm(r) / norm(b));
  }
  cusparseDestroyMatDescr(kind);
  cusolverSpDestroy(solver);
}

void by_us(Backend& be, const Operator<Backend, double>& A, const Field<Backend, double>& b, int n,
           int repetitions, const char* method, const char* preconditioner) {
  SolverOptions o;
  o.method = method;
  o.preconditioner.type = preconditioner;
  o.norm = "relative-2";
  o.tolerance = 1e-12;
  o.max_iterations = 4000;
  const auto M = make_preconditioner<Backend, double>(o.preconditioner, be, A);
  const auto solver = make_solver<Backend, double>(o, be, A);
  Field<Backend, double> x(be, A.extent());
  Report r, first;
  bool known = false;
  const double seconds = median_wall_seconds(
      be, repetitions,
      [&] {
        r = solver->solve(A, M.get(), b, x, true);
        if (!known) first = r;
        known = true;
      },
      [&] { be.zero(x.memory().data(), x.memory().size()); });
  if (!r.converged()) throw SolveError(std::string(method) + " ended with " + std::string(word(r.status)));
  const std::string name = std::string("ours: ") + method + (M ? std::string(" + ") + preconditioner : "");
  line(n, name.c_str(), seconds, first.setup_seconds, r.iterations, r.relative_residual());
}

void compare(int n, int repetitions) {
  Backend be;
  const Extent e = make_extent(n, n);
  const auto A = make_operator<Backend, double>("stencil", be, e, membrane<double>(e, a));
  A->assemble(0, 1);
  const auto b = random_field<double>(be, e, 1);
  by_cusolver(be, n, points_of(b), repetitions);
  by_us(be, *A, b, n, repetitions, "sine-transform", "none");
  by_us(be, *A, b, n, repetitions, "multigrid", "none");
  by_us(be, *A, b, n, repetitions, "cg", "multigrid");
  by_us(be, *A, b, n, repetitions, "cg", "none");
}

}  // namespace

}  // namespace wavesim

int main(int argc, char** argv) {
  using namespace wavesim;
  return run_program("bench_direct", "[--repetitions K] [n ...]", {"repetitions"}, argc, argv,
                     [](const CommandLine& line) {
                       if (!line.cuda) throw DeviceError("cuSOLVER needs a CUDA device");
                       std::vector<int> sizes;
                       for (const std::string& word : line.words)
                         sizes.push_back(CommandLine::whole(word, "n"));
                       if (sizes.empty()) sizes = {63, 127, 255};
                       std::printf("seconds by the host's clock, median; ours to 1e-12 of b\n");
                       for (int n : sizes) compare(n, line.number("repetitions", 5));
                     });
}
