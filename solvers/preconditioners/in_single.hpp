#pragma once
// The same matrix in single precision.

#include <array>
#include <optional>

#include "kernels/numbers/in_precision.hpp"
#include "solvers/catalogue/make.hpp"

namespace wavesim {

/// An array of a medium in single precision, as double_array lies in memory: with the rows beside those of this rank that passes
/// gather from, and on each rank those beyond the first and the last of all.
template <class B>
Field<B, float> field_in_single(B& be, Extent e, const double* double_array) {
  Field<B, float> to(be, e);
  const auto convert = [&](int first, int end) {
    Extent rows = e;
    rows.ny = e.ny + 1;
    rows.first_own = first;
    rows.own_end = end;
    rows.base = first;  // the last row may be far from this rank's
    const std::ptrdiff_t shift = std::ptrdiff_t(first - e.base) * e.pitch;
    be.map(
        "to single", rows, [] KERNEL(const double& d, float& s) { s = float(d); },
        In<double>{double_array + shift}, Out<float>{to.data() + shift});
  };
  convert(-1, 0);
  convert(e.first_own, e.end_own());
  convert(e.ny, e.ny + 1);
  be.fetch_ghosts(most_ghosts, to);
  return to;
}

/// Arrays of a medium in single precision.
template <class B>
struct SingleMedium {
  Field<B, float> mass, damping, east, north;
  SingleMedium(B& be, Extent e, const VariableCoefficients<double>& c)
      : mass(field_in_single(be, e, c.mass)),
        damping(c.damped() ? field_in_single(be, e, c.damping) : Field<B, float>()),
        east(field_in_single(be, e, c.east)),
        north(field_in_single(be, e, c.north)) {}
  VariableCoefficients<float> view(const Topology& t) const {
    return {t, mass.data(), damping.extent().nx ? damping.data() : nullptr, east.data(), north.data()};
  }
};

/// The same of nine points.
template <class B>
struct SingleNinePoints {
  using Entries = std::array<Field<B, float>, 5>;
  Entries mass, damping, stiffness;
  SingleNinePoints(B& be, Extent e, const NinePointCoefficients<double>& c)
      : mass(entries(be, e, c.mass)),
        damping(c.damped() ? entries(be, e, c.damping) : Entries{}),
        stiffness(entries(be, e, c.stiffness)) {}
  NinePointCoefficients<float> view(const Topology& t) const {
    const NinePointMatrix<float> D = matrix(damping);
    return {t, matrix(mass), damping[0].extent().nx ? &D : nullptr, matrix(stiffness)};
  }

 private:
  static Entries entries(B& be, Extent e, const NinePointMatrix<double>& A) {
    const auto single = [&](const double* from) { return field_in_single(be, e, from); };
    return {single(A.south_west), single(A.south), single(A.south_east), single(A.west), single(A.centre)};
  }
  static NinePointMatrix<float> matrix(const Entries& e) {
    return {e[0].data(), e[1].data(), e[2].data(), e[3].data(), e[4].data()};
  }
};

/// A: the wave system as `stencil`, any other matrix as `csr`.
template <class B>
struct InSingle {
  std::optional<SingleMedium<B>> medium;  // that A reads, where it varies
  std::optional<SingleNinePoints<B>> nine_points;
  std::unique_ptr<Operator<B, float>> A;

  InSingle() = default;
  InSingle(B& be, const Operator<B, double>& from) {
    const Extent e = from.extent();
    if (const WaveSystemFacts<double>* five = from.wave_system()) {
      if (!five->uniform) medium.emplace(be, e, five->varying);
      use(five->uniform ? computed(be, e, in_precision<float>(five->constant))
                        : computed(be, e, medium->view(five->varying.topology)),
          *five);
    } else if (const NinePointSystemFacts<double>* nine = from.nine_point_system()) {
      if (!nine->uniform) nine_points.emplace(be, e, nine->varying);
      use(nine->uniform ? computed(be, e, in_precision<float>(nine->constant))
                        : computed(be, e, nine_points->view(nine->varying.topology)),
          *nine);
    } else {
      A = make_operator<B, float>("csr", be, from.csr().download());
    }
  }

 private:
  template <class Coefficients>
  static std::unique_ptr<WaveOperator<B, float>> computed(B& be, Extent e, const Coefficients& c) {
    return make_operator<B, float>("stencil", be, e, c);
  }
  template <class Facts>
  void use(std::unique_ptr<WaveOperator<B, float>> wave, const Facts& facts) {
    wave->assemble(facts.a, facts.b);
    A = std::move(wave);
  }
};

}  // namespace wavesim
