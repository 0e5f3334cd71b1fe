#pragma once
// Bounds of the spectrum of D^-1/2 A D^-1/2, which is that of D^-1 A, from a few Lanczos steps (Golub & Van
// Loan, "Matrix computations", 10.1): for symmetric A whose rows are not diagonally dominant, where the
// bounds of Gershgorin say nothing.
//
// The extreme eigenvalues of the tridiagonal matrix lie within the spectrum. The largest of them is short of
// the true one by at most 0.103 (ln(n (k-1)^4) / (k-1))^2 of it in the mean over starts (Kuczynski &
// Wozniakowski 1992, theorem 3.2), which is 4 % at k = 50 and n = 1e6: hence the factors below. What lies
// beyond the largest makes an iteration diverge, and that shows; what lies below the least only slows it.

#include <string>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "kernels/numbers/finite.hpp"
#include "solvers/core/operator.hpp"

namespace wavesim {

/// The least and the largest eigenvalue of the symmetric tridiagonal matrix with this diagonal, and `beside`
/// on both sides of it, by bisection (Golub & Van Loan, 8.4.1).
inline Bounds tridiagonal_bounds(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  const int n = int(diagonal.size());
  double low = 1e300, high = -1e300;  // Gershgorin
  for (int i = 0; i < n; ++i) {
    const double radius = (i > 0 ? std::abs(beside[i - 1]) : 0) + (i + 1 < n ? std::abs(beside[i]) : 0);
    low = std::min(low, diagonal[i] - radius);
    high = std::max(high, diagonal[i] + radius);
  }
  const auto below = [&](double x) {  // eigenvalues less than x: signs of the pivots of T - x
    int count = 0;
    double pivot = 1;
    for (int i = 0; i < n; ++i) {
      pivot = diagonal[i] - x - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0);
      if (pivot == 0) pivot = -1e-300;
      count += pivot < 0;
    }
    return count;
  };
  const auto eigenvalue = [&](int k) {  // counted from 0
    double a = low, b = high;
    for (int step = 0; step < 60; ++step) {
      const double middle = (a + b) / 2;
      (below(middle) > k ? b : a) = middle;
    }
    return (a + b) / 2;
  };
  return {eigenvalue(0), eigenvalue(n - 1)};
}

template <class B, class T>
class Lanczos {
 public:
  using Vector = Field<B, T>;
  Lanczos(B& backend, Extent e)
      : be_(backend),
        scale_(backend, e),
        v_(backend, e),
        before_(backend, e),
        u_(backend, e),
        w_(backend, e),
        sum_(backend, 1) {}

  static constexpr int steps = 50;
  static constexpr double above = 1.05, beneath = 0.9;

  /// Throws InputError where A turns out not to be positive definite. `who` asks.
  Bounds bounds(const Operator<B, T>& A, const std::string& who) {
    scale_by_diagonal(A, who);
    start(A.extent());
    const Extent& n = A.extent();
    std::vector<double> diagonal, beside;
    double beta = std::sqrt(squares(v_));
    scaled_into(v_, 1 / beta, v_);
    for (int k = 0; k < steps; ++k) {
      be_.map(
          "u = D^-1/2 v", n, [] KERNEL(const T& s, const T& v, T& u) { u = s * v; }, scale_.in(), v_.in(),
          u_.out());
      A.apply(u_, w_);
      const double alpha = product(k > 0 ? beta : 0);
      diagonal.push_back(alpha);
      beta = std::sqrt(take_off(alpha));
      if (!(beta > 10 * epsilon()) || k + 1 == steps) break;  // an invariant subspace: the bounds are sharp
      beside.push_back(beta);
      std::swap(v_, before_);
      scaled_into(w_, 1 / beta, v_);
    }
    const Bounds found = tridiagonal_bounds(diagonal, beside);
    if (!(found.least > 0))
      throw InputError(who +
                       ": Lanczos steps find that this matrix is not positive definite; try another method");
    return {beneath * found.least, above * found.largest};
  }

  // The passes; public, because nvcc wants the enclosing function of a device lambda to be.

  /// scale = D^-1/2
  void scale_by_diagonal(const Operator<B, T>& A, const std::string& who) {
    A.inverse_diagonal(u_);
    const T* d = u_.data();
    Buffer<B, Bounds> rows(be_, 1);
    be_.rows_sum(
        "D^-1/2", A.extent(), sizeof(T), rows.data(),
        [=] KERNEL(Row r, T & s) {
          const bool good = d[r.i] > 0 && is_finite(d[r.i]);
          s = good ? std::sqrt(d[r.i]) : T(0);
          return good ? Bounds{} : Bounds{double(r.number()), double(r.number())};
        },
        NoEpilogue{}, scale_.out());
    const Bounds bad = rows.download()[0];
    if (bad.least < 1e300)
      throw InputError(who + " needs a positive diagonal, and that of row " +
                       std::to_string(long(bad.least)) +
                       " (counted from 0) is not; the matrix is not positive definite");
  }
  /// v = numbers between -1 and 1 that depend on the row only: the same start each time.
  void start(Extent e) {
    v_.clear();
    be_.rows(
        "a start", e, 0,
        [] KERNEL(Row r, T & v) {
          unsigned h = unsigned(r.number()) * 2654435761u;
          h = (h ^ (h >> 15)) * 2246822519u;
          h = (h ^ (h >> 13)) * 3266489917u;
          v = T(double(h ^ (h >> 16)) * 0x1p-31 - 1);
        },
        v_.out());
  }
  /// <v, v>
  double squares(const Vector& v) {
    be_.map_sum(
        "<v, v>", v.extent(), sum_.data(), [] KERNEL(const T& x) { return Sum<1>{{double(x) * x}}; },
        NoEpilogue{}, v.in());
    return sum_.download()[0].v[0];
  }
  void scaled_into(const Vector& from, double factor, Vector& to) {
    const T f = T(factor);
    if (&from == &to)
      be_.map(
          "v = v / |v|", to.extent(), [=] KERNEL(T & v) { v *= f; }, to.inout());
    else
      be_.map(
          "v = w / |w|", to.extent(), [=] KERNEL(const T& w, T& v) { v = f * w; }, from.in(), to.out());
  }
  /// w = D^-1/2 w - beta v_before, <w, v>
  double product(double beta) {
    const T b = T(beta);
    be_.map_sum(
        "w = D^-1/2 w - beta v, <w, v>", v_.extent(), sum_.data(),
        [=] KERNEL(const T& s, const T& before, const T& v, T& w) {
          w = std::fma(-b, before, s * w);
          return Sum<1>{{double(w) * v}};
        },
        NoEpilogue{}, scale_.in(), before_.in(), v_.in(), w_.inout());
    return sum_.download()[0].v[0];
  }
  /// w = w - alpha v, <w, w>
  double take_off(double alpha) {
    const T a = T(alpha);
    be_.map_sum(
        "w = w - alpha v, <w, w>", v_.extent(), sum_.data(),
        [=] KERNEL(const T& v, T& w) {
          w = std::fma(-a, v, w);
          return Sum<1>{{double(w) * w}};
        },
        NoEpilogue{}, v_.in(), w_.inout());
    return sum_.download()[0].v[0];
  }

 private:
  static constexpr double epsilon() { return sizeof(T) == 8 ? 0x1p-52 : 0x1p-23; }

  B& be_;
  Vector scale_, v_, before_, u_, w_;
  Buffer<B, Sum<1>> sum_;
};

}  // namespace wavesim
