#pragma once
// Perfectly matched layers in a backend's memory: the auxiliary fields of Grote and Sim (docs/math.md, section 2),
// one flux along each of the four faces of a layer's cells. A step sees them as forces on the layers' points.

#include <array>
#include <cmath>

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

/// phi = stretched phi + (its share of) the flux of w along a cell's faces.
template <class T>
struct PmlUpdate {
  const T* flux[2][3];
  const T* stretch[2];
  T* phi[4];  // along x on the lower and upper face, along y on the left and right one
  template <class Value>
  HD void operator()(int cell, const PmlCorners<T>& corners, T share, bool decay, Value&& value) const {
    const T w0 = corners.at(0, cell, value), w1 = corners.at(1, cell, value), w2 = corners.at(2, cell, value),
            w3 = corners.at(3, cell, value);
    const T difference[2][2] = {{w1 - w0, w3 - w2}, {w2 - w0, w3 - w1}};
    UNROLL for (int axis = 0; axis < 2; ++axis) {
      const T own = stretch[axis][cell], other = stretch[1 - axis][cell], under = T(1) / (T(1) + own);
      const T keep = decay ? (T(1) - own) * under : T(1), gain = share * T(2) * (other - own) * under;
      const T first = flux[axis][0][cell], mixed = flux[axis][1][cell], second = flux[axis][2][cell];
      const T g = difference[axis][0], h = difference[axis][1];
      T &p = phi[2 * axis][cell], &q = phi[2 * axis + 1][cell];
      p = std::fma(gain, std::fma(first, g, mixed * h), keep * p);
      q = std::fma(gain, std::fma(mixed, g, second * h), keep * q);
    }
  }
};

/// div phi / (1 + a) and div phi / (1 + b) at a point, from its cells.
template <class T>
struct PmlDivergence {
  const int* cell[4];
  const T* phi[4];
  const T* stretch[2];
  HD T over(int k, int c) const { return phi[k][c] / (T(1) + stretch[k / 2][c]); }
  HD T operator()(int i) const {
    const int ne = cell[0][i], nw = cell[1][i], se = cell[2][i], sw = cell[3][i];
    T sum = 0;
    if (ne >= 0) sum += over(0, ne) + over(2, ne);
    if (nw >= 0) sum += over(3, nw) - over(0, nw);
    if (se >= 0) sum += over(1, se) - over(2, se);
    if (sw >= 0) sum -= over(1, sw) + over(3, sw);
    return sum;
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
      phi_[k] = Vector(be_, cells_);
    }
    for (int axis = 0; axis < 2; ++axis) {
      for (int k = 0; k < 3; ++k) flux_[axis][k] = numbers(cells_, host->flux[axis][k]);
      stretch_[axis] = numbers(cells_, host->stretch[axis]);
    }
    point_ = integers(points_, near(host->point, rows, 0));
    reaction_ = numbers(points_, host->reaction);
    force_ = Vector(be_, points_);
    first_own_ = rows.first_own > 0 ? cells_below(*host, rows.first_own, rows.pitch) : 0;
    end_own_ = std::size_t(rows.end_own() < rows.ny ? cells_below(*host, rows.end_own(), rows.pitch)
                                                    : std::size_t(cells_.count()));
  }

  bool any() const { return points_.ny > 0; }

  /// The forces of step n, from phi and the state before it: delta (div phi - Z (u - p beta)).
  void make_forces(const StepForm& form, const State<B, T>& s) {
    if (!any()) return;
    PmlDivergence<T> divergence{};
    for (int k = 0; k < 4; ++k) divergence.cell[k] = cell_[k].data(), divergence.phi[k] = phi_[k].data();
    for (int axis = 0; axis < 2; ++axis) divergence.stretch[axis] = stretch_[axis].data();
    const int* point = point_.data();
    const T *u = s.u.data(), *p = s.p.data(), *Z = reaction_.data(), delta = T(form.delta),
            beta = T(form.beta_dt);
    be_.rows(
        "forces of the pml", points_, 16 * sizeof(T),
        [=] KERNEL(Row r, T & f) {
          const int i = point[r.i];
          f = i < 0 ? T(0) : delta * (divergence(r.i) - Z[r.i] * (u[i] - beta * p[i]));
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

  /// The same to u and to p.
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
          const double push = f * share(i);
          to_u[i] = T(to_u[i] + push), to_p[i] = T(to_p[i] + push);
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

  /// The part of phi's step from the state before it: phi decays, and takes in u - gamma/delta p.
  void begin_step(const StepForm& form, long n, const State<B, T>& s) {
    if (!any()) return;
    be_.fetch_ghosts(1, s.u, s.p);
    const T *u = s.u.data(), *p = s.p.data(), gamma = T(form.gamma / form.delta);
    const auto edge = edges([&](const auto& g) {
      return form.gamma == 0 ? g(n) : g(n) - form.gamma / form.delta * (g(n) - g(n - 1));
    });
    update("phi of the pml, from u(n)", share(n), true, edge, 2,
           [=] KERNEL(int i) { return std::fma(-gamma, p[i], u[i]); });
  }
  /// The part from what the step adds to u: from one field, or the difference of two.
  void end_step(const StepForm& form, long n, const Vector& d) {
    be_.fetch_ghosts(1, d);
    const T* at = d.data();
    take_increment("phi of the pml, from d", form, n, 1, [=] KERNEL(int i) { return at[i]; });
  }
  void end_step(const StepForm& form, long n, const Vector& after, const Vector& before) {
    be_.fetch_ghosts(1, after, before);
    const T *now = after.data(), *then = before.data();
    take_increment("phi of the pml, from u(n+1) - u(n)", form, n, 2,
                   [=] KERNEL(int i) { return now[i] - then[i]; });
  }

  void archive(Archive& a) {
    if (!any()) return;
    const char* names[] = {"pml x lower", "pml x upper", "pml y left", "pml y right"};
    for (int k = 0; k < 4; ++k) a.list_of_part(names[k], phi_[k], first_own_, end_own_);
  }

  // Public for nvcc, which takes kernels from public members only.
  template <class Value>
  void update(const char* label, T share, bool decay, const std::array<T, 4>& edge, int gathered,
              Value value) {
    PmlCorners<T> corners{{}, {edge[0], edge[1], edge[2], edge[3]}};
    PmlUpdate<T> step{};
    for (int k = 0; k < 4; ++k) {
      corners.corner[k] = corner_[k].data();
      step.phi[k] = phi_[k].data();
    }
    for (int axis = 0; axis < 2; ++axis) {
      for (int k = 0; k < 3; ++k) step.flux[axis][k] = flux_[axis][k].data();
      step.stretch[axis] = stretch_[axis].data();
    }
    be_.rows(label, cells_, 4 * sizeof(int) + (16 + 4 * gathered) * sizeof(T),
             [=] KERNEL(Row r) { step(r.i, corners, share, decay, value); });
  }

 private:
  /// With three levels phi is that of half steps, and the first is half as long.
  T share(long n) const { return T(n == 0 && setup_.scheme.step.carry == 1 ? 0.5 : 1); }
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
  static std::vector<int> near(std::vector<int> index, const Extent& rows, int reach) {
    for (int& i : index)
      if (i >= 0 && !rows.is_near(i / rows.pitch, reach)) i = -1;
    return index;
  }
  /// Cells, which are in the order of their rows, whose lower corners lie in a row before this one.
  static std::size_t cells_below(const HostPml& host, int row, int pitch) {
    std::size_t n = 0;
    for (; n < host.corner[0].size(); ++n) {
      const int lower = std::max(host.corner[0][n], host.corner[1][n]),
                upper = std::max(host.corner[2][n], host.corner[3][n]);
      if ((lower >= 0 ? lower / pitch : upper / pitch - 1) >= row) break;
    }
    return n;
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
  Extent cells_, points_;
  Buffer<B, int> corner_[4], cell_[4], point_;
  Buffer<B, T> flux_[2][3], stretch_[2], reaction_;
  Vector phi_[4], force_;
  std::size_t first_own_ = 0, end_own_ = 0;  // of the cells: this rank's
};

}  // namespace wavesim
