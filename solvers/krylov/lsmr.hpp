#pragma once
// LSMR (Fong & Saunders 2011): least squares by a second QR factorisation, of the factor of LSQR; in exact arithmetic
// MINRES on A' A x = A' b. |A' r| falls in each iteration, and |r| does too.

#include "solvers/krylov/least_squares.hpp"

namespace wavesim {

struct LsmrRecurrence {
  static constexpr bool minimal = true;
  double alpha_bar, zeta_bar, zeta, rho, rho_bar, c_bar, s_bar;
  double beta_d, rho_d, tau, theta, r;  // of the residual (section 3.2): beta, rho, tau and theta with marks
  double step, keep, bar_keep, gradient_keep, gradient_add;
  int broken;

  HD void begin(const Bidiagonal& b) {
    alpha_bar = b.alpha;
    zeta_bar = b.alpha * b.beta;
    zeta = tau = theta = s_bar = 0;
    rho = rho_bar = c_bar = rho_d = 1;
    beta_d = r = b.beta;
    beta_kept_ = 0;
    step = keep = bar_keep = gradient_keep = gradient_add = 0;
    broken = 0;
  }
  HD void rotate(const Bidiagonal& b) {
    const double rho_before = rho, rho_bar_before = rho_bar, zeta_before = zeta;
    rho = std::sqrt(alpha_bar * alpha_bar + b.beta * b.beta);
    const double c = alpha_bar / rho, s = b.beta / rho, theta_next = s * b.alpha;
    const double theta_bar = s_bar * rho;
    const double rotated = c_bar * rho;
    rho_bar = std::sqrt(rotated * rotated + theta_next * theta_next);
    broken = !(rho > 0 && rho_bar > 0);
    if (broken) {  // x stays
      step = keep = bar_keep = gradient_keep = gradient_add = 0;
      return;
    }
    alpha_bar = c * b.alpha;
    c_bar = rotated / rho_bar;
    s_bar = theta_next / rho_bar;
    zeta = c_bar * zeta_bar;
    zeta_bar *= -s_bar;
    step = zeta / (rho * rho_bar);
    keep = -theta_next / rho;
    bar_keep = -theta_bar * rho / (rho_before * rho_bar_before);
    gradient_keep = -s_bar, gradient_add = c_bar;
    rotate_residual(c, s, theta_bar, zeta_before);
  }
  HD double residual() const { return r; }
  HD double gradient(const Bidiagonal&) const { return std::fabs(zeta_bar); }
  HD double of_g() const { return std::fabs(zeta_bar); }

 private:
  double beta_kept_;

  HD void rotate_residual(double c, double s, double theta_bar, double zeta_before) {
    const double beta_hat = c * beta_d;
    beta_d *= -s;
    const double theta_before = theta, rho_tilde = std::sqrt(rho_d * rho_d + theta_bar * theta_bar);
    const double c_tilde = rho_d / rho_tilde, s_tilde = theta_bar / rho_tilde;
    theta = s_tilde * rho_bar;
    rho_d = c_tilde * rho_bar;
    beta_kept_ = c_tilde * beta_hat - s_tilde * beta_kept_;
    tau = (zeta_before - theta_before * tau) / rho_tilde;
    const double rest = beta_kept_ - (zeta - theta * tau) / rho_d;
    r = std::sqrt(rest * rest + beta_d * beta_d);
  }
};

template <class B, class T>
using Lsmr = LeastSquares<B, T, LsmrRecurrence>;

}  // namespace wavesim
