#pragma once
// The locally optimal block preconditioned conjugate gradient method for the lowest eigenpairs of K x = lambda M x, K
// symmetric, M symmetric positive definite (Knyazev, SIAM J. Sci. Comput. 23, 2001). An iteration is a Rayleigh-Ritz
// step in the space of the block X, the preconditioned residuals W of what has not converged (soft locking), and the
// directions P that the step before went. The basis [X P W] is kept M-orthonormal (orthonormal.hpp), so that the dense
// problem, of three block sizes, is a standard one. The host looks at each step: it solves that problem.

#include <limits>

#include "kernels/numbers/finite.hpp"
#include "solvers/core/preconditioner.hpp"
#include "solvers/eigenpairs/eigenpairs.hpp"
#include "solvers/eigenpairs/orthonormal.hpp"

namespace wavesim {

/// Numbers between -1 and 1 that look random and are the same on all machines.
HD inline double noise(unsigned column, unsigned i) {
  unsigned h = i * 0x9E3779B9u + (column + 1) * 0x85EBCA6Bu;
  h = (h ^ (h >> 16)) * 0x7FEB352Du;
  h = (h ^ (h >> 15)) * 0x846CA68Bu;
  h ^= h >> 16;
  return double(h) * 0x1p-31 - 1;
}

template <class B, class T>
class Lobpcg {
 public:
  using Vector = Field<B, T>;
  /// `mass`: M; null: the identity. `preconditioner`: about K^-1; null: none. `unknowns`: zero where vectors have to be.
  Lobpcg(B& backend, const Operator<B, T>& stiffness, const Operator<B, T>* mass,
         Preconditioner<B, T>* preconditioner, const Vector& unknowns, const EigenOptions& options)
      : be_(backend),
        K_(stiffness),
        mass_(mass),
        preconditioner_(preconditioner),
        unknowns_(unknowns),
        o_(options),
        e_(stiffness.extent()),
        passes_(backend, e_, 3 * options.block),
        orthonormalise_(backend, e_, mass, passes_, options.block),
        x_(make()),
        Kx_(make()),
        Mx_(mass ? make() : FieldBlock<B, T>()),
        p_(make()),
        Kp_(make()),
        Mp_(mass ? make() : FieldBlock<B, T>()),
        w_(make()),
        Kw_(make()),
        Mw_(mass ? make() : FieldBlock<B, T>()),
        next_x_(make()),
        next_p_(make()),
        r_(backend, e_),
        norms_(backend, std::size_t(options.block)),
        unused_(backend, 1) {}

  Eigenpairs solve() {
    Eigenpairs found = iterate();
    for (std::vector<double>* of_all : {&found.value, &found.residual})  // none where it could not begin
      of_all->resize(std::size_t(o_.count), std::numeric_limits<double>::quiet_NaN());
    return found;
  }
  /// With x'M x = 1, after a solve.
  const Vector& vector(int k) const { return x_.fields[std::size_t(k)]; }

  // The passes of a step; public, as nvcc wants functions with kernels.

  void fill_with_noise(Vector& x, unsigned column) {
    be_.rows(
        "x = noise", e_, 0.0,
        [=] KERNEL(Row r, const T& inside, T& xi) { xi = inside * T(noise(column, unsigned(r.i))); },
        unknowns_.in(), x.out());
  }
  /// Preconditioners that know no shapes, as sine transforms, leave something outside of them.
  void keep_unknowns(Vector& w) {
    be_.map(
        "w = 0 outside", e_, [] KERNEL(const T& inside, T& wi) { wi *= inside; }, unknowns_.in(), w.inout());
  }
  /// r = K x - lambda M x, and the squares of the lengths of r, M x, x and K x
  void residual(int k, double lambda, Vector& r) {
    const Vector& Mx = (mass_ ? Mx_ : x_).fields[std::size_t(k)];
    be_.map_sum(
        "r = K x - lambda M x", e_, norms_.data() + k,
        [=] KERNEL(const T& Kx, const T& Mx, const T& x, T& r) {
          r = std::fma(-T(lambda), Mx, Kx);
          return Sum<4>{{double(r) * r, double(Mx) * Mx, double(x) * x, double(Kx) * Kx}};
        },
        NoEpilogue{}, Kx_.fields[std::size_t(k)].in(), Mx.in(), x_.fields[std::size_t(k)].in(), r.out());
  }

 private:
  FieldBlock<B, T> make() { return FieldBlock<B, T>(be_, e_, o_.block); }

  Eigenpairs iterate() {
    Eigenpairs found;
    if (!begin()) return ended(found, Status::indefinite);
    for (;; ++found.iterations) {
      measure(found.residual);
      if (!finite(found.residual)) return ended(found, Status::not_finite);
      if (converged(found.residual)) {
        refresh();  // what the iteration keeps of K x and M x has rounded
        measure(found.residual);
        found.value = lambda_;
        if (converged(found.residual)) return ended(found, Status::converged);
      }
      found.value = lambda_;
      if (found.iterations == o_.most_iterations) return ended(found, Status::max_iterations);
      if (found.iterations % 25 == 24) refresh();
      if (const Status status = step(found.residual); status != Status::running) return ended(found, status);
    }
  }
  static Eigenpairs ended(Eigenpairs found, Status status) {
    found.status = status;
    return found;
  }
  static bool finite(const std::vector<double>& v) {
    return std::all_of(v.begin(), v.end(), [](double r) { return std::isfinite(r); });
  }
  bool converged(const std::vector<double>& residual) const {
    return std::all_of(residual.begin(), residual.begin() + o_.count,
                       [&](double r) { return r <= o_.tolerance; });
  }

  /// X: noise, and the eigenvectors in its space.
  bool begin() {
    const int m = o_.block;
    for (int k = 0; k < m; ++k) fill_with_noise(x_.fields[std::size_t(k)], unsigned(k));
    if (orthonormalise_({}, {}, x_, Mx_, m) < m) return false;
    apply(x_, Kx_, m);
    // Noise has a share of every eigenvector: |K x| to |x| is about the size of K.
    lambda_.assign(std::size_t(m), 0);
    for (int k = 0; k < m; ++k) residual(k, 0, r_);
    for (const Sum<4>& s : norms_.download()) size_of_K_ = std::max(size_of_K_, std::sqrt(s.v[3] / s.v[2]));
    in_p_ = 0;
    rayleigh_ritz(0);
    return true;
  }

  /// W = residuals of all columns, each relative to lambda M x, and to what rounding allows (EigenOptions::tolerance).
  void measure(std::vector<double>& relative) {
    const int m = o_.block;
    for (int k = 0; k < m; ++k) residual(k, lambda_[std::size_t(k)], w_.fields[std::size_t(k)]);
    const std::vector<Sum<4>> norms = norms_.download();
    be_.synchronize();
    relative.clear();
    for (int k = 0; k < m; ++k) {
      const auto& s = norms[std::size_t(k)].v;
      const double rounding = rounding_of_a_product * size_of_K_ * std::sqrt(s[2]) / o_.tolerance;
      relative.push_back(std::sqrt(s[0]) /
                         std::max(std::abs(lambda_[std::size_t(k)]) * std::sqrt(s[1]), rounding));
    }
  }

  Status step(const std::vector<double>& residual) {
    const int m = o_.block;
    active_.clear();
    for (int k = 0; k < m; ++k)
      if (residual[std::size_t(k)] > o_.tolerance) active_.push_back(k);
    // W = T R, of the active columns alone, which come first.
    int n = 0;
    for (const int k : active_) {
      Vector& w = w_.fields[std::size_t(n++)];
      if (preconditioner_) {
        preconditioner_->solve(w_.fields[std::size_t(k)], r_, unused_.data());
        keep_unknowns(r_);
        std::swap(w, r_);
      } else if (n - 1 != k) {
        std::swap(w, w_.fields[std::size_t(k)]);
      }
    }
    n = orthonormalise_(basis(x_, p_, in_p_), mass_ ? basis(Mx_, Mp_, in_p_) : basis(x_, p_, in_p_), w_, Mw_,
                        n);
    if (n < 0) return Status::indefinite;
    if (n == 0) return Status::stagnated;  // the space of X and P holds all residuals
    apply(w_, Kw_, n);
    return rayleigh_ritz(n) ? Status::running : Status::not_finite;
  }

  /// The lowest eigenvectors in the space of [X P W], W of n columns, and the directions that led to the active ones.
  bool rayleigh_ritz(int n) {
    const int m = o_.block;
    const VectorBlock<T> S = basis(x_, p_, in_p_, &w_, n), KS = basis(Kx_, Kp_, in_p_, &Kw_, n);
    const SmallEigenpairs pairs = eigenpairs_of(passes_.inner_products(S, KS, true));
    if (!finite(pairs.value)) return false;
    lambda_.assign(pairs.value.begin(), pairs.value.begin() + m);
    const SmallMatrix C = pairs.vectors.first_columns(m), D = directions(C);
    const auto go = [&](FieldBlock<B, T>& x, FieldBlock<B, T>& p, const VectorBlock<T>& from) {
      passes_.combine(from, C, next_x_.first(m));
      passes_.combine(from, D, next_p_.first(D.columns));
      std::swap(x, next_x_);
      std::swap(p, next_p_);
    };
    const VectorBlock<T> MS = mass_ ? basis(Mx_, Mp_, in_p_, &Mw_, n) : VectorBlock<T>();
    go(x_, p_, S);
    go(Kx_, Kp_, KS);
    if (mass_) go(Mx_, Mp_, MS);
    in_p_ = D.columns;
    return true;
  }
  /// P: what the active columns have outside of the old X, orthonormal to the new one, in coordinates of [X P W].
  SmallMatrix directions(const SmallMatrix& C) const {
    const int m = o_.block;
    if (C.rows == m) return SmallMatrix(m, 0);
    SmallMatrix D(C.rows, int(active_.size()));
    for (int i = m; i < C.rows; ++i)
      for (int j = 0; j < D.columns; ++j) D(i, j) = C(i, active_[std::size_t(j)]);
    for (int turn = 0; turn < 2; ++turn) {
      const SmallMatrix inside = product(C, transposed_product(C, D));
      for (std::size_t k = 0; k < D.values.size(); ++k) D.values[k] -= inside.values[k];
      D = orthonormal(D);
    }
    return D;
  }

  /// K x, M x, K p and M p anew, and the Rayleigh quotients of X.
  void refresh() {
    apply(x_, Kx_, o_.block);
    orthonormalise_.apply_mass(x_, Mx_, o_.block);
    apply(p_, Kp_, in_p_);
    orthonormalise_.apply_mass(p_, Mp_, in_p_);
    const int m = o_.block;
    const SmallMatrix xKx = passes_.inner_products(x_.first(m), Kx_.first(m), true),
                      xMx = passes_.inner_products(x_.first(m), orthonormalise_.of_mass(x_, Mx_, m), true);
    for (int k = 0; k < m; ++k) lambda_[std::size_t(k)] = xKx(k, k) / xMx(k, k);
  }
  void apply(const FieldBlock<B, T>& y, FieldBlock<B, T>& Ky, int count) const {
    apply_to_first(K_, y, Ky, count);
  }
  /// All of x, and the first columns of p and w.
  VectorBlock<T> basis(const FieldBlock<B, T>& x, const FieldBlock<B, T>& p, int in_p,
                       const FieldBlock<B, T>* w = nullptr, int in_w = 0) const {
    VectorBlock<T> all = x.first(o_.block);
    for (T* column : p.first(in_p)) all.push_back(column);
    if (w)
      for (T* column : w->first(in_w)) all.push_back(column);
    return all;
  }

  static constexpr double rounding_of_a_product = 10 * double(std::numeric_limits<T>::epsilon());

  B& be_;
  const Operator<B, T>& K_;
  const Operator<B, T>* mass_;
  Preconditioner<B, T>* preconditioner_;
  const Vector& unknowns_;
  const EigenOptions o_;
  Extent e_;
  BlockPasses<B, T> passes_;
  Orthonormaliser<B, T> orthonormalise_;
  FieldBlock<B, T> x_, Kx_, Mx_, p_, Kp_, Mp_, w_, Kw_, Mw_, next_x_, next_p_;
  Vector r_;
  Buffer<B, Sum<4>> norms_;
  Buffer<B, double> unused_;
  std::vector<double> lambda_;
  std::vector<int> active_;  // columns that have not converged
  int in_p_ = 0;             // columns of P
  double size_of_K_ = 0;
};

}  // namespace wavesim
