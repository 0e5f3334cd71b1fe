// A forward substitution in natural order, which is a sweep of Gauss-Seidel on a lower triangular matrix,
// without any preparation of the matrix (Fiorentini 2022). On the host it is the paper's serial loop.
// Compiled for the host, and through fiorentini.cu for CUDA.

#include "bench/papers/fiorentini.hpp"

#include <cmath>

#include "bench/timing.hpp"
#include "kernels/backend/backend.hpp"

namespace wavesim::fiorentini {

namespace {

template <class T>
Buffer<Backend, T> copied(Backend& be, const std::vector<T>& v) {
  Buffer<Backend, T> copy(be, v.size());
  copy.upload(v);
  return copy;
}

/// x <- A^-1 b
void substitute(Backend& be, int rows, const int* start, const int* column, const float* value,
                const float* b, float* x) {
  be.in_order("x = triangle^-1 b, in order", rows, true, Dependencies{start, column}, 0, [=] KERNEL(int i) {
    float sum = b[i], d = 1;
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const int j = column[k];
      if (j == i)
        d = value[k];
      else
        sum = std::fma(-value[k], fresh(x + j), sum);
    }
    x[i] = sum / d;
  });
}

Outcome run(const Matrix& A, int repetitions) {
  Backend be;
  const auto start = copied(be, A.start);
  const auto column = copied(be, A.column);
  const auto value = copied(be, A.value);
  const auto b = copied(be, std::vector<float>(A.rows, 1));
  const Buffer<Backend, float> x(be, A.rows);
  Outcome o;
  o.seconds = median_seconds(be, repetitions, [&] {
    substitute(be, A.rows, start.data(), column.data(), value.data(), b.data(), x.data());
  });
  o.x = x.download();
  return o;
}

}  // namespace

#ifdef __CUDACC__
Outcome substitute_cuda(const Matrix& A, int repetitions) { return run(A, repetitions); }
#else
Outcome substitute_host(const Matrix& A, int repetitions) { return run(A, repetitions); }
#endif

}  // namespace wavesim::fiorentini
