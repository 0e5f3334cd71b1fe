#pragma once
// Conjugate gradients for several right-hand sides at once (O'Leary, Linear Algebra Appl. 29, 1980): X is sought in the space
// of the residuals of all columns, so that each column gains from the others, and A multiplies all of them in one pass. The
// form is BCGrQ of Dubrulle (ETNA 12, 2001), which keeps the residuals as R = Q xi with Q orthonormal, here in the inner
// product of M^-1, V = M^-1 Q:
//
//   alpha = (P'A P)^-1,  X += P alpha xi,  Q zeta = Q - A P alpha (orthonormalised),  xi = zeta xi,  P = V + P zeta'.
//
// No matrix is inverted that tends to singular as residuals vanish. Directions of Q that depend on others are dropped, and
// so are those of columns that are solved: the block becomes narrower. What that and rounding leave in R shows in the true
// residual at the end, from which the columns that are not solved start again. The host looks at each iteration: it has the
// small matrices.
//
// For s columns an iteration has 6.5 s^2 multiplications for each row beside A and M, in four passes: P'A P; Q - A P alpha;
// Q'V and Q'Q; X and P together. On a CPU an iteration takes less time than those of its columns alone where rows are long, and
// up to 1.6 times as much where the matrix has a thousand rows; but there iterations are fewer, so that a block pays
// (docs/solve.md). Only solves of one or two iterations may take twice as long, for the vectors are made first. Of GPUs it is
// not known.

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
  using Product = typename BlockPasses<B, T>::Product;
  using Combination = typename BlockPasses<B, T>::Combination;

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

  /// Q = W C for the first `width` columns W of q_, orthonormal in the inner product of M^-1, and W = Q zeta. There is no
  /// pass that makes Q, nor V = M^-1 Q: those who read them take W and M^-1 W with C.
  struct Basis {
    int width = 0;
    SmallMatrix C, zeta, squares;  // squares: W'W
    int columns() const { return C.columns; }
  };

  /// Until the recurrence says that all columns are solved (running), or how it ended.
  Status iterate(std::span<Vector> x, std::vector<int> open) {
    std::vector<T*> solutions;
    for (const int j : open) solutions.push_back(x[std::size_t(j)].data());
    Basis Q;
    if (!orthonormalise(int(open.size()), Q)) return Status::indefinite;
    SmallMatrix xi = Q.zeta;
    passes_.combine(preconditioned().first(Q.width), Q.C, p_.first(Q.columns()));
    while (Q.columns() > 0) {
      if (iterations_ == most_iterations_) return Status::max_iterations;
      const int width = Q.columns();
      apply_to_first(A_, p_, Ap_, width);
      const SmallMatrix alpha =
          inverse_of_definite(passes_.inner_products(p_.first(width), Ap_.first(width), true));
      if (alpha.rows == 0) return Status::indefinite;
      const Combination to_x{p_.first(width), product(alpha, xi), solutions, true};  // X += P alpha xi
      passes_.combine("W = Q - A P alpha", {both(q_, Q, Ap_, negative(alpha))});
      std::swap(q_, spare_);
      if (!orthonormalise(width, Q)) return Status::indefinite;
      xi = product(Q.zeta, xi);
      if (!record(open, Q, xi)) return Status::not_finite;
      ++iterations_;
      leave_solved(open, solutions, xi, Q);
      if (Q.columns() == 0) {
        passes_.combine("X += P alpha xi", {to_x});
        break;
      }
      passes_.combine("X += P alpha xi, P = V + P zeta'",
                      {to_x, both(preconditioned(), Q, p_, transposed(Q.zeta))});
      std::swap(p_, spare_);
    }
    return Status::running;
  }

  /// y Q.C + z D, for `spare_`.
  Combination both(const FieldBlock<B, T>& y, const Basis& Q, const FieldBlock<B, T>& z,
                   const SmallMatrix& D) {
    Combination sum{y.first(Q.width), Q.C, spare_.first(Q.columns())};
    for (T* column : z.first(D.rows)) sum.from.push_back(column);
    sum.C.rows += D.rows;
    sum.C.values.insert(sum.C.values.end(), D.values.begin(), D.values.end());
    return sum;
  }

  /// The basis of the first `width` columns of q_. Returns whether M is positive definite there.
  bool orthonormalise(int width, Basis& Q) {
    for (int k = 0; M_ && k < width; ++k)
      M_->solve(q_.fields[std::size_t(k)], v_.fields[std::size_t(k)], unused_.data());
    Q = {width, identity_matrix(width), identity_matrix(width), {}};
    for (int turn = 0; turn < 2 && Q.columns() > 0; ++turn) {
      if (turn > 0) {
        combine_in_place(q_, Q);
        if (M_) combine_in_place(v_, Q);
        Q.width = Q.columns();
      }
      const VectorBlock<T> W = q_.first(Q.width);
      std::vector<Product> wanted{{W, preconditioned().first(Q.width), true}};
      if (M_) wanted.push_back({W, W, true});
      const std::vector<SmallMatrix> products = passes_.inner_products(wanted);
      const PivotedCholesky factor(products.front());
      if (!factor.semidefinite) return false;
      Q.C = factor.combinations;
      Q.zeta = product(factor.zeta, Q.zeta);
      Q.squares = products.back();
      if (factor.least_pivot > 1e-4) break;  // the columns were far from dependent: rounding is small
    }
    return true;
  }

  void combine_in_place(FieldBlock<B, T>& y, const Basis& Q) {
    passes_.combine(y.first(Q.width), Q.C, spare_.first(Q.columns()));
    std::swap(y, spare_);
  }
  /// The norms of R = Q xi. Returns whether they are numbers.
  bool record(const std::vector<int>& open, const Basis& Q, const SmallMatrix& xi) {
    const SmallMatrix y = M_ ? product(Q.C, xi) : xi, Ny = M_ ? product(Q.squares, y) : y;
    for (std::size_t k = 0; k < open.size(); ++k) {
      Column& c = columns_[std::size_t(open[k])];
      double squares = 0;
      for (int i = 0; i < y.rows; ++i) squares += y(i, int(k)) * Ny(i, int(k));
      if (!std::isfinite(squares)) return false;
      c.own = std::max(squares, 0.0);
      c.history.push_back(std::sqrt(c.own));
      ++c.iterations;
    }
    return true;
  }
  /// Columns that are solved leave the block, and with them the directions that the others do not need: R = (Q U) (U' xi) of
  /// those that stay.
  void leave_solved(std::vector<int>& open, std::vector<T*>& solutions, SmallMatrix& xi, Basis& Q) const {
    std::vector<std::size_t> stay;
    for (std::size_t k = 0; k < open.size(); ++k) {
      const Column& c = columns_[std::size_t(open[k])];
      if (std::sqrt(c.own) > c.goal) stay.push_back(k);
    }
    const std::size_t n = stay.size();
    if (n == open.size()) return;
    SmallMatrix of_stay(xi.rows, int(n));
    for (std::size_t k = 0; k < n; ++k) {
      for (int i = 0; i < xi.rows; ++i) of_stay(i, int(k)) = xi(i, int(stay[k]));
      open[k] = open[stay[k]];
      solutions[k] = solutions[stay[k]];
    }
    open.resize(n), solutions.resize(n);
    const SmallMatrix U = orthonormal_columns(of_stay);
    xi = transposed_product(U, of_stay);
    Q.C = product(Q.C, U);
    Q.zeta = transposed_product(U, Q.zeta);
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
