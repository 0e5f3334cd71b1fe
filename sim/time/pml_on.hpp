#pragma once
// Perfectly matched layers in a backend's memory (kernels/pml/pml.hpp). A step sees them as forces on the layers' points.

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/pml/pml.hpp"
#include "kernels/reduce/reduce.hpp"
#include "sim/time/state.hpp"

namespace wavesim {

/// Values at the ends of faces: of unknowns, 0, or what driven edges have.
template <class T>
struct PmlEnds {
  const int *from = nullptr, *to = nullptr;
  T edge[4];  // by side
  /// What `value` differs by along a face.
  template <class Value>
  HD T difference(int face, Value&& value) const {
    return at(to[face], value) - at(from[face], value);
  }

 private:
  template <class Value>
  HD T at(int i, Value&& value) const {
    return i >= 0 ? value(i) : i == -1 ? T(0) : edge[-2 - i];
  }
};

template <class B, class T>
class PmlOn {
 public:
  using Vector = Field<B, T>;
  /// `rows`: of the state's fields.
  PmlOn(B& backend, const StepperSetup& setup, const std::optional<HostPml>& host, const Extent& rows)
      : be_(backend), setup_(setup) {
    if (!host) return;
    faces_ = vector_extent(int(host->from.size()));
    points_ = vector_extent(int(host->point.size()));
    psi_ = Vector(be_, faces_);
    keep_ = numbers(faces_, host->keep);
    const auto fluxes = [&](const std::vector<long>& from, const std::vector<long>& to,
                            const std::vector<double>& flux) {
      return Fluxes{integers(faces_, near(from, rows, 1)), integers(faces_, near(to, rows, 1)),
                    numbers(faces_, flux)};
    };
    own_ = fluxes(host->from, host->to, host->own);
    if (!host->before.flux.empty()) {
      before_ = fluxes(host->before.from, host->before.to, host->before.flux);
      after_ = fluxes(host->after.from, host->after.to, host->after.flux);
    }
    point_ = integers(points_, near(host->point, rows, 0));
    for (std::size_t k = 0; k < 4; ++k) face_[k] = integers(points_, host->face[k]);
    reaction_ = numbers(points_, host->reaction);
    force_ = Vector(be_, points_);
    number_faces(*host, rows);
  }

  /// On any rank.
  bool any() const { return part_.whole.ny > 0; }

  /// The forces of step n, from psi and the state before it.
  void make_forces(const StepForm& form, const State<B, T>& s) {
    if (points_.ny == 0) return;
    const int *east = face_[0].data(), *west = face_[1].data(), *north = face_[2].data(),
              *south = face_[3].data(), *point = point_.data();
    const T* psi = psi_.data();
    const T *u = s.u.data(), *p = s.p.data(), *Z = reaction_.data(), delta = T(form.delta),
            beta = T(form.beta_dt);
    be_.rows(
        "forces of the pml", points_, 5 * sizeof(int) + 7 * sizeof(T),
        [=] KERNEL(Row r, T & f) {
          const int i = point[r.i];
          if (i < 0) {
            f = 0;
            return;
          }
          const auto at = [&](const int* face) { return face[r.i] < 0 ? T(0) : psi[face[r.i]]; };
          const T divergence = pml_divergence(at(east), at(west), at(north), at(south));
          f = pml_force(divergence, Z[r.i], u[i], p[i], beta, delta);
        },
        force_.out());
  }

  /// to += times share(i) force
  template <class Share>
  void add(Vector& to, double times, Share share) const {
    if (points_.ny == 0) return;
    const int* point = point_.data();
    T* b = to.data();
    be_.rows(
        "b += forces of the pml", points_, sizeof(int) + 2 * sizeof(T),
        [=] KERNEL(Row r, const T& f) {
          const int i = point[r.i];
          if (i >= 0) b[i] = T(b[i] + times * f * share(i));
        },
        force_.in());
  }

  /// The same to u and to p, in the precision of steps that go several in a pass (kernels/leapfrog/layers.hpp).
  template <class Share>
  void add_to_both(Vector& u, Vector& p, Share share) const {
    if (points_.ny == 0) return;
    const int* point = point_.data();
    T *const to_u = u.data(), *const to_p = p.data();
    be_.rows(
        "u, p += forces of the pml", points_, sizeof(int) + 4 * sizeof(T),
        [=] KERNEL(Row r, const T& f) {
          const int i = point[r.i];
          if (i < 0) return;
          const T push = f * share(i);
          to_u[i] += push, to_p[i] += push;
        },
        force_.in());
  }

  /// *sum = the sum over the layers' points of share(i) times their forces.
  template <class Share>
  void work(Sum<1>* sum, Share share) {
    if (points_.ny == 0) return;
    const int* point = point_.data();
    be_.rows_sum(
        "work of the pml", points_, sizeof(int) + 3 * sizeof(T), sum,
        [=] KERNEL(Row r, const T& f) {
          const int i = point[r.i];
          return Sum<1>{{i < 0 ? 0.0 : double(f) * share(i)}};
        },
        NoEpilogue{}, force_.in());
  }

  /// The part of psi's step from the state before it: psi decays, and takes in u - gamma/delta p.
  void begin_step(const StepForm& form, long n, const State<B, T>& s) {
    if (!any()) return;
    be_.fetch_ghosts(1, s.u, s.p);
    const T *u = s.u.data(), *p = s.p.data(), gamma = T(form.gamma / form.delta);
    const auto edge = edges([&](const auto& g) {
      return form.gamma == 0 ? g(n) : g(n) - form.gamma / form.delta * (g(n) - g(n - 1));
    });
    update("psi of the pml, from u(n)", share(n), true, edge, 2,
           [=] KERNEL(int i) { return std::fma(-gamma, p[i], u[i]); });
  }
  /// The part from what the step adds to u: from one field, or the difference of two.
  void end_step(const StepForm& form, long n, const Vector& d) {
    be_.fetch_ghosts(1, d);
    const T* at = d.data();
    take_increment("psi of the pml, from d", form, n, 1, [=] KERNEL(int i) { return at[i]; });
  }
  void end_step(const StepForm& form, long n, const Vector& after, const Vector& before) {
    be_.fetch_ghosts(1, after, before);
    const T *now = after.data(), *then = before.data();
    take_increment("psi of the pml, from u(n+1) - u(n)", form, n, 2,
                   [=] KERNEL(int i) { return now[i] - then[i]; });
  }

  void archive(Archive& a) {
    if (any()) a.list_of_part("pml psi", psi_, part_);
  }

  // Public for nvcc, which takes kernels from public members only.
  template <class Value>
  void update(const char* label, T share, bool decay, const std::array<T, 4>& edge, int gathered,
              Value value) {
    if (faces_.ny == 0) return;
    const auto ends = [&](const Fluxes& of) {
      return PmlEnds<T>{of.from.data(), of.to.data(), {edge[0], edge[1], edge[2], edge[3]}};
    };
    const PmlEnds<T> own = ends(own_), before = ends(before_), after = ends(after_);
    const T *keep = keep_.data(), *flux = own_.flux.data(), *flux_before = before_.flux.data(),
            *flux_after = after_.flux.data();
    const bool mixed = before_.flux.size() > 0;
    be_.rows(
        label, faces_, (mixed ? 3 : 1) * (2 * sizeof(int) + sizeof(T) + 2 * gathered * sizeof(T)) + sizeof(T),
        [=] KERNEL(Row r, T & psi) {
          T sum = flux[r.i] * own.difference(r.i, value);
          if (mixed) {
            sum = std::fma(flux_before[r.i], before.difference(r.i, value), sum);
            sum = std::fma(flux_after[r.i], after.difference(r.i, value), sum);
          }
          psi = pml_flux(psi, decay ? keep[r.i] : T(1), share, sum);
        },
        psi_.inout());
  }

  // Of faces by their places in HostPml.
  T* psi() { return psi_.data(); }
  /// Where a pass of several steps (kernels/leapfrog/layers.hpp) leaves psi; turn() makes it psi.
  T* psi_to() {
    if (psi_to_.extent().nx == 0) psi_to_ = Vector(be_, faces_);
    return psi_to_.data();
  }
  void turn() { std::swap(psi_, psi_to_); }
  /// With three levels psi is that of half steps, and the first is half as long.
  T share(long n) const { return T(n == 0 && setup_.scheme.step.carry == 1 ? 0.5 : 1); }

 private:
  /// What differences along faces bring to psi.
  struct Fluxes {
    Buffer<B, int> from, to;
    Buffer<B, T> flux;
  };
  template <class Value>
  void take_increment(const char* label, const StepForm& form, long n, int gathered, Value value) {
    if (!any() || form.implicit_weight == 0) return;
    const auto edge = edges([&](const auto& g) { return g(n + 1) - g(n); });
    update(label, share(n) * T(form.implicit_weight / form.delta), false, edge, gathered, value);
  }
  /// of(g) for each driven edge, g(k) its displacement at step k; 0 for the others.
  template <class Of>
  std::array<T, 4> edges(Of&& of) const {
    std::array<T, 4> values{};
    for (int side = 0; side < 4; ++side) {
      const EdgeCondition& edge = setup_.model.edges[side];
      if (edge.kind != EdgeCondition::driven || !edge.driven_by) continue;
      values[side] = T(of([&](long k) { return edge.driven_by->at(setup_.plan.dt * double(k)); }));
    }
    return values;
  }

  /// Linear indices of points whose rows are this rank's or beside them; others become -1, no point.
  static std::vector<int> near(const std::vector<long>& points, const Extent& rows, int reach) {
    std::vector<int> index;
    for (const long i : points)
      index.push_back(i < 0 ? int(i) : rows.is_near(rows.row_of(i), reach) ? rows.index(i) : -1);
    return index;
  }
  /// Where this rank's faces are among those of all, which are in the order of their rows.
  void number_faces(const HostPml& host, const Extent& rows) {
    const auto below = [&](int row) {
      return std::size_t(std::lower_bound(host.row.begin(), host.row.end(), row) - host.row.begin());
    };
    const std::size_t all = host.from.size();
    part_ = {0, all, rows.first_own > 0 ? below(rows.first_own) : 0,
             rows.end_own() < rows.ny ? below(rows.end_own()) : all, faces_};
    const Ranks* const ranks = setup_.model.grid.own.ranks;
    if (!ranks) return;
    std::size_t before = 0, count = 0;
    const auto counts = setup_.model.grid.own.lists(std::vector<std::size_t>{part_.end - part_.first});
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (int(k) < ranks->rank()) before += counts[k][0];
      count += counts[k][0];
    }
    part_.begin = before - part_.first;
    part_.whole = vector_extent(int(count));
  }

  Buffer<B, int> integers(Extent e, std::vector<int> v) {
    v.resize(std::size_t(e.count()), -1);
    Buffer<B, int> buffer(be_, v.size());
    buffer.upload(v);
    return buffer;
  }
  Buffer<B, T> numbers(Extent e, const std::vector<double>& v) {
    std::vector<T> padded(std::size_t(e.count()), T(0));
    std::copy(v.begin(), v.end(), padded.begin());
    Buffer<B, T> buffer(be_, padded.size());
    buffer.upload(padded);
    return buffer;
  }

  B& be_;
  const StepperSetup& setup_;
  Extent faces_, points_;
  Buffer<B, int> face_[4], point_;
  Buffer<B, T> keep_, reaction_;
  Fluxes own_, before_, after_;
  Vector psi_, psi_to_, force_;
  Archive::ListPart part_{};  // of the faces
};

}  // namespace wavesim
