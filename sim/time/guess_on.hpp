#pragma once
// Where the solve of a step starts: increments carried on in time, or the best combination of earlier ones.

#include <cmath>
#include <memory>

#include "kernels/backend/errors.hpp"
#include "kernels/memory/field.hpp"
#include "kernels/reduce/reduce.hpp"
#include "sim/time/guess_options.hpp"
#include "solvers/core/archive.hpp"
#include "solvers/core/operator.hpp"

namespace wavesim {

/// The guess for the increment d of a step. `before` leaves it in d, which holds the last increment; `after`
/// is told that d is solved for.
template <class B, class T>
class Guess {
 public:
  virtual ~Guess() = default;
  /// For A d = b. False: the guess is zero, and d need not be looked at.
  virtual bool before(const Field<B, T>& b, Field<B, T>& d) = 0;
  /// A d = b is solved; b is not needed any more and may be written.
  virtual void after(Operator<B, T>&, Field<B, T>& /*b*/, const Field<B, T>& /*d*/) {}
  /// The matrix is another one from here on.
  virtual void forget() {}
  /// What later guesses are made of. `d`: the last increment.
  virtual void archive(Archive&, Field<B, T>& /*d*/) {}
};

/// u(n).
template <class B, class T>
class PreviousState final : public Guess<B, T> {
 public:
  bool before(const Field<B, T>&, Field<B, T>&) override { return false; }
};

/// The polynomial in time through the last 1, 2 or 3 increments: with degree 1 the guess is off by O(dt^3),
/// as a step of a scheme of second order is.
template <class B, class T>
class Extrapolation final : public Guess<B, T> {
 public:
  Extrapolation(B& backend, Extent e, int degree) : be_(backend), degree_(degree) {
    for (int k = 0; k < degree; ++k) earlier_[k] = Field<B, T>(be_, e);
  }

  bool before(const Field<B, T>&, Field<B, T>& d) override {
    const int known = known_;  // increments there are
    if (known_ <= degree_) ++known_;
    if (known == 0) return false;
    if (degree_ > 0) carry_on(d, known < degree_ + 1 ? known - 1 : degree_);
    return true;
  }

  /// d = d, 2 d - e1 or 3 d - 3 e1 + e2, with e1, e2 the increments before, which move on by one.
  void carry_on(Field<B, T>& d, int degree) {
    const T c0 = T(degree + 1),
            c1 = degree == 2   ? T(-3)
                 : degree == 1 ? T(-1)
                               : T(0),
            c2 = degree == 2 ? T(1) : T(0);
    const Extent& n = d.extent();
    if (degree_ == 1)
      be_.map(
          "guess", n,
          [=] KERNEL(T & d, T & e1) {
            const T last = d;
            d = std::fma(c0, d, c1 * e1);
            e1 = last;
          },
          d.inout(), earlier_[0].inout());
    else
      be_.map(
          "guess", n,
          [=] KERNEL(T & d, T & e1, T & e2) {
            const T last = d;
            d = std::fma(c0, d, std::fma(c1, e1, c2 * e2));
            e2 = e1;
            e1 = last;
          },
          d.inout(), earlier_[0].inout(), earlier_[1].inout());
  }

  void archive(Archive& a, Field<B, T>& d) override {
    a.number("known increments", known_);
    if (known_ == 0) return;
    a.field("increment", d);
    for (int k = 0; k < degree_; ++k) a.field("increment " + std::to_string(k + 1) + " before", earlier_[k]);
  }

 private:
  B& be_;
  const int degree_;
  int known_ = 0;
  Field<B, T> earlier_[2];
};

/// Up to most_solutions vectors, as kernels see them.
template <class T>
struct Basis {
  T* x[most_solutions] = {};
  int count = 0;
};

/// The combination of the last m increments with the least error in the norm of A: P. F. Fischer, Projection
/// techniques for iterative solution of Ax = b with successive right-hand sides, CMAME 163 (1998), 193-204,
/// method 2. The basis x_1, x_2, ... is A-orthonormal, so the combination is sum <x_k, b> x_k; what a solve
/// adds to it becomes the next x_k, and when there are m the basis begins again with the whole solution.
template <class B, class T>
class Projection final : public Guess<B, T> {
 public:
  Projection(B& backend, Extent e, int solutions)
      : be_(backend), e_(e), most_(solutions), sums_(backend, 1), scale_(backend, 1) {
    for (int k = 0; k < most_; ++k) {
      memory_[k] = Field<B, T>(be_, e);
      basis_.x[k] = memory_[k].data();
    }
  }

  bool before(const Field<B, T>& b, Field<B, T>& d) override {
    if (basis_.count == 0) return false;
    const T* const rhs = b.data();
    const Basis<T> x = basis_;
    be_.rows_sum(
        "<x_k, b>", e_, double(x.count + 1) * sizeof(T), sums_.data(),
        [=] KERNEL(Row r) {
          Products s;
          UNROLL for (int k = 0; k < most_solutions; ++k) if (k < x.count) s.v[k] =
              double(x.x[k][r.i]) * double(rhs[r.i]);
          return s;
        },
        NoEpilogue{});
    const Products* const s = sums_.data();
    be_.rows(
        "d = sum <x_k, b> x_k", e_, double(x.count) * sizeof(T),
        [=] KERNEL(Row r, T & v) { v = T(combination(x, *s, r.i)); }, d.out());
    return true;
  }

  void after(Operator<B, T>& A, Field<B, T>& b, const Field<B, T>& d) override {
    if (basis_.count == most_) basis_.count = 0;
    Field<B, T>& fresh = memory_[basis_.count];
    const Basis<T> x = basis_;
    const Products* const s = sums_.data();
    const T* const solution = d.data();
    be_.rows(  // sums_ holds what `before` left there
        "x = d - guess", e_, double(x.count + 1) * sizeof(T),
        [=] KERNEL(Row r, T & v) { v = T(double(solution[r.i]) - combination(x, *s, r.i)); }, fresh.out());
    A.apply(fresh, b);

    // Gram-Schmidt in the inner product of A. In exact arithmetic x is A-orthogonal already; a solve to a
    // tolerance leaves a rest.
    const T *const v = fresh.data(), *const Av = b.data();
    double* const scale = scale_.data();
    be_.rows_sum(
        "<x_k, A x>", e_, double(x.count + 2) * sizeof(T), sums_.data(),
        [=] KERNEL(Row r) {
          Products s;
          UNROLL for (int k = 0; k < most_solutions; ++k) if (k < x.count) s.v[k] =
              double(x.x[k][r.i]) * double(Av[r.i]);
          s.v[most_solutions] = double(v[r.i]) * double(Av[r.i]);
          return s;
        },
        [=] KERNEL(const Products& s) {
          double square = s.v[most_solutions];
          for (int k = 0; k < x.count; ++k) square = std::fma(-s.v[k], s.v[k], square);
          // Nothing new but rounding: a zero vector, which takes no part.
          *scale = square > 1e-30 * s.v[most_solutions] && square > 0 ? 1 / std::sqrt(square) : 0;
        });
    be_.rows(
        "x = (x - sum <x_k, A x> x_k) / |x|", e_, double(x.count) * sizeof(T),
        [=] KERNEL(Row r, T & v) { v = T((double(v) - combination(x, *s, r.i)) * *scale); }, fresh.inout());
    ++basis_.count;
  }

  void forget() override { basis_.count = 0; }

  void archive(Archive& a, Field<B, T>&) override {
    int count = basis_.count;
    a.number("solutions", count);
    if (count < 0 || count > most_)
      throw InputError("saved state: there are " + std::to_string(count) +
                       " solutions to project on, and this run keeps " + std::to_string(most_) +
                       "; go on with the config that it was saved with");
    basis_.count = count;
    for (int k = 0; k < count; ++k) a.field("solution " + std::to_string(k), memory_[k]);
  }

  using Products = Sum<most_solutions + 1>;  // <x_k, .>, and <x, A x> of a new x

  HD static double combination(const Basis<T>& x, const Products& s, int i) {
    double sum = 0;
    UNROLL for (int k = 0; k < most_solutions; ++k) if (k < x.count) sum =
        std::fma(s.v[k], double(x.x[k][i]), sum);
    return sum;
  }

 private:
  B& be_;
  Extent e_;
  const int most_;
  Field<B, T> memory_[most_solutions];
  Basis<T> basis_;
  Buffer<B, Products> sums_;
  Buffer<B, double> scale_;
};

template <class B, class T>
std::unique_ptr<Guess<B, T>> make_guess(const GuessOptions& o, B& backend, Extent e) {
  if (o.kind == "extrapolate") return std::make_unique<Extrapolation<B, T>>(backend, e, o.degree);
  if (o.kind == "projection") return std::make_unique<Projection<B, T>>(backend, e, o.solutions);
  return std::make_unique<PreviousState<B, T>>();
}

}  // namespace wavesim
