// A forward substitution in natural order, which is a sweep of Gauss-Seidel on a lower triangular matrix,
// without any preparation of the matrix (Fiorentini 2022): by one kernel whose rows wait, and by the paper's kernel that is
// launched until no row is left. On the host the former is the paper's serial loop.
// Compiled for the host and for CUDA.

#include "bench/papers/fiorentini.hpp"

#include <cmath>

#include "bench/timing.hpp"
#include "kernels/backend/backend.hpp"
#include "kernels/lists/each.hpp"

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

/// Whether a row is done and its value is there to be read. Listing 3 reads flag and value without an order between them; then
/// a thread may see the flag and an old value.
HD bool is_done(const int* flag) {
  int v;
#ifdef __CUDA_ARCH__
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory");
#else
  v = __atomic_load_n(flag, __ATOMIC_ACQUIRE);
#endif
  return v != 0;
}
/// After its value is written.
HD void set_done(int* flag) {
#ifdef __CUDA_ARCH__
  asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
#else
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
#endif
}

/// The vectors of section 2.1. `x`: before the sweep; `y`: after it; `finished`: one number, which a row that is left sets to 0.
struct Launch {
  const int *start, *column;
  const float *value, *diagonal, *x;
  float* y;
  int *modified, *finished;

  /// Listing 3, the work of one thread.
  HD void operator()(int row) const {
    if (is_done(modified + row)) return;
    float sum = x[row];
    for (int k = start[row], end = start[row + 1]; k < end; ++k) {
      const int j = column[k];
      if (j >= row) {
        sum = std::fma(-value[k], x[j], sum);
      } else if (is_done(modified + j)) {
        sum = std::fma(-value[k], fresh(y + j), sum);
      } else {
        racing_store(finished, 0);
        return;
      }
    }
    sum = std::fma(x[row], diagonal[row], sum);
    y[row] = sum / diagonal[row];
    set_done(modified + row);
  }
};

/// A sweep as in section 2.3: the host waits for each kernel, and looks whether a row is left. Returns the launches.
int sweep(Backend& be, int rows, const Launch& launch) {
  be.zero(launch.modified, std::size_t(rows));
  for (int launches = 1;; ++launches) {
    int* const finished = launch.finished;
    be.once("finished = 1", [=] KERNEL() { *finished = 1; });
    each(be, "rows that depend on none that is left", rows, 0, launch);
    int all = 0;
    be.download(&all, launch.finished, 1);
    if (all) return launches;
  }
}

Outcome run_by_launches(const Matrix& A, int repetitions) {
  Backend be;
  const auto start = copied(be, A.start);
  const auto column = copied(be, A.column);
  const auto value = copied(be, A.value);
  std::vector<float> of_rows(std::size_t(A.rows));
  for (std::size_t i = 0; i < of_rows.size(); ++i) of_rows[i] = A.value[std::size_t(A.start[i + 1]) - 1];
  const auto diagonal = copied(be, of_rows);
  const auto x = copied(be, std::vector<float>(std::size_t(A.rows), 1));
  const Buffer<Backend, float> y(be, std::size_t(A.rows));
  const Buffer<Backend, int> modified(be, std::size_t(A.rows)), finished(be, 1);
  const Launch launch{start.data(), column.data(), value.data(),    diagonal.data(),
                      x.data(),     y.data(),      modified.data(), finished.data()};
  Outcome o;
  long launches = 0, sweeps = 0;
  o.seconds = median_wall_seconds(be, repetitions, [&] {
    launches += sweep(be, A.rows, launch);
    ++sweeps;
  });
  o.launches = double(launches) / double(sweeps);
  o.x = y.download();
  return o;
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
Outcome substitute_by_launches_cuda(const Matrix& A, int repetitions) {
  return run_by_launches(A, repetitions);
}
#else
Outcome substitute_host(const Matrix& A, int repetitions) { return run(A, repetitions); }
Outcome substitute_by_launches_host(const Matrix& A, int repetitions) {
  return run_by_launches(A, repetitions);
}
#endif

}  // namespace wavesim::fiorentini
