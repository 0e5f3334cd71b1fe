// What Flegar et al. measure of block-Jacobi on matrices of the SuiteSparse collection (2017, 2019): iterations over the size
// of the blocks; with IDR the share of the blocks in each precision, iterations with adaptive storage beside those in double
// precision, and the energy that their model foresees. Compiled for the host and for CUDA.

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "bench/papers/flegar.hpp"
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/matrices/matrix_market.hpp"
#include "solvers/preconditioners/block_jacobi.hpp"

namespace wavesim::flegar {

namespace {

struct Solved {
  std::optional<int> iterations;
  std::string why;  // there are none
  BlockDistribution blocks;
  std::string text() const { return iterations ? std::to_string(*iterations) : why; }
};

Solved solve(Backend& be, const HostCsr& matrix, const std::string& method,
             const PreconditionerOptions& preconditioner) try {
  const auto A = make_operator<Backend, double>("csr", be, matrix);
  SolverOptions o;
  o.method = method;
  o.norm = "relative-2";
  o.tolerance = 1e-6;
  o.max_iterations = 10000;
  o.preconditioner = preconditioner;
  const auto M = make_preconditioner<Backend, double>(preconditioner, be, *A);
  const auto solver = make_solver<Backend, double>(o, be, *A);
  Field<Backend, double> b(be, A->extent()), x(be, A->extent());
  std::vector<double> values(b.memory().size(), 0);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < matrix.rows; ++i) values[std::size_t(A->extent().pitch) + i] = uniform(random);
  b.memory().upload(values);
  const Report report = solver->solve(*A, M.get(), b, x, true);
  Solved solved;
  if (report.converged())
    solved.iterations = report.iterations;
  else
    solved.why = word(report.status);
  if (const auto* blocks = dynamic_cast<BlockJacobiPreconditioner<Backend, double>*>(M.get()))
    solved.blocks = blocks->distribution();
  return solved;
} catch (const SolveError& e) {
  const bool singular = std::string(e.what()).find("singular") != std::string::npos;
  return {{}, singular ? "singular" : "not-finite", {}};
} catch (const InputError&) {
  return {{}, "refused", {}};  // a zero on the diagonal, by which scalar Jacobi divides
}

PreconditionerOptions scalar(const char* type) {
  PreconditionerOptions o;
  o.type = type;
  return o;
}
PreconditionerOptions supervariables(int block, const char* storage) {
  return block_jacobi(block, "gauss-jordan", storage, "supervariable");
}

void print_sizes(Backend& be, const std::string& name, const HostCsr& matrix) {
  const std::string method = is_symmetric(matrix) ? "cg" : "bicgstab";
  std::printf("%-36s %7d %8zu %-8s", name.c_str(), matrix.rows, matrix.column.size(), method.c_str());
  const auto column = [&](const PreconditionerOptions& o) {
    std::printf(" %14s", solve(be, matrix, method, o).text().c_str());
  };
  for (const char* type : {"none", "jacobi"}) column(scalar(type));
  for (int block : {8, 16, 24, 32}) column(supervariables(block, "double"));
  std::printf("\n");
  std::fflush(stdout);
}

/// Bits that an iteration moves, each a unit of energy: 14 n + 2 n + nz + 2 n doubles, n + nz integers of 32 bits, and the
/// stored blocks.
double energy_of_iteration(const HostCsr& matrix, const BlockDistribution& blocks) {
  const double n = matrix.rows, nz = double(matrix.column.size());
  return 64 * (18 * n + nz) + 32 * (n + nz) + 8 * blocks.stored;
}

/// Sums over all matrices.
struct Summary {
  int matrices = 0;
  std::map<std::string, int> solved;
  std::array<double, 3> shares{};  // half, single, double
  std::vector<double> increases, savings;
};

void print_idr(Backend& be, const std::string& name, const HostCsr& matrix, Summary& all) {
  const Solved none = solve(be, matrix, "idr", scalar("none")),
               jacobi = solve(be, matrix, "idr", scalar("jacobi")),
               full = solve(be, matrix, "idr", supervariables(32, "double")),
               adaptive = solve(be, matrix, "idr", supervariables(32, "adaptive"));
  ++all.matrices;
  const std::pair<const char*, const Solved*> ways[] = {
      {"none", &none}, {"jacobi", &jacobi}, {"block", &full}, {"adaptive", &adaptive}};
  std::printf("%-36s", name.c_str());
  for (const auto& [way, solved] : ways) {
    all.solved[way] += solved->iterations.has_value();
    std::printf(" %14s", solved->text().c_str());
  }
  const BlockDistribution& d = adaptive.blocks;
  const double blocks = d.half + d.single + d.full;
  if (blocks > 0) {
    const double shares[] = {d.half / blocks, d.single / blocks, d.full / blocks};
    for (int k = 0; k < 3; ++k) {
      all.shares[std::size_t(k)] += shares[k];
      std::printf(" %6.1f %%", 100 * shares[k]);
    }
  }
  if (full.iterations && adaptive.iterations) {
    const double more = double(*adaptive.iterations) / *full.iterations - 1,
                 each = energy_of_iteration(matrix, d) / energy_of_iteration(matrix, full.blocks);
    all.increases.push_back(more);
    all.savings.push_back(1 - (1 + more) * each);
    std::printf(" %+7.1f %% %9.1f %% %9.1f %%", 100 * more, 100 * (1 - each), 100 * all.savings.back());
  }
  std::printf("\n");
  std::fflush(stdout);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print(const Summary& all) {
  std::printf("of %d matrices IDR solves", all.matrices);
  for (const char* way : {"none", "jacobi", "block", "adaptive"})
    std::printf(" %d with %s,", all.solved.at(way), way);
  const double few =
      double(std::count_if(all.increases.begin(), all.increases.end(), [](double m) { return m <= 0.05; }));
  std::printf("\nshares of the blocks, mean over matrices: %.1f %% half, %.1f %% single, %.1f %% double\n",
              100 * all.shares[0] / all.matrices, 100 * all.shares[1] / all.matrices,
              100 * all.shares[2] / all.matrices);
  std::printf(
      "iterations with adaptive storage: at most 5 %% more for %.0f of %zu matrices, median %+.1f %%\n", few,
      all.increases.size(), 100 * median(all.increases));
  std::printf("energy foreseen with adaptive storage: median %.1f %% less\n", 100 * median(all.savings));
}

void iterations(const Files& files) {
  Backend be;
  const auto each = [&](const auto& f) {
    for (const auto& file : files) try {
        f(matrix_name(file), read_matrix_market(file));
      } catch (const InputError& e) {
        std::printf("%-36s %s\n", matrix_name(file).c_str(), e.what());
      }
  };
  std::printf(
      "iterations to 1e-6 of |b|, b random; block-jacobi with supervariables of at most so many rows\n");
  std::printf("%-36s %7s %8s %-8s %14s %14s %14s %14s %14s %14s\n", "matrix", "rows", "entries", "method",
              "none", "jacobi", "8", "16", "24", "32");
  each([&](const std::string& name, const HostCsr& matrix) { print_sizes(be, name, matrix); });
  std::printf(
      "\nIDR to 1e-6 of |b|; block-jacobi with supervariables of at most 32 rows, in double precision and "
      "adaptive;\n"
      "the shares of its blocks; iterations more; energy less by the model, of an iteration and of the "
      "solve\n");
  std::printf("%-36s %14s %14s %14s %14s %8s %8s %8s %9s %11s %11s\n", "matrix", "none", "jacobi", "double",
              "adaptive", "half", "single", "double", "more", "iteration", "solve");
  Summary all;
  each([&](const std::string& name, const HostCsr& matrix) { print_idr(be, name, matrix, all); });
  if (all.matrices > 0) print(all);
}

}  // namespace

#ifdef __CUDACC__
void iterations_cuda(const Files& files) { iterations(files); }
#else
void iterations_host(const Files& files) { iterations(files); }
#endif

}  // namespace wavesim::flegar
