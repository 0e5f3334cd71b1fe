#pragma once
// Block-asynchronous Jacobi, async-(k) (Anzt, Tomov, Dongarra, Heuveline, "A block-asynchronous relaxation
// method for graphics processing units", 2012, Algorithm 1). A pass is one kernel over x where it lies: each
// block of rows takes the part of b - A x that comes from the other blocks once, with whatever values they
// have by then, and does k Jacobi sweeps of its own with that. Blocks wait for nobody within a pass, so the
// result depends on who was first: it is not repeatable. It converges however they run where the spectral
// radius of |D^-1 (A - D)| is below one, for diagonally dominant A that is (Chazan & Miranker 1969).

#include "kernels/backend/host_group.hpp"
#include "solvers/catalogue/option_list.hpp"
#include "solvers/core/solve_loop.hpp"
#include "solvers/triangular/diagonal_check.hpp"

namespace wavesim {

/// What the block of a group of lanes does in a pass: a functor for `groups`.
template <class T>
struct LocalSweeps {
  static constexpr int lanes = 32, rows_per_lane = 4, rows = lanes * rows_per_lane;
  struct Rows {
    T v[rows_per_lane];
  };
  CsrView<T> A;
  const T* b;
  T* x;
  int n, sweeps;

  template <class G>
  HD void operator()(const G& g, int block) const {
    const int first = block * rows, last = first + rows < n ? first + rows : n;
    // d = a_ii, s = b - A x without the columns of this block
    LanesOf<G, Rows> d, s, next;
    g.each([&](int lane) {
      UNROLL_REGISTERS for (int k = 0; k < rows_per_lane; ++k) {
        const int i = first + k * lanes + lane;
        T di = 0, si = 0;
        if (i < last) {
          si = b[i];
          for (int e = A.start[i]; e < A.start[i + 1]; ++e) {
            const int j = A.column[e];
            if (j < first || j >= last) si = std::fma(-A.value[e], racing_load(x + j), si);
            if (j == i) di = A.value[e];
          }
        }
        d[lane].v[k] = di;  // 0: padding
        s[lane].v[k] = si;
      }
    });
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      g.each([&](int lane) {
        UNROLL_REGISTERS for (int k = 0; k < rows_per_lane; ++k) {
          const int i = first + k * lanes + lane;
          T sum = s[lane].v[k];
          if (d[lane].v[k] != 0)
            for (int e = A.start[i]; e < A.start[i + 1]; ++e) {
              const int j = A.column[e];
              if (first <= j && j < last && j != i) sum = std::fma(-A.value[e], racing_load(x + j), sum);
            }
          next[lane].v[k] = sum / d[lane].v[k];
        }
      });
      g.sync();
      g.each([&](int lane) {
        UNROLL_REGISTERS for (int k = 0; k < rows_per_lane; ++k) if (d[lane].v[k] != 0)
            racing_store(x + first + k * lanes + lane, next[lane].v[k]);
      });
      g.sync();
    }
  }
};

template <class B, class T>
class AsyncJacobi final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  AsyncJacobi(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        norms_(backend, 1),
        sweeps_(options.choices.count(option::local)) {}

 protected:
  void set_up(const Operator<B, T>& A) override {
    require_diagonal(this->be_, A, "async-jacobi");
    A.csr();
  }
  Vector* residual() override { return nullptr; }
  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {}

  void step(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector& b, Vector& x) override {
    const Csr<B, T>& csr = A.csr();
    const int n = x.extent().count();
    const LocalSweeps<T> pass{csr.view(), b.data(), x.data(), n, sweeps_};
    // the matrix once: the local sweeps find their rows in the caches
    const double moved =
        double(csr.entries()) * (sizeof(T) + sizeof(int)) + n * (3.0 * sizeof(T) + sizeof(int));
    this->be_.template groups<LocalSweeps<T>::lanes>(
        "local sweeps", (n + LocalSweeps<T>::rows - 1) / LocalSweeps<T>::rows, moved, pass);
    A.residual(b, x, nullptr, norms_.data(), this->recorded());
  }

 private:
  Buffer<B, Norms> norms_;
  int sweeps_;
};

}  // namespace wavesim
