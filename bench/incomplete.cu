// bench_incomplete [--repetitions K] [n ...]: ILU(0) of the five-point system of the fixed membrane, 1 + 4a
// and -a at a = 50, n x n points, in double precision, where the matrix is: exact by levels, by sweeps over
// all rows at once, and by cuSPARSE. Then what a preconditioner's whole set-up takes, which the analysis for
// its triangular solves is part of, and the iterations that it leaves.

#define DISABLE_CUSPARSE_DEPRECATED
#include <cusparse.h>

#include <cmath>
#include <cstdio>

#include "bench/peer.hpp"
#include "bench/program.hpp"
#include "bench/timing.hpp"
#include "kernels/backend/backend.hpp"
#include "kernels/formats/five_point_csr.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "solvers/factorisation/factorisation.hpp"

namespace wavesim {

namespace {

constexpr double a = 50;

void line(int n, const std::string& what, double seconds, const std::string& more) {
  std::printf("%5d  %-44s %10.3f ms  %s\n", n, what.c_str(), seconds * 1e3, more.c_str());
  std::fflush(stdout);
}

/// The largest difference of the factors' elements, to the largest of them.
std::string distance(const std::vector<double>& F, const std::vector<double>& exact) {
  double most = 0, difference = 0;
  for (std::size_t k = 0; k < F.size(); ++k) {
    most = std::max(most, std::abs(exact[k]));
    difference = std::max(difference, std::abs(F[k] - exact[k]));
  }
  char text[80];
  std::snprintf(text, sizeof text, "farthest element %.2g of the largest", difference / most);
  return text;
}

void by_cusparse(Backend& be, int n, const Csr<Backend, double>& A, int rows, int repetitions,
                 const std::vector<double>& exact) {
  const CsrView<double> v = A.view();
  const int entries = int(A.entries());
  Buffer<Backend, double> value(be, entries);
  const auto fresh_values = [&] {
    const double* from = v.value;
    double* to = value.data();
    each(be, "a copy", entries, 16, [=] KERNEL(int k) { to[k] = from[k]; });
  };
  cusparseHandle_t handle = nullptr;
  cusparseMatDescr_t kind = nullptr;
  PEER(cusparseCreate(&handle));
  PEER(cusparseSetStream(handle, be.stream()));
  PEER(cusparseCreateMatDescr(&kind));
  csrilu02Info_t info = nullptr;
  const auto run = [&](bool factorise) {
    PEER(cusparseCreateCsrilu02Info(&info));
    int bytes = 0;
    PEER(cusparseDcsrilu02_bufferSize(handle, rows, entries, kind, value.data(), v.start, v.column, info,
                                      &bytes));
    const Buffer<Backend, char> work(be, bytes);
    PEER(cusparseDcsrilu02_analysis(handle, rows, entries, kind, value.data(), v.start, v.column, info,
                                    CUSPARSE_SOLVE_POLICY_USE_LEVEL, work.data()));
    if (factorise)
      PEER(cusparseDcsrilu02(handle, rows, entries, kind, value.data(), v.start, v.column, info,
                             CUSPARSE_SOLVE_POLICY_USE_LEVEL, work.data()));
    be.synchronize();
    PEER(cusparseDestroyCsrilu02Info(info));
  };
  const double analysis = median_wall_seconds(
      be, repetitions, [&] { run(false); }, fresh_values);
  const double all = median_wall_seconds(
      be, repetitions, [&] { run(true); }, fresh_values);
  line(n, "cuSPARSE csrilu02, analysis", analysis, "");
  line(n, "cuSPARSE csrilu02, analysis and factors", all, distance(value.download(), exact));
  cusparseDestroyMatDescr(kind);
  cusparseDestroy(handle);
}

void preconditioner(Backend& be, int n, const Operator<Backend, double>& A, const char* method,
                    const char* type, int sweeps, int repetitions) {
  SolverOptions o;
  o.method = method;
  o.preconditioner.type = type;
  o.preconditioner.choices.numbers[std::string(option::factor_sweeps.name)] = sweeps;
  o.norm = "relative-2";
  o.tolerance = 1e-8;
  o.max_iterations = 2000;
  std::unique_ptr<Preconditioner<Backend, double>> M;
  const double seconds = median_wall_seconds(be, repetitions, [&] {
    M = nullptr;
    M = make_preconditioner<Backend, double>(o.preconditioner, be, A);
    M->prepare(A);
  });
  const auto solver = make_solver<Backend, double>(o, be, A);
  Field<Backend, double> b(be, A.extent()), x(be, A.extent());
  double* p = b.data();
  be.rows("b", A.extent(), 8, [=] KERNEL(Row r) { p[r.i] = 1; });
  const Report report = solver->solve(A, M.get(), b, x, true);
  const std::string how = sweeps > 0 ? by_sweeps(sweeps) : ", exact";
  line(n, std::string("set-up of ") + type + how, seconds,
       std::string(method) + ": " + std::to_string(report.iterations) + " iterations, " +
           std::string(word(report.status)));
}

void compare(int n, int repetitions) {
  Backend be;
  const HostCsr host = five_point_matrix(n, {-a, -a, 1 + 4 * a, -a, -a});
  std::vector<double> exact;
  {
    const Csr<Backend, double> A(be, host);
    SparseRows<Backend> F;
    Levels<Backend> levels;
    const double seconds = median_wall_seconds(
        be, repetitions, [&] { F = ilu0(be, A, host.rows, levels); }, [&] { F = {}; });
    exact = F.value.download();
    line(n, "ILU(0), exact", seconds, std::to_string(levels.count) + " levels");
    for (const int sweeps : {1, 3, 5, 10}) {
      const double by = median_wall_seconds(
          be, repetitions, [&] { F = ilu0_by_sweeps(be, A, host.rows, sweeps); }, [&] { F = {}; });
      line(n, "ILU(0)" + by_sweeps(sweeps), by, distance(F.value.download(), exact));
    }
    F = {};
    by_cusparse(be, n, A, host.rows, repetitions, exact);
  }
  const auto A = make_operator<Backend, double>("csr", be, host);
  for (const int sweeps : {0, 1, 3, 5}) preconditioner(be, n, *A, "bicgstab", "ilu0", sweeps, repetitions);
  for (const int sweeps : {0, 3}) preconditioner(be, n, *A, "cg", "ic0", sweeps, repetitions);
  for (const int sweeps : {0, 3}) preconditioner(be, n, *A, "cg", "isai", sweeps, repetitions);
}

}  // namespace

}  // namespace wavesim

int main(int argc, char** argv) {
  using namespace wavesim;
  return run_program("bench_incomplete", "[--repetitions K] [n ...]", {"repetitions"}, argc, argv,
                     [](const CommandLine& line) {
                       if (!line.cuda) throw DeviceError("cuSPARSE needs a CUDA device");
                       std::vector<int> sizes;
                       for (const std::string& word : line.words)
                         sizes.push_back(CommandLine::whole(word, "n"));
                       if (sizes.empty()) sizes = {1024, 4096};
                       std::printf("milliseconds by the host's clock, median; solves to 1e-8 of b\n");
                       for (int n : sizes) compare(n, line.number("repetitions", 5));
                     });
}
