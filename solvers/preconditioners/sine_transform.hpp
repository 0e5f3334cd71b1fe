#pragma once
// A direct solver for the five-point system on a rectangle with a constant medium (Hockney 1965; Buzbee,
// Golub & Nielson 1970; Swarztrauber 1977): transforms along x, and a tridiagonal system along y for each
// mode. Exact there; for a varying medium it solves the system of the mean medium, which is symmetric and
// positive definite too.

#include <cmath>
#include <memory>
#include <vector>

#include "solvers/lines.hpp"
#include "solvers/preconditioner.hpp"
#include "solvers/preconditioners/inner_product.hpp"
#include "solvers/rectangle.hpp"

namespace wavesim {

template <class B, class T>
class SineTransform final : public Preconditioner<B, T> {
 public:
  using Vector = Field<B, T>;
  SineTransform(B& backend, const Operator<B, T>& A) : be_(backend), extent_(A.extent()) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    solve(r, z, nullptr);
    inner_product(be_, r, z, rz, after);
  }
  /// With V the modes: Wx^-1 Kx V = V Lambda and V' Wx V = N, so that A^-1 = V T^-1 N^-1 V' with
  /// T_k = (mass + face_x lambda_k) Wy + face_y Ky + R.
  void solve(const Vector& r, Vector& z, double*) const override {
    transform_->to_modes(r, z);
    const double field = double(extent_.count()) * sizeof(T);
    if (system_.y.periodic)
      be_.lines(
          "cyclic systems along y", extent_.pitch, 6 * field,
          SolveCycles<T>{z.data(), rho_.data(), closing_.data(), scale_.data(), extent_.ny, extent_.pitch});
    else
      be_.lines("tridiagonal systems along y", extent_.pitch, 6 * field,
                SolveLines<T>{z.data(), inverse_.data(), scale_.data(), T(system_.face_y), extent_.ny,
                              extent_.pitch});
    transform_->to_points(z, z);
  }

 protected:
  void set_up(const Operator<B, T>& A) override {
    system_ = rectangle_of(be_, extent_, *A.five_point());
    if (!transform_) transform_ = std::make_unique<Transform<B, T>>(be_, extent_, system_.x);
    if (system_.y.periodic)
      factor_cycles();
    else
      factor_lines();
  }

 private:
  /// mass + face_x lambda_k of mode k.
  double shift(int k) const { return system_.mass + system_.face_x * transform_->modes().eigenvalue(k); }
  template <class Value>
  void upload(Buffer<B, Value>& to, const std::vector<Value>& values) const {
    if (to.size() == 0) to = Buffer<B, Value>(be_, values.size());
    to.upload(values);
  }

  void factor_lines() {
    std::vector<double> shifts(extent_.pitch, 0);
    std::vector<T> scale(extent_.pitch, T(0));
    for (int k = 0; k < extent_.nx; ++k) {
      shifts[k] = shift(k);
      scale[k] = T(1 / transform_->modes().norm(k));
    }
    upload(shift_, shifts);
    upload(scale_, scale);
    if (inverse_.extent().nx == 0) inverse_ = Vector(be_, extent_);
    const Axis& y = system_.y;
    be_.lines("pivots along y", extent_.pitch, double(extent_.count()) * sizeof(T),
              FactorLines<T>{inverse_.data(), shift_.data(), system_.face_y, y.fixed_low ? 1 : 0.5,
                             y.fixed_high ? 1 : 0.5, y.fixed_low ? 1.0 : 0.0, y.fixed_high ? 1.0 : 0.0,
                             system_.lowest, system_.highest, extent_.nx, extent_.ny, extent_.pitch});
  }
  void factor_cycles() {
    std::vector<T> rho(extent_.pitch, T(0)), closing(rho), scale(rho);
    for (int k = 0; k < extent_.nx; ++k) {
      // d - 2 off is the shift: no difference of large numbers
      const double off = system_.face_y, s = shift(k), c = (s + 2 * off + std::sqrt(s * (s + 4 * off))) / 2;
      rho[k] = T(off / c);
      closing[k] = T(-1 / std::expm1(extent_.ny * std::log(off / c)));
      scale[k] = T(1 / (c * transform_->modes().norm(k)));
    }
    upload(rho_, rho);
    upload(closing_, closing);
    upload(scale_, scale);
  }

  B& be_;
  Extent extent_;
  RectangleSystem system_;
  std::unique_ptr<Transform<B, T>> transform_;
  Vector inverse_;
  Buffer<B, double> shift_;
  Buffer<B, T> scale_, rho_, closing_;
};

}  // namespace wavesim
