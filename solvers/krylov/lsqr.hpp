#pragma once
// LSQR (Paige & Saunders 1982, section 4): least squares by a QR factorisation of the bidiagonal matrix, in exact
// arithmetic conjugate gradients on A' A x = A' b. The residual falls in each iteration.

#include "solvers/krylov/least_squares.hpp"

namespace wavesim {

struct LsqrRecurrence {
  static constexpr bool minimal = false;
  double rho_bar, phi_bar, c;
  double step, keep;
  int broken;

  HD void begin(const Bidiagonal& b) {
    rho_bar = b.alpha, phi_bar = b.beta;
    c = step = keep = 0;
    broken = 0;
  }
  HD void rotate(const Bidiagonal& b) {
    const double rho = std::sqrt(rho_bar * rho_bar + b.beta * b.beta);
    broken = !(rho > 0);
    if (broken) {  // x stays
      c = step = keep = 0;
      return;
    }
    c = rho_bar / rho;
    const double s = b.beta / rho;
    rho_bar = -c * b.alpha;
    step = c * phi_bar / rho;
    keep = -s * b.alpha / rho;
    phi_bar *= s;
  }
  HD double residual() const { return phi_bar; }
  HD double gradient(const Bidiagonal& b) const { return phi_bar * std::fabs(c) * b.length; }
  HD double of_g() const { return 0; }
};

template <class B, class T>
using Lsqr = LeastSquares<B, T, LsqrRecurrence>;

}  // namespace wavesim
