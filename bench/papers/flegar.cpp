// What Flegar, Anzt, Dongarra, Higham and Quintana-Orti measure of block-Jacobi (2017, 2019): GFLOP/s and
// GB/s of batched inversion, factorisation and application over the size of the blocks. Compiled for the host, and
// through flegar.cu for CUDA with the batched routines of cuBLAS beside it.

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

}  // namespace

#ifdef __CUDACC__
void batches_cuda(const Batches& b) { all_batches(b); }
#else
void batches_host(const Batches& b) { all_batches(b); }
#endif

}  // namespace wavesim::flegar
