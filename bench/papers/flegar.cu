// The CUDA instantiation of the same source, and the peer: the batched routines of cuBLAS, which take dense
// blocks of one size.
#include "bench/papers/flegar.cpp"

#include <cublas_v2.h>
#ifdef WAVESIM_HAVE_CUSOLVER
#include <cusolverDn.h>
#endif

#include "bench/peer.hpp"

namespace wavesim::flegar {

namespace {

/// `count` blocks one after the other, and their addresses as cuBLAS wants them.
struct Batch {
  Buffer<Cuda, double> values;
  Buffer<Cuda, double*> each;
  Batch(Cuda& be, std::size_t size, int count) : values(be, size * count), each(be, count) {
    std::vector<double*> at(count);
    for (int b = 0; b < count; ++b) at[b] = values.data() + size * b;
    each.upload(at);
  }
};

void batch_of(Cuda& be, cublasHandle_t blas, int n, int count) {
  const HostCsr matrix = random_blocks(n, count);  // its values are the blocks, by rows
  const std::size_t size = std::size_t(n) * n;
  Batch A(be, size, count), factors(be, size, count), inverse(be, size, count), x(be, n, count);
  A.values.upload(matrix.value);
  Buffer<Cuda, int> pivots(be, std::size_t(n) * count), info(be, count);
  const auto copy = [&] {
    check(cudaMemcpyAsync(factors.values.data(), A.values.data(), size * count * 8, cudaMemcpyDeviceToDevice,
                          be.stream()));
  };
  const auto factorise = [&] {
    PEER(cublasDgetrfBatched(blas, n, factors.each.data(), n, pivots.data(), info.data(), count));
  };
  const double cube = double(n) * n * n * count, square = double(n) * n * count;

  line(n, "cuBLAS matinvBatched",
       seconds_of(be,
                  [&] {
                    PEER(cublasDmatinvBatched(blas, n, A.each.data(), n, inverse.each.data(), n, info.data(),
                                              count));
                  }),
       2 * cube, 16 * square);
  line(n, "cuBLAS getrfBatched", seconds_of(be, factorise, copy), 2 * cube / 3, 16 * square);
  line(n, "cuBLAS getrfBatched, getriBatched",
       seconds_of(
           be,
           [&] {
             factorise();
             PEER(cublasDgetriBatched(blas, n, factors.each.data(), n, pivots.data(), inverse.each.data(), n,
                                      info.data(), count));
           },
           copy),
       2 * cube, 32 * square);
  int done = 0;
  line(n, "cuBLAS getrsBatched",
       seconds_of(be,
                  [&] {
                    PEER(cublasDgetrsBatched(blas, CUBLAS_OP_N, n, 1, factors.each.data(), n, pivots.data(),
                                             x.each.data(), n, &done, count));
                  }),
       2 * square, 8 * square + 16.0 * n * count);
  const double one = 1, zero = 0;
  Batch y(be, n, count);
  line(n, "cuBLAS gemvStridedBatched of inverses",
       seconds_of(be,
                  [&] {
                    PEER(cublasDgemvStridedBatched(blas, CUBLAS_OP_N, n, n, &one, inverse.values.data(), n,
                                                   size, x.values.data(), 1, n, &zero, y.values.data(), 1, n,
                                                   count));
                  }),
       2 * square, 8 * square + 16.0 * n * count);
}

#ifdef WAVESIM_HAVE_CUSOLVER
/// Cholesky factors, of the symmetric parts of the same blocks.
void cholesky_of(Cuda& be, cusolverDnHandle_t solver, int n, int count) {
  HostCsr matrix = random_blocks(n, count);
  const std::size_t size = std::size_t(n) * n;
  for (int b = 0; b < count; ++b)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) {
        double &lower = matrix.value[b * size + i * n + j], &upper = matrix.value[b * size + j * n + i];
        lower = upper = (lower + upper) / 2;
      }
  Batch A(be, size, count), factors(be, size, count), x(be, n, count);
  A.values.upload(matrix.value);
  Buffer<Cuda, int> info(be, count);
  const auto copy = [&] {
    check(cudaMemcpyAsync(factors.values.data(), A.values.data(), size * count * 8, cudaMemcpyDeviceToDevice,
                          be.stream()));
  };
  const double cube = double(n) * n * n * count, square = double(n) * n * count;
  line(n, "cuSOLVER potrfBatched",
       seconds_of(
           be,
           [&] {
             PEER(cusolverDnDpotrfBatched(solver, CUBLAS_FILL_MODE_LOWER, n, factors.each.data(), n,
                                          info.data(), count));
           },
           copy),
       cube / 3, 8 * square);
  line(n, "cuSOLVER potrsBatched",
       seconds_of(be,
                  [&] {
                    PEER(cusolverDnDpotrsBatched(solver, CUBLAS_FILL_MODE_LOWER, n, 1, factors.each.data(), n,
                                                 x.each.data(), n, info.data(), count));
                  }),
       2 * square, 8 * square + 16.0 * n * count);
}
#endif

}  // namespace

void batches_cublas(const Batches& batches) {
  Cuda be;
  cublasHandle_t blas = nullptr;
  PEER(cublasCreate(&blas));
  PEER(cublasSetStream(blas, be.stream()));
  for (int n : batches.sizes) batch_of(be, blas, n, count_of(batches, n));
  cublasDestroy(blas);
#ifdef WAVESIM_HAVE_CUSOLVER
  cusolverDnHandle_t solver = nullptr;
  PEER(cusolverDnCreate(&solver));
  PEER(cusolverDnSetStream(solver, be.stream()));
  for (int n : batches.sizes) cholesky_of(be, solver, n, count_of(batches, n));
  cusolverDnDestroy(solver);
#endif
}

}  // namespace wavesim::flegar
