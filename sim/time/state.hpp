#pragma once
// The state of the wave, which all ways to step go from: the fields of the scheme and what is tracked of
// them.

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/memory/field.hpp"
#include "kernels/numbers/peaks.hpp"
#include "sim/model/array.hpp"
#include "sim/time/filter_on.hpp"
#include "sim/time/stepper.hpp"
#include "solvers/core/archive.hpp"

namespace wavesim {

template <class B, class T>
class State {
 public:
  using Vector = Field<B, T>;

  /// At t = 0.
  State(B& backend, const StepperSetup& setup, const Unknowns& unknowns)
      : u(backend, unknowns.extent),
        p(backend, unknowns.extent),
        filter(backend, setup.model, unknowns),
        be_(backend) {
    const Model& m = setup.model;
    NodeField room;
    fill(m, unknowns, unfiltered(m, m.displacement, room), 1, u);
    fill(m, unknowns, unfiltered(m, m.velocity, room), setup.plan.dt, p);
    if (setup.scheme.step.correction != 0) {
      acted = Vector(be_, u.extent());
      fill(m, unknowns, unfiltered(m, m.displacement, room), 1, acted);
    }
    if (setup.track_maximum) maximum = Vector(be_, u.extent());
    if (setup.track_arrival) {
      arrival = Vector(be_, u.extent());
      forget_arrivals();
    }
    threshold_ = setup.arrival_threshold;
    track(0);
  }

  // Public for nvcc, which takes kernels from public members only.
  void forget_arrivals() {
    be_.map(
        "no arrival yet", arrival.extent(), [] KERNEL(T & a) { a = T(NAN); }, arrival.out());
  }

  Vector u, p;   // p = dt v or u(n) - u(n-1), as the form of the steps has it (scheme.hpp)
  Vector acted;  // what K acted on in the last step, for the energy of steps of two solves; else empty
  Vector maximum, arrival;  // largest |u| so far, time of the first above the threshold; empty: not wanted
  FilterOn<B, T>
      filter;  // from u and p, where that is what a scheme of fourth order steps, to what they mean

  /// Where steps that do not work in place put u(n+1).
  Vector& u_to() {
    if (u_to_.extent().nx == 0) u_to_ = Vector(be_, u.extent());
    return u_to_;
  }
  Vector& p_to() {
    if (p_to_.extent().nx == 0) p_to_ = Vector(be_, p.extent());
    return p_to_;
  }
  /// What lies in u_to() is the displacement from here on, and the one before lies there.
  void turn() { std::swap(u, u_to_); }
  /// p as well.
  void turn_both() {
    turn();
    std::swap(p, p_to_);
  }
  bool tracks() const { return maximum.extent().nx > 0 || arrival.extent().nx > 0; }

  /// What is an arrival: metres.
  double threshold() const { return threshold_; }
  /// Maximum and first arrival so far.
  void track(double t) {
    if (!tracks()) return;
    const T time = T(t), threshold = T(threshold_);
    const Vector& u = displacement();
    if (maximum.extent().nx)
      be_.map(
          "max |u|", u.extent(), [] KERNEL(const T& now, T& m) { m = larger(m, now); }, u.in(),
          maximum.inout());
    if (arrival.extent().nx)
      be_.map(
          "arrival", u.extent(), [=] KERNEL(const T& now, T& a) { a = arrived(a, now, threshold, time); },
          u.in(), arrival.inout());
  }

  /// The displacement itself; good until the next call.
  const Vector& displacement() {
    if (!filter.view().acts()) return u;
    if (filtered_.extent().nx == 0) filtered_ = Vector(be_, u.extent());
    be_.fetch_ghosts(1, u);
    const FilterView<T> S = filter.view();
    const T* v = u.data();
    be_.rows(
        "u = S v", u.extent(), sizeof(T), [=] KERNEL(Row r, T & to) { to = T(S(v, r)); }, filtered_.out());
    return filtered_;
  }

  void archive(Archive& a) {
    a.field("u", u);
    a.field("p", p);
    if (acted.extent().nx) a.field("acted", acted);
    if (maximum.extent().nx) a.field("maximum", maximum);
    if (arrival.extent().nx) a.field("arrival", arrival);
  }

 private:
  /// to = scale * f on the unknowns inside the region.
  void fill(const Model& m, const Unknowns& unknowns, const NodeField& f, double scale, Vector& to) {
    if (f.uniform() && f.constant == 0) return;
    const Extent e = unknowns.extent;
    Array<T> v(std::size_t(e.end_own() - e.first_own) * std::size_t(e.pitch));
#pragma omp parallel for schedule(static)
    for (int row = e.first_own; row < e.end_own(); ++row) {
      T* const line = v.data() + std::size_t(row - e.first_own) * std::size_t(e.pitch);
      std::fill_n(line, e.pitch, T(0));  // padding
      for (int col = 0; col < e.nx; ++col) {
        const std::size_t i = m.grid.index(unknowns.first[0] + col, unknowns.first[1] + row);
        if (m.region.empty() || is_inside(m.region[i])) line[col] = T(scale * f[i]);
      }
    }
    to.upload_own_rows(v.data());
  }

  B& be_;
  Vector u_to_, p_to_, filtered_;
  double threshold_ = 0;  // metres
};

}  // namespace wavesim
