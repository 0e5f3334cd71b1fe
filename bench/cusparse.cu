// The peer on the same work: cuSPARSE's CSR product, and conjugate gradients as a user of cuSPARSE and cuBLAS
// writes them (scalars on the host, one look at the residual an iteration).

#include <cublas_v2.h>
#include <cusparse.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "bench/bench.hpp"
#include "bench/peer.hpp"
#include "bench/timing.hpp"
#include "kernels/backend/backend.hpp"

namespace wavesim {

namespace {

/// The matrix of the fixed membrane, 1 + 4a and -a, without padding.
template <class T>
struct HostCsr {
  std::vector<int> start, column;
  std::vector<T> value;
  HostCsr(int n, double a) {
    start.reserve(std::size_t(n) * n + 1);
    start.push_back(0);
    const auto push = [&](long j, double v) {
      column.push_back(int(j));
      value.push_back(T(v));
    };
    for (long row = 0; row < n; ++row)
      for (long col = 0; col < n; ++col) {
        const long i = row * n + col;
        if (row > 0) push(i - n, -a);
        if (col > 0) push(i - 1, -a);
        push(i, 1 + 4 * a);
        if (col < n - 1) push(i + 1, -a);
        if (row < n - 1) push(i + n, -a);
        start.push_back(int(column.size()));
      }
  }
};

template <class T>
class Peer {
 public:
  Peer(Cuda& be, int n, double a) : be_(be), points_(long(n) * n) {
    const HostCsr<T> A(n, a);
    entries_ = long(A.value.size());
    start_ = Buffer<Cuda, int>(be, A.start.size());
    column_ = Buffer<Cuda, int>(be, A.column.size());
    value_ = Buffer<Cuda, T>(be, A.value.size());
    start_.upload(A.start);
    column_.upload(A.column);
    value_.upload(A.value);
    for (auto* v : {&b_, &x_, &r_, &p_, &q_}) *v = Buffer<Cuda, T>(be, points_);
    std::vector<T> b(points_);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (T& v : b) v = T(uniform(random));
    b_.upload(b);
    PEER(cusparseCreate(&sparse_));
    PEER(cublasCreate(&blas_));
    PEER(cusparseSetStream(sparse_, be.stream()));
    PEER(cublasSetStream(blas_, be.stream()));
    PEER(cusparseCreateCsr(&matrix_, points_, points_, entries_, start_.data(), column_.data(), value_.data(),
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
    PEER(cusparseCreateDnVec(&in_, points_, p_.data(), type));
    PEER(cusparseCreateDnVec(&out_, points_, q_.data(), type));
    std::size_t bytes = 0;
    PEER(cusparseSpMV_bufferSize(sparse_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, in_, &zero_, out_,
                                 type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    work_ = Buffer<Cuda, char>(be, bytes);
    PEER(cusparseSpMV_preprocess(sparse_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, in_, &zero_, out_,
                                 type, CUSPARSE_SPMV_ALG_DEFAULT, work_.data()));
  }
  ~Peer() {
    cusparseDestroyDnVec(in_);
    cusparseDestroyDnVec(out_);
    cusparseDestroySpMat(matrix_);
    cusparseDestroy(sparse_);
    cublasDestroy(blas_);
  }
  Peer(const Peer&) = delete;

  /// q = A p
  void product() {
    PEER(cusparseSpMV(sparse_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, matrix_, in_, &zero_, out_, type,
                      CUSPARSE_SPMV_ALG_DEFAULT, work_.data()));
  }
  double product_bytes() const {
    return double(entries_) * (sizeof(T) + sizeof(int)) + double(points_) * (sizeof(int) + 2 * sizeof(T));
  }

  /// Conjugate gradients from zero to a relative residual; returns the iterations.
  int solve(double tolerance) {
    const int n = int(points_);
    be_.zero(x_.data(), points_);
    PEER(copy(b_, r_));
    PEER(copy(b_, p_));
    T rr = dot(r_, r_);
    const T goal = T(tolerance * tolerance) * rr;
    int k = 0;
    for (; k < 1000 && rr > goal; ++k) {
      product();
      const T alpha = rr / dot(p_, q_), minus = -alpha;
      PEER(axpy(n, &alpha, p_, x_));
      PEER(axpy(n, &minus, q_, r_));
      const T after = dot(r_, r_), beta = after / rr;
      PEER(scale(n, &beta, p_));
      PEER(axpy(n, &one_, r_, p_));
      rr = after;
    }
    return k;
  }

 private:
  static constexpr bool full = sizeof(T) == 8;
  static constexpr cudaDataType type = full ? CUDA_R_64F : CUDA_R_32F;
  using Vector = Buffer<Cuda, T>;

  T dot(const Vector& x, const Vector& y) {
    T result = 0;
    if constexpr (full)
      PEER(cublasDdot(blas_, int(points_), x.data(), 1, y.data(), 1, &result));
    else
      PEER(cublasSdot(blas_, int(points_), x.data(), 1, y.data(), 1, &result));
    return result;
  }
  int axpy(int n, const T* a, const Vector& x, const Vector& y) {
    if constexpr (full)
      return cublasDaxpy(blas_, n, a, x.data(), 1, y.data(), 1);
    else
      return cublasSaxpy(blas_, n, a, x.data(), 1, y.data(), 1);
  }
  int scale(int n, const T* a, const Vector& x) {
    if constexpr (full)
      return cublasDscal(blas_, n, a, x.data(), 1);
    else
      return cublasSscal(blas_, n, a, x.data(), 1);
  }
  int copy(const Vector& x, const Vector& y) {
    return cudaMemcpyAsync(y.data(), x.data(), points_ * sizeof(T), cudaMemcpyDeviceToDevice, be_.stream());
  }

  Cuda& be_;
  long points_ = 0, entries_ = 0;
  Buffer<Cuda, int> start_, column_;
  Buffer<Cuda, T> value_, b_, x_, r_, p_, q_;
  Buffer<Cuda, char> work_;
  cusparseHandle_t sparse_ = nullptr;
  cublasHandle_t blas_ = nullptr;
  cusparseSpMatDescr_t matrix_ = nullptr;
  cusparseDnVecDescr_t in_ = nullptr, out_ = nullptr;
  const T one_ = 1, zero_ = 0;
};

template <class T>
void run(Cuda& be, const SolverBench& bench) {
  const int n = bench.n;
  for (double a : bench.faces) {
    Peer<T> peer(be, n, a);
    const char* precision = sizeof(T) == 8 ? "double" : "single";
    if (a == bench.faces.front()) {
      const double s = median_seconds(be, 15, [&] { peer.product(); });
      std::printf("%-7s %5d  %-34s %10.4f ms %8.0f GB/s\n", precision, n, "cuSPARSE CSR: q = A p", s * 1e3,
                  peer.product_bytes() / s * 1e-9);
    }
    int iterations = 0;
    const double tolerance = sizeof(T) == 8 ? 1e-8 : 1e-5;
    const double s = median_seconds(be, 5, [&] { iterations = peer.solve(tolerance); });
    std::printf("%-7s %5d  cuSPARSE CSR, cuBLAS: cg to %g, a = %g  %10.4f ms  %3d iterations, %.4f ms each\n",
                precision, n, tolerance, a, s * 1e3, iterations, s * 1e3 / iterations);
    std::fflush(stdout);
  }
}

}  // namespace

void bench_cusparse(const SolverBench& bench) {
  Cuda be;
  if (bench.single)
    run<float>(be, bench);
  else
    run<double>(be, bench);
}

}  // namespace wavesim
