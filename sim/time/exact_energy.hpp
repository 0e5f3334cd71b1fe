#pragma once
// solver: {energy: exact}. A solve with residual r = b - A d changes the energy of the step's form by a multiple of
// r'e, e = u(n+1) - u(n), with three levels u(n+1) - u(n-1) (docs/math.md, section 5). Here d gets beta e, so that
// what is left of the residual is orthogonal to e: the energy is then conserved at any tolerance, by any method.

#include "kernels/reduce/reduce.hpp"
#include "sim/time/step_system.hpp"

namespace wavesim {

/// beta = r'e / e'A e from b'e, d'A e and e'A e; 0 where nothing moves.
struct EnergyShare {
  double* beta;
  HD void operator()(const Sum<3>& s) const { *beta = s.v[2] > 0 ? (s.v[0] - s.v[1]) / s.v[2] : 0; }
};

template <class B, class T>
class ExactEnergyOn {
 public:
  using Vector = Field<B, T>;
  ExactEnergyOn(B& backend, Extent e) : be_(backend), Ae_(backend, e), sums_(backend, 1), beta_(backend, 1) {}

  /// d of A d = b. `p`: u(n) - u(n-1) in the form of three levels, null in that of first order.
  template <class Operator>
  void correct(Operator& A, const Vector& b, Vector& d, const Vector* p) {
    const Vector& e = p ? increment_of_two_steps(d, *p) : d;
    A.apply(e, Ae_);
    be_.map_sum(
        "<b, e>, <d, A e>, <e, A e>", d.extent(), sums_.data(),
        [] KERNEL(const T& b, const T& d, const T& e, const T& Ae) {
          return Sum<3>{{double(b) * double(e), double(d) * double(Ae), double(e) * double(Ae)}};
        },
        EnergyShare{beta_.data()}, b.in(), d.in(), e.in(), Ae_.in());
    const double* beta = beta_.data();
    if (p)
      be_.map(
          "d += beta e", d.extent(),
          [=] KERNEL(const T& e, T& d) { d = T(std::fma(*beta, double(e), double(d))); }, e.in(), d.inout());
    else
      be_.map(
          "d += beta d", d.extent(), [=] KERNEL(T & d) { d = T(std::fma(*beta, double(d), double(d))); },
          d.inout());
  }

 private:
  const Vector& increment_of_two_steps(const Vector& d, const Vector& p) {
    if (e_.extent().nx == 0) e_ = Vector(be_, d.extent());
    sum_of(d, p, e_);
    return e_;
  }

 public:  // for nvcc, which takes kernels from public members only
  void sum_of(const Vector& d, const Vector& p, Vector& e) {
    be_.map(
        "e = d + p", d.extent(), [] KERNEL(const T& d, const T& p, T& e) { e = d + p; }, d.in(), p.in(),
        e.out());
  }

 private:
  B& be_;
  Vector Ae_, e_;
  Buffer<B, Sum<3>> sums_;
  Buffer<B, double> beta_;
};

}  // namespace wavesim
