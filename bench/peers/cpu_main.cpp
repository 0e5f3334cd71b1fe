// bench_cpu_peers [--size n] [--repetitions n] [--faces A,...]: conjugate gradients to 1e-8 on the membrane's
// system, ours in three formats and Eigen's, by all cores, beside the triad of the same run; and our
// chebyshev. PETSc: petsc.cpp, a program of its own, because its processes are MPI's.

#include <Eigen/Core>
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>

#include "bench/membrane.hpp"
#include "bench/program.hpp"
#include "bench/timing.hpp"
#include "solvers/catalogue/make.hpp"

namespace wavesim {
/// The five-point matrix 1 + 4a, -a without its entries: Eigen's own way of a product of the user's.
struct FivePointProduct;
}  // namespace wavesim

namespace Eigen::internal {
template <>
struct traits<wavesim::FivePointProduct> : traits<SparseMatrix<double>> {};
}  // namespace Eigen::internal

namespace wavesim {

using Eigen::Index;
using Eigen::VectorXd;

struct FivePointProduct : Eigen::EigenBase<FivePointProduct> {
  using Scalar = double;
  using RealScalar = double;
  using StorageIndex = int;
  enum { ColsAtCompileTime = Eigen::Dynamic, MaxColsAtCompileTime = Eigen::Dynamic, IsRowMajor = true };
  FivePointProduct(int size, double face) : n(size), a(face) {}
  Index rows() const { return Index(n) * n; }
  Index cols() const { return rows(); }
  template <class V>
  Eigen::Product<FivePointProduct, V, Eigen::AliasFreeProduct> operator*(
      const Eigen::MatrixBase<V>& x) const {
    return {*this, x.derived()};
  }
  int n;
  double a;
};

}  // namespace wavesim

namespace Eigen::internal {
template <class V>
struct generic_product_impl<wavesim::FivePointProduct, V, SparseShape, DenseShape, GemvProduct>
    : generic_product_impl_base<wavesim::FivePointProduct, V,
                                generic_product_impl<wavesim::FivePointProduct, V>> {
  template <class To>
  static void scaleAndAddTo(To& to, const wavesim::FivePointProduct& A, const V& x, const double& scale) {
    const int n = A.n;
    const double centre = scale * (1 + 4 * A.a), off = -scale * A.a;
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n; ++row) {
      const double* const u = x.data() + Index(row) * n;
      double* const v = to.data() + Index(row) * n;
      const double* const south = row > 0 ? u - n : nullptr;
      const double* const north = row < n - 1 ? u + n : nullptr;
      const auto point = [&](int k) {
        double sum = centre * u[k];
        if (k > 0) sum += off * u[k - 1];
        if (k < n - 1) sum += off * u[k + 1];
        if (south) sum += off * south[k];
        if (north) sum += off * north[k];
        v[k] += sum;
      };
      if (!south || !north || n < 3) {
        for (int k = 0; k < n; ++k) point(k);
        continue;
      }
      point(0);
#pragma omp simd
      for (int k = 1; k < n - 1; ++k)
        v[k] += centre * u[k] + off * (u[k - 1] + u[k + 1] + south[k] + north[k]);
      point(n - 1);
    }
  }
};
}  // namespace Eigen::internal

namespace wavesim {

namespace {

constexpr double tolerance = 1e-8;

/// Gigabytes a second of c = a + s b, as STREAM counts them.
double triad(Backend& be, Extent e, int repetitions) {
  auto x = random_field<double>(be, e, 1), y = random_field<double>(be, e, 2);
  Field<Backend, double> z(be, e);
  const double s = median_seconds(be, repetitions, [&] {
    be.map(
        "triad", e, [](const double& a, const double& b, double& c) { c = a + 0.5 * b; }, x.in(), y.in(),
        z.out());
  });
  return 24.0 * e.count() / s * 1e-9;
}

void print(int n, double a, const char* what, double seconds, long iterations, double residual,
           const std::string& more) {
  std::printf("%5d  a = %-4g %-28s %10.2f ms  %4ld iterations, %9.4f ms each, true residual %.2g%s\n", n, a,
              what, seconds * 1e3, iterations, seconds * 1e3 / double(iterations), residual, more.c_str());
  std::fflush(stdout);
}

void ours(Backend& be, int n, double a, int repetitions, double roof) {
  const Extent e = make_extent(n, n);
  auto b = random_field<double>(be, e, 1), x = Field<Backend, double>(be, e),
       y = Field<Backend, double>(be, e);
  Buffer<Backend, double> dot(be, 1);
  for (const char* format : {"stencil", "dia", "ellpack-r"}) {
    const auto A = make_operator<Backend, double>(format, be, e, membrane<double>(e, a));
    A->assemble(0.5, 1);
    char more[96];
    const double before = be.counts().bytes;
    const auto product = [&] { A->apply(b, y, {b.data(), dot.data(), nullptr}); };
    product();
    const double bytes = be.counts().bytes - before, s = median_seconds(be, repetitions, product);
    std::printf("%5d  a = %-4g %-28s %10.2f ms  %5.1f GB/s, %.0f %% of triad\n", n, a,
                (std::string("wavesim ") + format + ", product").c_str(), s * 1e3, bytes / s * 1e-9,
                100 * bytes / s * 1e-9 / roof);
    for (const char* method : {"cg", "chebyshev"}) {
      const bool cg = std::string(method) == "cg";
      if (!cg && std::string(format) != "stencil") continue;  // others take its sweeps one by one
      SolverOptions o;
      o.method = method;
      o.norm = "relative-2";
      o.tolerance = tolerance;
      const auto solver = make_solver<Backend, double>(o, be, *A);
      std::vector<double> times;
      Report r;
      for (int k = 0; k <= repetitions; ++k) {
        be.zero(x.memory().data(), x.memory().size());
        r = solver->solve(*A, nullptr, b, x, true);
        if (!r.converged()) throw SolveError(std::string(method) + " on " + format + " did not converge");
        if (k > 0) times.push_back(r.seconds);
      }
      const double seconds = median(times);
      std::snprintf(more, sizeof more, ", %.1f GB/s, %.0f %% of triad", r.bytes / seconds * 1e-9,
                    100 * r.bytes / seconds * 1e-9 / roof);
      print(n, a, (std::string("wavesim ") + format + (cg ? "" : ", chebyshev")).c_str(), seconds,
            r.iterations, r.relative_residual(), more);
    }
  }
}

template <class Matrix>
void eigen(const char* what, const Matrix& A, int n, double a, const VectorXd& b, int repetitions) {
  Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Eigen::IdentityPreconditioner> solver;
  solver.setTolerance(tolerance);
  solver.compute(A);
  std::vector<double> times;
  VectorXd x;
  for (int k = 0; k <= repetitions; ++k) {
    const auto before = std::chrono::steady_clock::now();
    x = solver.solve(b);
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    if (k > 0) times.push_back(s);
    if (s > 1 && times.size() == 2) break;
  }
  if (solver.info() != Eigen::Success) throw SolveError(std::string(what) + " did not converge");
  VectorXd r = b;
  r -= A * x;
  print(n, a, what, median(times), solver.iterations(), r.norm() / b.norm(), "");
}

Eigen::SparseMatrix<double, Eigen::RowMajor, int> assembled(int n, double a) {
  Eigen::SparseMatrix<double, Eigen::RowMajor, int> A(Index(n) * n, Index(n) * n);
  A.reserve(Eigen::VectorXi::Constant(Index(n) * n, 5));
  for (int row = 0; row < n; ++row)
    for (int col = 0; col < n; ++col) {
      const int i = row * n + col;
      if (row > 0) A.insert(i, i - n) = -a;
      if (col > 0) A.insert(i, i - 1) = -a;
      A.insert(i, i) = 1 + 4 * a;
      if (col < n - 1) A.insert(i, i + 1) = -a;
      if (row < n - 1) A.insert(i, i + n) = -a;
    }
  A.makeCompressed();
  return A;
}

/// The same right-hand side as ours.
VectorXd right_hand_side(Backend& be, int n) {
  const Extent e = make_extent(n, n);
  const std::vector<double> padded = random_field<double>(be, e, 1).memory().download();
  VectorXd b(Index(n) * n);
  for (int row = 0; row < n; ++row)
    for (int col = 0; col < n; ++col)
      b[Index(row) * n + col] = padded[std::size_t(row + 1) * std::size_t(e.pitch) + std::size_t(col)];
  return b;
}

}  // namespace
}  // namespace wavesim

int main(int argc, char** argv) {
  using namespace wavesim;
  return run_program("bench_cpu_peers", "[--size n] [--repetitions n] [--faces A,...]",
                     {"size", "repetitions", "faces"}, argc, argv, [](const CommandLine& line) {
                       if (line.cuda) throw InputError("these peers are the CPU's; give --device cpu");
                       const int n = line.number("size", 4095), repetitions = line.number("repetitions", 5);
                       Backend be;
                       const double roof = triad(be, make_extent(n, n), repetitions);
                       std::printf("%5d  triad %.1f GB/s, %d threads of OpenMP, Eigen %d.%d.%d with %d\n", n,
                                   roof, omp_get_max_threads(), EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
                                   EIGEN_MINOR_VERSION, Eigen::nbThreads());
                       for (const std::string& face : line.words_of("faces", {"0.5", "50"})) {
                         const double a = std::atof(face.c_str());
                         ours(be, n, a, repetitions, roof);
                         const Eigen::VectorXd b = right_hand_side(be, n);
                         eigen("Eigen, matrix-free", FivePointProduct(n, a), n, a, b, repetitions);
                         eigen("Eigen, assembled", assembled(n, a), n, a, b, repetitions);
                       }
                     });
}
