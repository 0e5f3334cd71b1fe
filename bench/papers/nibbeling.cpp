// Ours. Compiled for the host, and through nibbeling.cu for CUDA.
#include "bench/papers/nibbeling.hpp"

#include <memory>

#include "bench/timing.hpp"
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/triangular/triangular_solve.hpp"

namespace wavesim::nibbeling {

namespace {

using Vector = Field<Backend, double>;

/// ELLPACK where it fits, as in the paper.
std::unique_ptr<Operator<Backend, double>> products(Backend& be, const HostCsr& U) {
  try {
    return make_operator<Backend, double>("ellpack-r", be, U);
  } catch (const InputError&) {
    return make_operator<Backend, double>("csr", be, U);
  }
}

/// The vectors of products with A, all of them b.
struct Vectors {
  std::vector<Vector> x, y;
  Vectors(Backend& be, const Operator<Backend, double>& A, const std::vector<double>& b, int count) {
    for (int n = 0; n < count; ++n) {
      x.emplace_back(be, A.extent());
      y.emplace_back(be, A.extent());
      be.upload(x.back().data(), b.data(), b.size());
    }
  }
};
double seconds_at_once(Backend& be, const Operator<Backend, double>& A, Vectors v, int repetitions) {
  return median_seconds(be, repetitions, [&] { A.apply_all(v.x, v.y); });
}
double seconds_one_by_one(Backend& be, const Operator<Backend, double>& A, Vectors v, int repetitions) {
  return median_seconds(be, repetitions, [&] {
    for (std::size_t n = 0; n < v.x.size(); ++n) A.apply(v.x[n], v.y[n]);
  });
}

Result measure(const HostCsr& U, const std::vector<int>& vectors, int repetitions) {
  Backend be;
  Triangular<Backend, double> triangle;
  const SparseRows<Backend> rows(be, U);  // in the device's memory, as the peer's
  const double analysis = median_wall_seconds(be, std::min(repetitions, 5), [&] {
    triangle = Triangular<Backend, double>(be, rows, Triangle::upper, false);
  });
  const std::vector<double> one = right_hand_side(U.rows);
  Result r;
  r.bands = triangle.bands();
  const auto A = products(be, U), tiles = make_operator<Backend, double>("csr-merge", be, U);
  for (int count : vectors) {
    Times t{.vectors = count, .analysis = analysis, .bytes = triangle.bytes(count)};
    t.product = seconds_at_once(be, *A, {be, *A, one, count}, repetitions);
    t.one_by_one = seconds_one_by_one(be, *A, {be, *A, one, count}, repetitions);
    t.in_tiles = seconds_at_once(be, *tiles, {be, *tiles, one, count}, repetitions);
    Buffer<Backend, double> b(be, std::size_t(count) * U.rows), x(be, std::size_t(count) * U.rows);
    for (int n = 0; n < count; ++n) be.upload(b.data() + std::size_t(n) * U.rows, one.data(), one.size());
    t.solve = median_seconds(be, repetitions, [&] { triangle.solve(b.data(), x.data(), count, U.rows); });
    std::vector<double> first(U.rows);
    be.download(first.data(), x.data(), first.size());
    r.residual = residual_of(U, one, first);
    r.times.push_back(t);
  }
  return r;
}

}  // namespace

#ifdef __CUDACC__
Result measure_cuda(const HostCsr& U, const std::vector<int>& vectors, int repetitions) {
#else
Result measure_host(const HostCsr& U, const std::vector<int>& vectors, int repetitions) {
#endif
  return measure(U, vectors, repetitions);
}

}  // namespace wavesim::nibbeling
