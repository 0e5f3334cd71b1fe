#pragma once
// Conjugate gradients for several right-hand sides at once (O'Leary, Linear Algebra Appl. 29, 1980): X is sought in the space
// of the residuals of all columns, so that each column gains from the others, and A multiplies all of them in one pass. The
// form is BCGrQ of Dubrulle (ETNA 12, 2001), which keeps the residuals as R = Q xi with Q orthonormal, here in the inner
// product of M^-1, V = M^-1 Q:
//
//   alpha = (P'A P)^-1,  X += P alpha xi,  Q zeta = Q - A P alpha (orthonormalised),  xi = zeta xi,  P = V + P zeta'.
//
// No matrix is inverted that tends to singular as residuals vanish. Directions of Q that depend on others are dropped: the
// block becomes narrower. What that and rounding leave in R shows in the true residual at the end, from which the columns
// that are not solved start again. The host looks at each iteration: it has the small matrices.

#include <chrono>

#include "solvers/core/preconditioner.hpp"
#include "solvers/core/report.hpp"
#include "solvers/eigenpairs/orthonormal.hpp"
#include "solvers/krylov/small_cholesky.hpp"

namespace wavesim {

template <class B, class T>
class BlockCg {
 public:
  using Vector = Field<B, T>;
  /// `M`: about A; null: none. Residuals in the 2-norm, relative to b.
  BlockCg(B& backend, const Operator<B, T>& A, Preconditioner<B, T>* M, int columns, double tolerance,
          int most_iterations)
      : be_(backend),
        A_(A),
        M_(M),
        e_(A.extent()),
        most_(columns),
        tolerance_(tolerance),
        most_iterations_(most_iterations),
        passes_(backend, e_, 2 * columns),
        q_(make()),
        v_(M ? make() : FieldBlock<B, T>()),
        p_(make()),
        Ap_(make()),
        spare_(make()),
        norms_(backend, std::size_t(columns)),
        unused_(backend, 1) {}

  /// A x = b of each column, from x = 0. Each report has its share of the time and the traffic, the first the set-up of M.
  std::vector<Report> solve(std::span<const Vector> b, std::span<Vector> x) {
    using clock = std::chrono::steady_clock;
    const auto seconds_since = [&](clock::time_point begin) {
      be_.synchronize();
      return std::chrono::duration<double>(clock::now() - begin).count();
    };
    const auto begin = clock::now();
    if (M_) M_->prepare(A_);
    const double setup = seconds_since(begin), bytes_before = be_.counts().bytes;
    const auto prepared = clock::now();
    solve_columns(b, x);
    std::vector<Report> all = reports();
    const double count = double(all.size()), seconds = seconds_since(prepared) / count;
    for (Report& r : all) r.seconds = seconds, r.bytes = (be_.counts().bytes - bytes_before) / count;
    all.front().setup_seconds = setup;
    return all;
  }

  // Passes; public, as nvcc wants functions with kernels.

  void copy(const Vector& from, Vector& to) {
    be_.map(
        "r = b", e_, [] KERNEL(const T& bi, T& ri) { ri = bi; }, from.in(), to.out());
  }
  void norms_of(const Vector& r, Norms* norms) {
    be_.map_sum("|b|", e_, norms, NormsOf{}, NoEpilogue{}, r.in());
  }

 private:
  struct Column {
    Status status = Status::running;
    Norms reference, initial, last;  // last: the true residual of the last look
    double goal = 0, own = 0;        // own: the square of what the recurrence says
    int iterations = 0, looks = 0;
    std::vector<double> history;
  };

  void solve_columns(std::span<const Vector> b, std::span<Vector> x) {
    columns_.assign(b.size(), {});
    iterations_ = 0;
    std::vector<int> open;
    for (int j = 0; j < int(b.size()); ++j) open.push_back(j);
    for (bool first = true; !open.empty(); first = false) {
      open = start(b, x, open, first);
      if (open.empty()) break;
      const Status ended = iterate(x, open);
      if (ended == Status::running) continue;  // all claim to be solved: looked at next
      for (const int j : start(b, x, open, false)) columns_[std::size_t(j)].status = ended;
      break;
    }
  }

  FieldBlock<B, T> make() { return FieldBlock<B, T>(be_, e_, most_); }
  FieldBlock<B, T>& preconditioned() { return M_ ? v_ : q_; }

  /// Q: the true residuals of these columns. Returns those that are to be solved yet, which come first in Q.
  std::vector<int> start(std::span<const Vector> b, std::span<Vector> x, const std::vector<int>& asked,
                         bool first) {
    int n = 0;
    for (const int j : asked) {
      Vector& r = q_.fields[std::size_t(n)];
      if (first) {
        copy(b[std::size_t(j)], r);
        norms_of(r, norms_.data() + n++);
      } else {
        A_.residual(b[std::size_t(j)], x[std::size_t(j)], &r, norms_.data() + n++);
      }
    }
    const std::vector<Norms> norms = norms_.download();
    be_.synchronize();
    std::vector<int> open;
    for (std::size_t k = 0; k < asked.size(); ++k) {
      Column& c = columns_[std::size_t(asked[k])];
      const double before = std::sqrt(c.last.squares), now = std::sqrt(norms[k].squares);
      c.last = norms[k];
      if (first) {
        c.reference = c.initial = norms[k];
        c.goal = tolerance_ * now;
        c.own = norms[k].squares;
        c.history.push_back(now);
      }
      if (!IterationState::finite(norms[k]))
        c.status = Status::not_finite;
      else if (now <= c.goal)
        c.status = Status::converged;
      else if (++c.looks > 2 && now > 0.5 * before)
        c.status = Status::stagnated;
      if (c.status != Status::running) continue;
      if (open.size() != k) std::swap(q_.fields[open.size()], q_.fields[k]);
      open.push_back(asked[k]);
    }
    return open;
  }

  /// Until the recurrence says that all columns are solved (running), or how it ended.
  Status iterate(std::span<Vector> x, const std::vector<int>& open) {
    SmallMatrix xi;
    int width = orthonormalise(int(open.size()), xi);
    if (width < 0) return Status::indefinite;
    passes_.combine(preconditioned().first(width), identity(width), p_.first(width));
    std::vector<T*> solutions;
    for (const int j : open) solutions.push_back(x[std::size_t(j)].data());
    for (; width > 0; ++iterations_) {
      if (iterations_ == most_iterations_) return Status::max_iterations;
      apply_to_first(A_, p_, Ap_, width);
      const SmallMatrix alpha =
          inverse_of_definite(passes_.inner_products(p_.first(width), Ap_.first(width), true));
      if (alpha.rows == 0) return Status::indefinite;
      passes_.add(p_.first(width), product(alpha, xi), solutions);
      passes_.add(Ap_.first(width), negative(alpha), q_.first(width));
      SmallMatrix zeta;
      const int left = orthonormalise(width, zeta);
      if (left < 0) return Status::indefinite;
      xi = product(zeta, xi);
      if (!record(open, xi, left)) return Status::not_finite;
      if (solved(open)) {
        ++iterations_;
        return Status::running;
      }
      // P = V + P zeta'
      VectorBlock<T> both = preconditioned().first(left);
      for (T* column : p_.first(width)) both.push_back(column);
      SmallMatrix C(left + width, left);
      for (int j = 0; j < left; ++j) {
        C(j, j) = 1;
        for (int i = 0; i < width; ++i) C(left + i, j) = zeta(j, i);
      }
      passes_.combine(both, C, spare_.first(left));
      std::swap(p_, spare_);
      width = left;
    }
    return Status::running;
  }

  /// The first `width` of Q become orthonormal in the inner product of M^-1, V = M^-1 Q; before = after zeta. Returns how
  /// many are left, -1 where M is not positive definite.
  int orthonormalise(int width, SmallMatrix& zeta) {
    zeta = identity(width);
    for (int k = 0; M_ && k < width; ++k)
      M_->solve(q_.fields[std::size_t(k)], v_.fields[std::size_t(k)], unused_.data());
    for (int turn = 0; turn < 2 && width > 0; ++turn) {
      const SmallMatrix G = passes_.inner_products(q_.first(width), preconditioned().first(width), true);
      const PivotedCholesky factor(G);
      if (!factor.semidefinite) return -1;
      const int left = factor.zeta.rows;
      combine_in_place(q_, width, factor.combinations);
      if (M_) combine_in_place(v_, width, factor.combinations);
      zeta = product(factor.zeta, zeta);
      width = left;
      if (factor.least_pivot > 1e-4) break;  // the columns were far from dependent: rounding is small
    }
    return width;
  }
  void combine_in_place(FieldBlock<B, T>& y, int width, const SmallMatrix& C) {
    passes_.combine(y.first(width), C, spare_.first(C.columns));
    std::swap(y, spare_);
  }

  /// The norms of R = Q xi. Returns whether they are numbers.
  bool record(const std::vector<int>& open, const SmallMatrix& xi, int width) {
    SmallMatrix N = identity(width);
    if (M_ && width > 0) N = passes_.inner_products(q_.first(width), q_.first(width), true);
    const SmallMatrix Nxi = product(N, xi);
    for (std::size_t k = 0; k < open.size(); ++k) {
      Column& c = columns_[std::size_t(open[k])];
      double squares = 0;
      for (int i = 0; i < width; ++i) squares += xi(i, int(k)) * Nxi(i, int(k));
      if (!std::isfinite(squares)) return false;
      c.own = std::max(squares, 0.0);
      c.history.push_back(std::sqrt(c.own));
      c.iterations = iterations_ + 1;
    }
    return true;
  }
  bool solved(const std::vector<int>& open) const {
    return std::all_of(open.begin(), open.end(), [&](int j) {
      const Column& c = columns_[std::size_t(j)];
      return std::sqrt(c.own) <= c.goal;
    });
  }

  std::vector<Report> reports() const {
    std::vector<Report> all;
    for (const Column& c : columns_) {
      Report r;
      r.status = c.status;
      r.iterations = c.iterations;
      r.norm = Norm::relative_2;
      r.reference = c.reference;
      r.initial = c.initial;
      r.recurrence.squares = c.own;
      r.final = c.last;
      r.goal = c.goal;
      r.history = c.history;
      all.push_back(std::move(r));
    }
    return all;
  }

  static SmallMatrix identity(int n) {
    SmallMatrix I(n, n);
    for (int i = 0; i < n; ++i) I(i, i) = 1;
    return I;
  }
  static SmallMatrix negative(SmallMatrix C) {
    for (double& v : C.values) v = -v;
    return C;
  }

  B& be_;
  const Operator<B, T>& A_;
  Preconditioner<B, T>* M_;
  Extent e_;
  int most_;
  double tolerance_;
  int most_iterations_, iterations_ = 0;
  BlockPasses<B, T> passes_;
  FieldBlock<B, T> q_, v_, p_, Ap_, spare_;
  Buffer<B, Norms> norms_;
  Buffer<B, double> unused_;
  std::vector<Column> columns_;
};

}  // namespace wavesim
