#pragma once
// Sums that keep what rounding takes from them and add it at the end: as accurate as sums in twice the
// precision, rounded once (Neumaier 1974; Ogita, Rump & Oishi 2005, "Accurate sum and dot product"). They
// rely on the compiler neither contracting nor reordering (cmake/: no -ffast-math, --fmad=false).

#include <cmath>

#include "kernels/backend/hd.hpp"

namespace wavesim {

/// a + b; what rounding takes from it, exactly, whichever of them is larger (Knuth), is added to `lost`.
HD inline double two_sum(double a, double b, double& lost) {
  const double sum = a + b, b_taken = sum - a;
  lost += (a - (sum - b_taken)) + (b - b_taken);
  return sum;
}

/// A reduction to R whose sums are compensated, in the order in which R's are joined.
template <class R>
struct Compensated {
  R sum = {}, lost = {};
  HD void join(const R& o) { sum.join(o, lost); }
  HD void join(const Compensated& o) {
    sum.join(o.sum, lost);
    lost.join(o.lost);
  }
};
template <class R>
concept Compensable = requires(R r) {
  r.join(r, r);
};

/// What a reduction has come to.
template <class R>
HD R value_of(const R& r) {
  return r;
}
template <class R>
HD R value_of(const Compensated<R>& c) {
  R r = c.sum;
  r.join(c.lost);
  return r;
}

/// b minus products, one after the other; products and sums keep what rounding takes from them (Dot2 of
/// Ogita, Rump & Oishi).
struct AccurateResidual {
  double sum, lost = 0;
  HD void take(double a, double x) {
    const double product = a * x;
    lost -= std::fma(a, x, -product);
    sum = two_sum(sum, -product, lost);
  }
  HD double value() const { return sum + lost; }
};

/// b - A x in row r.
template <class T, class View, class Row>
HD double accurate_residual(const View& A, Row r, T b, const T* x) {
  AccurateResidual row{double(b)};
  A.each(r, [&](int j, T a) { row.take(double(a), double(x[j])); });
  return row.value();
}

}  // namespace wavesim
