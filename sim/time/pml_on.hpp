#pragma once
// Perfectly matched layers in a backend's memory (kernels/pml/pml.hpp). A step sees them as forces on the layers' points.

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/pml/pml.hpp"
#include "kernels/reduce/reduce.hpp"
#include "sim/time/state.hpp"

namespace wavesim {

/// Values at the corners of a cell: of unknowns, 0, or what driven edges have.
template <class T>
struct PmlCorners {
  const int* corner[4];
  T edge[4];  // by side
  template <class Value>
  HD T at(int k, int cell, Value&& value) const {
    const int i = corner[k][cell];
    return i >= 0 ? value(i) : i == -1 ? T(0) : edge[-2 - i];
  }
};

/// The fluxes of all cells, and the cells around each point: -1 where there is none.
template <class T>
struct PmlAround {
  const int* cell[4];
  const T* psi[4];
  HD T divergence(int point) const {
    const auto at = [&](int k, Corner corner) {
      const int c = cell[corner][point];
      return c >= 0 ? psi[k][c] : T(0);
    };
    return PmlFluxesAround<T>{{at(0, lower_left), at(0, lower_right)},
                              {at(1, upper_left), at(1, upper_right)},
                              {at(2, lower_left), at(2, upper_left)},
                              {at(3, lower_right), at(3, upper_right)}}
        .divergence();
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
    cells_ = vector_extent(int(host->corner[0].size()));
    points_ = vector_extent(int(host->point.size()));
    for (int k = 0; k < 4; ++k) {
      corner_[k] = integers(cells_, near(host->corner[k], rows, 1));
      cell_[k] = integers(points_, host->cell[k]);
      psi_[k] = Vector(be_, cells_);
    }
    for (int axis = 0; axis < 2; ++axis) take_cells(*host, axis);
    point_ = integers(points_, near(host->point, rows, 0));
    reaction_ = numbers(points_, host->reaction);
    force_ = Vector(be_, points_);
    first_own_ = rows.first_own > 0 ? cells_below(*host, rows.first_own, rows) : 0;
    end_own_ = std::size_t(rows.end_own() < rows.ny ? cells_below(*host, rows.end_own(), rows)
                                                    : std::size_t(cells_.count()));
  }

  bool any() const { return points_.ny > 0; }

  /// The forces of step n, from psi and the state before it.
  void make_forces(const StepForm& form, const State<B, T>& s) {
    if (!any()) return;
    PmlAround<T> around{};
    for (int k = 0; k < 4; ++k) around.cell[k] = cell_[k].data(), around.psi[k] = psi_[k].data();
    const int* point = point_.data();
    const T *u = s.u.data(), *p = s.p.data(), *Z = reaction_.data(), delta = T(form.delta),
            beta = T(form.beta_dt);
    be_.rows(
        "forces of the pml", points_, 16 * sizeof(T),
        [=] KERNEL(Row r, T & f) {
          const int i = point[r.i];
          f = i < 0 ? T(0) : pml_force(around.divergence(r.i), Z[r.i], u[i], p[i], beta, delta);
        },
        force_.out());
  }

  /// to += times share(i) force
  template <class Share>
  void add(Vector& to, double times, Share share) const {
    if (!any()) return;
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
    if (!any()) return;
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
    if (!any()) return;
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
    if (!any()) return;
    const char* names[] = {"pml psi x lower", "pml psi x upper", "pml psi y left", "pml psi y right"};
    for (int k = 0; k < 4; ++k) a.list_of_part(names[k], psi_[k], first_own_, end_own_);
  }

  // Public for nvcc, which takes kernels from public members only.
  template <class Value>
  void update(const char* label, T share, bool decay, const std::array<T, 4>& edge, int gathered,
              Value value) {
    PmlCorners<T> corners{{}, {edge[0], edge[1], edge[2], edge[3]}};
    for (int k = 0; k < 4; ++k) corners.corner[k] = corner_[k].data();
    const PmlCells<T> cells = this->cells();
    be_.rows(
        label, cells_, 4 * sizeof(int) + (6 + 4 * gathered) * sizeof(T),
        [=] KERNEL(Row r, T & a, T & b, T & c, T & d) {
          T u[4];
          UNROLL for (int k = 0; k < 4; ++k) u[k] = corners.at(k, r.i, value);
          PmlFlux<T> psi{{a, b, c, d}};
          cells.step(r.i, share, decay, u, psi);
          a = psi.at[0], b = psi.at[1], c = psi.at[2], d = psi.at[3];
        },
        psi_[0].inout(), psi_[1].inout(), psi_[2].inout(), psi_[3].inout());
  }
  /// By the cells' places in HostPml.
  PmlCells<T> cells() const {
    PmlCells<T> cells{};
    for (int axis = 0; axis < 2; ++axis) {
      cells.keep[axis] = keep_[axis].data();
      cells.first[axis] = flux_[axis][0].data(), cells.second[axis] = flux_[axis][2].data();
      cells.mixed[axis] = flux_[axis][1].size() > 0 ? flux_[axis][1].data() : nullptr;
    }
    return cells;
  }
  T* psi(int k) { return psi_[k].data(); }
  /// Where such a pass leaves psi; turn() makes it psi.
  T* psi_to(int k) {
    if (psi_to_[k].extent().nx == 0) psi_to_[k] = Vector(be_, cells_);
    return psi_to_[k].data();
  }
  void turn() {
    for (int k = 0; k < 4; ++k) std::swap(psi_[k], psi_to_[k]);
  }
  /// With three levels psi is that of half steps, and the first is half as long.
  T share(long n) const { return T(n == 0 && setup_.scheme.step.carry == 1 ? 0.5 : 1); }

 private:
  /// psi = phi / (1 + own) of cells, where phi = (1 - own)/(1 + own) phi + 2 (other - own)/(1 + own) flux.
  void take_cells(const HostPml& host, int axis) {
    std::vector<T> keep, gain;
    for (std::size_t c = 0; c < host.stretch[axis].size(); ++c) {
      const PmlStretch<T> own(host.stretch[axis][c]);
      keep.push_back(own.keep);
      gain.push_back(own.gain(T(host.stretch[1 - axis][c])));
    }
    keep_[axis] = numbers(cells_, keep);
    for (int k = 0; k < 3; ++k) {
      const std::vector<double>& of_cells = host.flux[axis][k];
      if (k == 1 && std::all_of(of_cells.begin(), of_cells.end(), [](double f) { return f == 0; })) continue;
      std::vector<T> flux;
      for (std::size_t c = 0; c < of_cells.size(); ++c) flux.push_back(T(of_cells[c]) * gain[c]);
      flux_[axis][k] = numbers(cells_, flux);
    }
  }
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
  /// Cells, which are in the order of their rows, whose lower corners lie in a row before this one.
  static std::size_t cells_below(const HostPml& host, int row, const Extent& rows) {
    std::size_t n = 0;
    for (; n < host.corner[0].size(); ++n) {
      const long lower = std::max(host.corner[0][n], host.corner[1][n]),
                 upper = std::max(host.corner[2][n], host.corner[3][n]);
      if ((lower >= 0 ? rows.row_of(lower) : rows.row_of(upper) - 1) >= row) break;
    }
    return n;
  }

  Buffer<B, int> integers(Extent e, std::vector<int> v) {
    v.resize(std::size_t(e.count()), -1);
    Buffer<B, int> buffer(be_, v.size());
    buffer.upload(v);
    return buffer;
  }
  template <class Value>
  Buffer<B, T> numbers(Extent e, const std::vector<Value>& v) {
    std::vector<T> padded(std::size_t(e.count()), T(0));
    std::copy(v.begin(), v.end(), padded.begin());
    Buffer<B, T> buffer(be_, padded.size());
    buffer.upload(padded);
    return buffer;
  }

  B& be_;
  const StepperSetup& setup_;
  Extent cells_, points_;
  Buffer<B, int> corner_[4], cell_[4], point_;
  Buffer<B, T> flux_[2][3], keep_[2], reaction_;
  Vector psi_[4], psi_to_[4], force_;
  std::size_t first_own_ = 0, end_own_ = 0;  // of the cells: this rank's
};

}  // namespace wavesim
