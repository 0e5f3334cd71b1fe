// Roofs, kernels and solves on one backend, as a table: time, bytes counted, share of the copy bandwidth of
// the same run. Compiled for the host, and through solvers.cu for CUDA.

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/membrane.hpp"
#include "bench/timing.hpp"
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/stationary/chebyshev.hpp"

namespace wavesim {

namespace {

template <class T>
const char* precision() {
  return sizeof(T) == 8 ? "double" : "single";
}

template <class T>
class Table {
 public:
  Table(Backend& be, int n) : be_(be), n_(n), repetitions_(n >= 4096 ? 15 : 40) {}

  /// One line: what one run of `work` costs, and the bytes it says it moves.
  double line(const char* what, const std::function<void()>& work) {
    const double before = be_.counts().bytes;
    work();
    const double bytes = be_.counts().bytes - before;
    const double s = median_seconds(be_, repetitions_, work);
    if (copy_ == 0) copy_ = bytes / s;
    std::printf("%-7s %5d  %-34s %10.4f ms %8.0f GB/s %6.1f %% of copy\n", precision<T>(), n_, what, s * 1e3,
                bytes / s * 1e-9, 100 * bytes / s / copy_);
    std::fflush(stdout);
    return s;
  }
  double copy() const { return copy_; }

 private:
  Backend& be_;
  int n_, repetitions_;
  double copy_ = 0;
};

/// The same system with its coefficients in arrays, as any varying medium has them.
template <class T>
struct Varying {
  Field<Backend, T> mass, east, north;
  VariableCoefficients<T> c;
  Varying(Backend& be, Extent e, double a) : mass(be, e), east(be, e), north(be, e) {
    fill(mass, T(1), T(1), 0, 0);
    fill(east, T(a), T(-a), 1, 0);
    fill(north, T(a), T(-a), 0, 1);
    c = {{e.nx, e.ny, 0, 0}, mass.data(), nullptr, east.data(), north.data()};
  }
  static void fill(Field<Backend, T>& f, T inner, T edge, int dx, int dy) {
    const Extent e = f.extent();
    std::vector<T> v(f.memory().size(), T(0));
    for (int row = -dy; row < e.ny; ++row)
      for (int col = -dx; col < e.nx; ++col)
        v[std::size_t(long(row + 1) * e.pitch + col)] =
            (dx && (col < 0 || col == e.nx - 1)) || (dy && (row < 0 || row == e.ny - 1)) ? edge : inner;
    f.memory().upload(v);
  }
};

/// Sweeps of Chebyshev that are one pass over memory: for a given b, and of a whole step in time.
template <class T>
void passes(Table<T>& table, Backend& be, const Operator<Backend, T>& A, const Field<Backend, T>& b,
            const std::string& label) {
  const int steps = A.blocked_sweep_count();
  if (steps == 0) return;
  const Extent e = A.extent();
  Field<Backend, T> x(be, e), tried(be, e), after(be, e), p_after(be, e);
  be.map(
      "x, tried", e,
      [] KERNEL(const T& from, T& to, T& other) {
        to = T(0.5) * from;
        other = T(0.75) * from;
      },
      b.in(), x.out(), tried.out());
  const Bounds bounds = spectrum_of(be, A, "gershgorin", "bench").bounds;
  ChebyshevSeries series(bounds);
  std::vector<ThreeTerm> list;
  for (int k = 0; k < steps; ++k) list.push_back(series.next());
  Buffer<Backend, Norms> norms(be, 1);
  const std::string sweeps = label + ": " + std::to_string(steps) + " sweeps";
  table.line((sweeps + " from 0").c_str(), [&] {
    A.blocked_sweeps(b, From<Backend, T>{}, To<Backend, T>{&after, nullptr}, list, norms.data(), {});
  });
  table.line((sweeps + " from x").c_str(), [&] {
    A.blocked_sweeps(b, From<Backend, T>{&x, nullptr}, To<Backend, T>{&after, nullptr}, list, norms.data(),
                     {});
  });
  Buffer<Backend, StepNorms> step_norms(be, 1);
  Buffer<Backend, IterationState> control(be, 1);
  const Epilogue then{Epilogue::conclude, control.data(), nullptr, nullptr, {}, 1};
  FusedStep<Backend, T> step{&x, &b, &after, &p_after};
  table.line((sweeps + ", step in time").c_str(), [&] {
    A.fused_step(step, fused_step_sweeps(bounds, steps, A.eigenvalue_of_smooth(bounds)), step_norms.data(),
                 then);
  });
  step.tried = &tried;
  table.line((sweeps + ", gone on from").c_str(),
             [&] { A.fused_step(step, fused_step_sweeps(bounds, steps, 0), step_norms.data(), then); });
}

template <class T>
void solve(Table<T>& table, Backend& be, const Operator<Backend, T>& A, const Field<Backend, T>& b,
           const std::string& label, const std::string& method) {
  const int n = A.extent().nx;
  Field<Backend, T> x(be, A.extent());
  SolverOptions o;
  o.method = method;
  o.norm = "relative-2";
  o.tolerance = sizeof(T) == 8 ? 1e-8 : 1e-5;
  const auto solver = make_solver<Backend, T>(o, be, A);
  std::vector<double> times;
  Report r;
  for (int k = 0; k < (n >= 4096 ? 5 : 9); ++k) {
    be.zero(x.memory().data(), x.memory().size());
    be.synchronize();
    r = solver->solve(A, nullptr, b, x, true);
    times.push_back(r.seconds);
  }
  const double s = median(times);
  // The bytes of all that a solve does, first residual and last look included.
  std::printf(
      "%-7s %5d  %-34s %10.4f ms %8.0f GB/s %6.1f %% of copy  %3d iterations, %.4f ms each, true "
      "residual %.2g, %s\n",
      precision<T>(), n, (label + ": " + method + " to " + (sizeof(T) == 8 ? "1e-8" : "1e-5")).c_str(),
      s * 1e3, r.bytes / s * 1e-9, 100 * r.bytes / s / table.copy(), r.iterations, s * 1e3 / r.iterations,
      r.relative_residual(), std::string(word(r.status)).c_str());
  std::fflush(stdout);
}

template <class T, class Coefficients>
void formats(Table<T>& table, Backend& be, Extent e, const Coefficients& c, const SolverBench& bench,
             const char* medium, bool solves) {
  auto b = random_field<T>(be, e, 1), y = Field<Backend, T>(be, e);
  Buffer<Backend, double> dot(be, 1);
  for (const std::string& format : bench.formats) {
    const bool stencil = format == "stencil";
    if (*medium && format == "csr") continue;
    const auto A = make_operator<Backend, T>(format, be, e, c);
    A->assemble(0.5, 1);
    const std::string label = format + medium;
    if (bench.wants("kernels")) {
      if (!stencil) table.line((label + ": assemble").c_str(), [&] { A->assemble(0.5, 1); });
      table.line((label + ": q = A p, <p, q>").c_str(), [&] {
        A->apply(b, y, {b.data(), dot.data(), nullptr});
      });
      be.zero(y.memory().data(), y.memory().size());
      table.line((label + ": red and black sweep").c_str(), [&] {
        A->relax_colour(b, y, 1, 0);
        A->relax_colour(b, y, 1, 1);
      });
      passes(table, be, *A, b, label);
    }
    for (const std::string method : {"cg", "bicgstab", "cg-onchip"}) {
      if (!bench.wants(method) || !(solves || stencil)) continue;
      if (method == "cg-onchip" && (!stencil || e.points() > 1L << 20)) continue;
      solve(table, be, *A, b, label, method);
    }
  }
}

template <class T>
void roofs(Table<T>& table, Backend& be, Extent e, Field<Backend, T>& x, Field<Backend, T>& y,
           Field<Backend, T>& z) {
  table.line("copy", [&] {
    be.map(
        "copy", e, [] KERNEL(const T& a, T& b) { b = a; }, x.in(), z.out());
  });
  table.line("triad", [&] {
    be.map(
        "triad", e, [] KERNEL(const T& a, const T& b, T& c) { c = a + T(0.5) * b; }, x.in(), y.in(), z.out());
  });
  // an explicit step, what an implicit one is compared with; padding and ghost rows hold the zeros of the
  // edges
  const T* u = x.data();
  table.line("leapfrog", [&] {
    be.rows(
        "leapfrog", e, sizeof(T),
        [=] KERNEL(Row r, T & before) {
          const T west = u[r.i - 1], east = u[r.i + 1], south = u[r.i - r.pitch], north = u[r.i + r.pitch];
          before = T(0.5) * ((west + east) + (south + north)) - before;  // c dt = dx / sqrt 2
        },
        y.inout());
  });
  Buffer<Backend, Sum<1>> sum(be, 1);
  table.line("dot", [&] {
    be.map_sum(
        "dot", e, sum.data(), [] KERNEL(const T& a, const T& b) { return Sum<1>{{double(a) * b}}; },
        NoEpilogue{}, x.in(), y.in());
  });
}

template <class T>
void all(const SolverBench& bench) {
  Backend be;
  const Extent e = make_extent(bench.n, bench.n, sizeof(T));
  Table<T> table(be, bench.n);
  {
    auto x = random_field<T>(be, e, 1), y = random_field<T>(be, e, 2), z = Field<Backend, T>(be, e);
    roofs(table, be, e, x, y, z);
  }
  for (double a : bench.faces) {
    std::printf("  a = %g, broadband right-hand side\n", a);
    formats<T>(table, be, e, membrane<T>(e, a), bench, "", true);
    // Stored formats differ in their assembly alone.
    if (bench.wants("varying")) formats<T>(table, be, e, Varying<T>(be, e, a).c, bench, " (varying)", false);
  }
}

}  // namespace

#ifdef __CUDACC__
void bench_solvers_cuda(const SolverBench& bench) {
#else
void bench_solvers_host(const SolverBench& bench) {
#endif
  bench.single ? all<float>(bench) : all<double>(bench);
}

}  // namespace wavesim
