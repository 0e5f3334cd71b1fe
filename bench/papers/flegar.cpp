// What Flegar, Anzt, Dongarra, Higham and Quintana-Orti measure of block-Jacobi (2017, 2019): GFLOP/s and
// GB/s of batched inversion, factorisation and application over the size of the blocks, and iterations of
// solvers on matrices of the SuiteSparse collection. Compiled for the host, and through flegar.cu for CUDA
// with the batched routines of cuBLAS beside it.

#include "bench/papers/flegar.hpp"

#include <cstdio>
#include <functional>
#include <random>
#include <string>

#include "bench/timing.hpp"
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/matrices/matrix_market.hpp"
#include "solvers/preconditioners/block_jacobi.hpp"

namespace wavesim::flegar {

namespace {

template <class... F>
double seconds_of(Backend& be, const F&... work) {
  return median_seconds(be, 10, work...);
}

int count_of(const Batches& batches, int n) { return batches.count(n, Backend::asynchronous ? 40000 : 2000); }

void line(int n, const char* what, double seconds, double operations, double bytes) {
  std::printf("%2d  %-38s %10.4f ms %9.1f GFLOP/s %8.1f GB/s\n", n, what, seconds * 1e3,
              operations / seconds * 1e-9, bytes / seconds * 1e-9);
  std::fflush(stdout);
}

/// Dense blocks along a diagonal, random and with larger numbers on it, as many as fill the batch.
HostCsr random_blocks(int n, int count) {
  HostCsr A;
  A.rows = n * count;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int b = 0; b < count; ++b)
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        A.column.push_back(b * n + j);
        A.value.push_back(uniform(random) + (i == j ? n : 0));
      }
      A.start.push_back(int(A.column.size()));
    }
  return A;
}

PreconditionerOptions block_jacobi(int block, const char* variant, const char* storage, const char* blocks) {
  PreconditionerOptions o;
  o.type = "block-jacobi";
  o.choices.numbers["block"] = block;
  o.choices.words = {{"variant", variant}, {"storage", storage}, {"blocks", blocks}};
  return o;
}

constexpr const char* variants[] = {"gauss-jordan", "lu", "gauss-huard"};

void set_up(Backend& be, const HostCsr& matrix, int n, int count) {
  const Csr<Backend, double> A(be, matrix);
  std::vector<BlockPlace> places(count);
  for (int b = 0; b < count; ++b) {
    places[b].first = b * n;
    places[b].size = static_cast<unsigned char>(n);
    places[b].at = long(b) * n * n * 8;
  }
  Buffer<Backend, BlockPlace> where(be, count);
  where.upload(places);
  Buffer<Backend, char> values(be, std::size_t(count) * n * n * 8);
  Buffer<Backend, unsigned char> order(be, std::size_t(count) * n);
  Buffer<Backend, BlockState> states(be, count);
  for (int v = 0; v < 3; ++v) {
    const double s = seconds_of(be, [&] {
      factorise_blocks(be, BlockVariant(v), n, count, 0, A.view(), where.data(), values.data(), order.data(),
                       states.data(), nullptr, false);
    });
    const double cube = double(n) * n * n * count, operations = v == 0 ? 2 * cube : 2 * cube / 3;
    line(n, (std::string("extract, ") + variants[v]).c_str(), s, operations, 20.0 * n * n * count);
  }
}

void apply(Backend& be, const HostCsr& matrix, int n, int count) {
  const auto A = make_operator<Backend, double>("csr", be, matrix);
  Field<Backend, double> r(be, A->extent()), z(be, A->extent());
  r.memory().upload(std::vector<double>(r.memory().size(), 1));
  const auto measure = [&](const char* variant, const char* storage, double word) {
    BlockJacobiPreconditioner<Backend, double> M(be, *A, block_jacobi(n, variant, storage, "fixed"));
    M.prepare(*A);
    const double s = seconds_of(be, [&] { M.solve(r, z, nullptr); });
    line(n, (std::string("apply ") + variant + ", " + storage).c_str(), s, 2.0 * n * n * count,
         (word * n * n + 16.0 * n) * count);
  };
  for (const char* variant : variants) measure(variant, "double", 8);
  measure("gauss-jordan", "single", 4);
  measure("gauss-jordan", "half", 2);
}

void all_batches(const Batches& batches) {
  Backend be;
  if (batches.megabytes)
    std::printf("batches of %d MB", batches.megabytes);
  else
    std::printf("batches of %d blocks", count_of(batches, 1));
  std::printf("; operations: 2 n^3 an inverse, 2/3 n^3 a factorisation, 2 n^2 a solve\n");
  for (int n : batches.sizes) {
    const int count = count_of(batches, n);
    const HostCsr matrix = random_blocks(n, count);
    set_up(be, matrix, n, count);
    apply(be, matrix, n, count);
  }
}

/// Iterations, or the word for what became of the solve.
std::string solve(Backend& be, const HostCsr& matrix, const PreconditionerOptions& preconditioner,
                  std::string* formats = nullptr) try {
  const auto A = make_operator<Backend, double>("csr", be, matrix);
  SolverOptions o;
  o.method = A->facts().symmetric ? "cg" : "bicgstab";
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
  if (const auto* blocks = dynamic_cast<BlockJacobiPreconditioner<Backend, double>*>(M.get());
      blocks && formats) {
    const BlockDistribution d = blocks->distribution();
    *formats = std::to_string(d.half) + "/" + std::to_string(d.single) + "/" + std::to_string(d.full);
  }
  return report.converged() ? std::to_string(report.iterations) : std::string(word(report.status));
} catch (const SolveError& e) {
  return std::string(e.what()).find("singular") != std::string::npos ? "singular" : "not-finite";
}

void iterations(const Files& files) {
  Backend be;
  std::printf(
      "iterations to 1e-6 of |b|, b random; block-jacobi with supervariables of at most so many rows\n");
  std::printf("%-28s %7s %8s %-8s %15s %15s %15s %15s %15s %15s %15s  %s\n", "matrix", "rows", "entries",
              "method", "none", "jacobi", "8", "16", "24", "32", "32 adaptive", "half/single/double");
  for (const auto& file : files) try {
      const HostCsr matrix = read_matrix_market(file);
      std::printf("%-28s %7d %8zu %-8s", matrix_name(file).c_str(), matrix.rows, matrix.column.size(),
                  is_symmetric(matrix) ? "cg" : "bicgstab");
      PreconditionerOptions scalar;
      for (const char* type : {"none", "jacobi"}) {
        scalar.type = type;
        std::printf(" %15s", solve(be, matrix, scalar).c_str());
      }
      for (int block : {8, 16, 24, 32})
        std::printf(
            " %15s",
            solve(be, matrix, block_jacobi(block, "gauss-jordan", "double", "supervariable")).c_str());
      std::string formats;
      const std::string adaptive =
          solve(be, matrix, block_jacobi(32, "gauss-jordan", "adaptive", "supervariable"), &formats);
      std::printf(" %15s  %s\n", adaptive.c_str(), formats.c_str());
      std::fflush(stdout);
    } catch (const InputError& e) {
      std::printf("%-28s %s\n", matrix_name(file).c_str(), e.what());
    }
}

}  // namespace

#ifdef __CUDACC__
void batches_cuda(const Batches& b) { all_batches(b); }
void iterations_cuda(const Files& files) { iterations(files); }
#else
void batches_host(const Batches& b) { all_batches(b); }
void iterations_host(const Files& files) { iterations(files); }
#endif

}  // namespace wavesim::flegar
