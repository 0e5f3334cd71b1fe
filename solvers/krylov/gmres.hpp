#pragma once
// Restarted GMRES for any non-singular A (Saad & Schultz 1986; Saad 2003, Algorithms 9.5 and 9.6),
// right-preconditioned, so that its residual is the true one. Columns are made orthogonal by classical
// Gram-Schmidt done twice: as good as modified Gram-Schmidt, with eight inner products in each reduction. An
// iteration is a column: one product with A. x is formed at restarts and at the end (`finish`).
//
// The 2-norm of the residual is known in every iteration, its largest component only at restarts: in between
// it is taken to be as large as the norm, which it cannot exceed.

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "solvers/catalogue/option_list.hpp"
#include "solvers/core/solve_loop.hpp"
#include "solvers/krylov/gmres_least_squares.hpp"

namespace wavesim {

/// `flexible`: the preconditioner may change from one application to the next (fgmres.hpp).
template <class B, class T, bool flexible = false>
class Gmres final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  Gmres(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        restart_(options.choices.count(option::restart)),
        v_(vectors(backend, A.extent(), restart_ + 1)),
        z_(vectors(backend, A.extent(),
                   !options.preconditioned() ? 0
                   : flexible                ? restart_
                                             : 1)),
        v_pointers_(pointers(backend, v_)),
        z_pointers_(pointers(backend, z_)),
        numbers_(backend, std::size_t(restart_) * (restart_ + 7) + 1),
        scalars_(backend, 1),
        norms_(backend, 1),
        dots_(backend, 1),
        below_(backend, 1) {
    GmresScalars start = {};
    start.rounding = double(std::numeric_limits<T>::epsilon());
    start.restart = restart_;
    double* next = numbers_.data();
    const auto take = [&](std::size_t n) { return std::exchange(next, next + n); };
    const std::size_t m = restart_;
    start.R = take(m * m);
    for (double** one : {&start.h, &start.c, &start.s, &start.y, &first_, &second_}) *one = take(m);
    start.g = take(m + 1);
    backend.upload(scalars_.data(), &start, 1);
  }

  Vector* residual() override { return &v_[0]; }

  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {
    GmresScalars* g = scalars_.data();
    const Norms* first = this->first_norms();
    this->be_.once("beta = |r|", [=] KERNEL() { g->begin(*first); });
    normalise(v_[0]);
    k_ = 0;
  }

  void step(const Operator<B, T>& A, Preconditioner<B, T>* M, const Vector& b, Vector& x) override {
    if (k_ == restart_) {
      add_columns(M, x);
      A.residual(b, x, &v_[0], norms_.data());
      this->be_.once("begin again", GmresRestarted{scalars_.data(), this->control_.data(), norms_.data()});
      normalise(v_[0]);
      k_ = 0;
      if constexpr (!B::asynchronous)
        if (this->control_.data()->status != Status::running) return;
    }
    const int k = k_++;
    Vector& w = v_[k + 1];
    A.apply(preconditioned(M, k), w);  // w = A M^-1 v
    // h = V' w, w -= V h; twice, because cancellation may leave little of w
    inner_products(w, k + 1, first_, false);
    subtract(w, k + 1, first_);
    inner_products(w, k + 1, second_, true);
    const T* const* v = v_pointers_.data();
    const double* second = second_;
    const int count = k + 1;
    this->be_.rows_sum(
        "w -= V h, |w|", this->extent_, count * double(sizeof(T)), below_.data(),
        [=] KERNEL(Row r, T & wi) {
          T sum = wi;
          for (int j = 0; j < count; ++j) sum = std::fma(-T(second[j]), v[j][r.i], sum);
          wi = sum;
          return Sum<1>{{double(wi) * wi}};
        },
        GmresRecorded{this->recorded(), scalars_.data(), k}, w.inout());
    normalise(w);
  }

  bool finishes() const override { return true; }
  void finish(Preconditioner<B, T>* M, Vector& x, const IterationState&) override { add_columns(M, x); }

  // The passes of a step; public, as nvcc wants functions with kernels.

  /// v <- v / |v|
  void normalise(Vector& v) {
    const GmresScalars* g = scalars_.data();
    this->be_.map(
        "v = w / |w|", this->extent_, [=] KERNEL(T & vi) { vi *= T(g->scale); }, v.inout());
  }
  /// to <- V' w, for `count` columns. The column of H becomes that, or is increased by it (`again`).
  void inner_products(const Vector& w, int count, double* to, bool again) {
    for (int first = 0; first < count; first += gmres_columns) {
      const int n = std::min(gmres_columns, count - first);
      GmresColumns<T> columns;
      for (int k = 0; k < n; ++k) columns.v[k] = v_[first + k].data();
      this->be_.rows_sum(
          "h = V' w", this->extent_, n * double(sizeof(T)), dots_.data(),
          [=] KERNEL(Row r, const T& wi) {
            Sum<gmres_columns> sum;
            UNROLL for (int k = 0; k < gmres_columns; ++k) if (k < n) sum.v[k] =
                double(columns.v[k][r.i]) * wi;
            return sum;
          },
          GmresCoefficients{scalars_.data(), to, first, n, again}, w.in());
    }
  }
  /// w <- w - V h
  void subtract(Vector& w, int count, const double* h) {
    const T* const* v = v_pointers_.data();
    this->be_.rows(
        "w -= V h", this->extent_, count * double(sizeof(T)),
        [=] KERNEL(Row r, T & wi) {
          T sum = wi;
          for (int j = 0; j < count; ++j) sum = std::fma(-T(h[j]), v[j][r.i], sum);
          wi = sum;
        },
        w.inout());
  }
  /// x <- x + M^-1 V y with the columns since the last restart, of which none is left then.
  void add_columns(Preconditioner<B, T>* M, Vector& x) {
    GmresScalars* g = scalars_.data();
    const IterationState* control = this->control_.data();
    B& be = this->be_;
    be.once("y = R^-1 g", [=] KERNEL() {
      if (control->status == Status::not_finite) g->columns = 0;  // x stays what it was
      g->solve();
    });
    const double read = restart_ * double(sizeof(T));
    const bool once_for_all = M && !flexible;
    const T* const* v = M && flexible ? z_pointers_.data() : v_pointers_.data();
    if (once_for_all) {
      be.rows(
          "v = V y", this->extent_, read,
          [=] KERNEL(Row r, T & sum) {
            sum = 0;
            for (int j = 0; j < g->columns; ++j) sum = std::fma(T(g->y[j]), v[j][r.i], sum);
          },
          v_[0].out());
      M->solve(v_[0], z_[0], &g->unused);
      be.map(
          "x += M^-1 v", this->extent_, [=] KERNEL(const T& z, T& xi) { xi = g->columns > 0 ? xi + z : xi; },
          z_[0].in(), x.inout());
    } else {
      be.rows(
          "x += V y", this->extent_, read,
          [=] KERNEL(Row r, T & xi) {
            T sum = 0;
            for (int j = 0; j < g->columns; ++j) sum = std::fma(T(g->y[j]), v[j][r.i], sum);
            xi += sum;
          },
          x.inout());
    }
    be.once("columns = 0", [=] KERNEL() { g->columns = 0; });
  }

 private:
  static std::vector<Vector> vectors(B& backend, Extent e, int n) {
    std::vector<Vector> v;
    for (int k = 0; k < n; ++k) v.emplace_back(backend, e);
    return v;
  }
  static Buffer<B, const T*> pointers(B& backend, const std::vector<Vector>& v) {
    std::vector<const T*> p;
    for (const Vector& one : v) p.push_back(one.data());
    Buffer<B, const T*> buffer(backend, p.size());
    buffer.upload(p);
    return buffer;
  }
  const Vector& preconditioned(Preconditioner<B, T>* M, int k) {
    if (!M) return v_[k];
    Vector& z = z_[flexible ? k : 0];
    M->solve(v_[k], z, &scalars_.data()->unused);
    return z;
  }

  int restart_;
  std::vector<Vector> v_, z_;  // orthonormal; preconditioned
  Buffer<B, const T*> v_pointers_, z_pointers_;
  Buffer<B, double> numbers_;
  Buffer<B, GmresScalars> scalars_;
  Buffer<B, Norms> norms_;
  Buffer<B, Sum<gmres_columns>> dots_;
  Buffer<B, Sum<1>> below_;
  double *first_ = nullptr, *second_ = nullptr;  // coefficients of either Gram-Schmidt
  int k_ = 0;
};

}  // namespace wavesim
