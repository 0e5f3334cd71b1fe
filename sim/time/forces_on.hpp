#pragma once
// Forces in a backend's memory: sources, driven edges, incoming waves.

#include "kernels/grid/row_at.hpp"
#include "kernels/leapfrog/leapfrog.hpp"
#include "kernels/memory/field.hpp"
#include "kernels/reduce/reduce.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/time/scheme.hpp"

namespace wavesim {

/// What a force at point i is multiplied by.
struct AsItIs {
  HD double operator()(int) const { return 1; }
};
template <class Coefficients>
struct OverMass {
  Coefficients c;
  RowStarts starts;
  double damped = 0;  // so much of the damping comes to the mass
  HD double operator()(int i) const {
    const auto at = c.at(row_at(i, starts));
    return 1 / (double(at.mass) + damped * double(at.damping));
  }
};
/// 1 / (M + D/2) in the precision of the leapfrog's passes.
template <class T, class Coefficients>
struct OverMassOfLeapfrog {
  Coefficients c;
  RowStarts starts;
  HD T operator()(int i) const {
    const auto at = c.at(row_at(i, starts));
    return LeapfrogWeights<T>::over_mass(at.mass, at.damping);
  }
};

/// What s(n+1), s(n), s(n-1) are weighted with, times dt^2.
struct ForceWeights {
  std::array<double, 3> force, held;  // of forces, and of what neighbours are held at (Force::held)
  void scale(double by) {
    for (int k = 0; k < 3; ++k) force[k] *= by, held[k] *= by;
  }
};
/// Of the first system of a step. A correction c takes c K (d - p) from the second one, and for a neighbour that is held
/// d - p is delta times the second difference of s.
inline ForceWeights force_weights(const StepForm& form) {
  const double c = form.correction * form.delta;
  const auto& w = form.force;
  return {w, {w[0] + c, w[1] - 2 * c, w[2] + c}};
}
inline ForceWeights force_weights_of_correction(const StepForm& form) {
  const double c = form.correction * form.delta;
  return {{0, 0, 0}, {-c, 2 * c, -c}};
}

template <class B, class T>
class ForcesOn {
 public:
  /// Of fields of extent e.
  ForcesOn(B& backend, const Extent& e, std::vector<Force> forces)
      : be_(backend), rows_(e), forces_(std::move(forces)) {
    for (const Force& f : forces_) {
      points_.emplace_back();
      points_.back().upload(be_, own_of(f), rows_);
      moving_ = moving_ || f.points;
    }
  }

  /// Whether `add` with these weights adds anything.
  bool act(const ForceWeights& w, double t, double dt) const {
    for (std::size_t k = 0; k < forces_.size(); ++k)
      if (forces_[k].points ? acts_in_between(k, w, t, dt) : forces_[k].anywhere && value(k, w, t, dt) != 0)
        return true;
    return false;
  }
  /// Whether there are forces whose points change, which `add` and `work` take to the device anew.
  bool moving() const { return moving_; }
  /// b += share g (w+ s(t + dt) + w0 s(t) + w- s(t - dt)) for every force.
  template <class Share = AsItIs>
  void add(Field<B, T>& b, const ForceWeights& w, double t, double dt, Share share = {}) {
    for (std::size_t k = 0; k < forces_.size(); ++k) {
      if (forces_[k].points) continue;
      const double s = value(k, w, t, dt);
      if (s != 0 && points_[k].extent.nx > 0)
        add(b, points_[k].extent, points_[k].index, points_[k].weight, s, share);
    }
    add_moving(b, w, t, dt, share);
  }
  /// Of the forces whose points change alone.
  template <class Share = AsItIs>
  void add_moving(Field<B, T>& b, const ForceWeights& w, double t, double dt, Share share = {}) {
    for (std::size_t k = 0; k < forces_.size(); ++k) {
      if (!forces_[k].points) continue;
      const Points& p = combined(k, w, t, dt);
      if (p.extent.nx > 0) add(b, p.extent, p.index, p.weight, 1, share);
    }
  }

  std::size_t count() const { return forces_.size(); }
  /// What its weights are multiplied by in a step from t to t + dt.
  double value(std::size_t force, const ForceWeights& weights, double t, double dt) const {
    const std::array<double, 3>& w = forces_[force].held ? weights.held : weights.force;
    double s = 0;
    for (int level = 0; level < 3; ++level)
      if (w[level] != 0) s += w[level] * forces_[force].value(t + dt * (1 - level));
    return s;
  }
  const std::vector<Force>& all() const { return forces_; }
  /// sums[k] = the sum over the points of force k of share times what `add` adds.
  template <class Share>
  void work(const ForceWeights& w, double t, double dt, Sum<1>* sums, Share share) {
    for (std::size_t k = 0; k < forces_.size(); ++k) {
      const bool moves = bool(forces_[k].points);
      if (moves) combined(k, w, t, dt);
      if (points_[k].extent.nx == 0) {
        if (moves)
          be_.rows_sum(
              "no work", make_extent(1, 1), 0, sums + k, [=] KERNEL(Row) { return Sum<1>{{0}}; },
              NoEpilogue{});
        continue;
      }
      const double s = moves ? 1 : value(k, w, t, dt);
      const int* index = points_[k].index.data();
      const double* weight = points_[k].weight.data();
      be_.rows_sum(
          "work of a force", points_[k].extent, sizeof(int) + sizeof(double) + 2 * sizeof(T), sums + k,
          [=] KERNEL(Row r) { return Sum<1>{{s * weight[r.i] * share(index[r.i])}}; }, NoEpilogue{});
    }
  }

  template <class Share>
  void add(Field<B, T>& to, Extent e, const Buffer<B, int>& indices, const Buffer<B, double>& weights,
           double s, Share share) {
    T* b = to.data();
    const int* index = indices.data();
    const double* weight = weights.data();
    be_.rows("b += s(t) g", e, sizeof(int) + sizeof(double) + 2 * sizeof(T),
             [=] KERNEL(Row r) { b[index[r.i]] = T(b[index[r.i]] + s * weight[r.i] * share(index[r.i])); });
  }

 private:
  struct Points {
    Extent extent{};
    Buffer<B, int> index{};
    Buffer<B, double> weight{};
    std::array<double, 5> of{};  // of a force whose points change: t, dt and weights that these are for
    bool known = false;

    /// Those in rows of this rank.
    void upload(B& be, const ForcePoints& points, const Extent& rows) {
      const Extent e = make_extent(int(points.index.size()), 1);
      if (index.size() < std::size_t(e.pitch)) {
        index = Buffer<B, int>(be, std::size_t(e.pitch));
        weight = Buffer<B, double>(be, std::size_t(e.pitch));
      }
      extent = e;
      if (points.index.empty()) return;
      std::vector<int> at;
      for (const long i : points.index) at.push_back(rows.index(i));
      index.upload(at);
      weight.upload(points.weight);
    }
  };

  /// Those in this rank's rows.
  ForcePoints own_of(const ForcePoints& all) const {
    if (rows_.whole()) return all;
    ForcePoints own;
    for (std::size_t k = 0; k < all.index.size(); ++k)
      if (rows_.is_near(rows_.row_of(all.index[k]), 0))
        own.index.push_back(all.index[k]), own.weight.push_back(all.weight[k]);
    return own;
  }
  bool acts_in_between(std::size_t k, const ForceWeights& w, double t, double dt) const {
    for (int level = 0; level < 3; ++level)
      if (w.force[level] != 0 && forces_[k].value(t + dt * (1 - level)) != 0) return true;
    return false;
  }

  /// w+ s(t + dt) g(t + dt) + w0 s(t) g(t) + w- s(t - dt) g(t - dt) of a force whose points change.
  const Points& combined(std::size_t k, const ForceWeights& weights, double t, double dt) {
    const std::array<double, 3>& w = weights.force;
    Points& p = points_[k];
    const std::array<double, 5> of{t, dt, w[0], w[1], w[2]};
    if (p.known && p.of == of) return p;
    ForcePoints sum;
    for (int level = 0; level < 3; ++level) {
      if (w[level] == 0) continue;
      const double at = t + dt * (1 - level), s = w[level] * forces_[k].value(at);
      if (s != 0) add_in_order(sum, forces_[k].points(at), s);
    }
    p.upload(be_, own_of(sum), rows_);
    p.of = of, p.known = true;
    return p;
  }
  /// to += s from; both are in the order of their indices.
  static void add_in_order(ForcePoints& to, const ForcePoints& from, double s) {
    ForcePoints sum;
    std::size_t i = 0, j = 0;
    while (i < to.index.size() || j < from.index.size()) {
      const bool first = j == from.index.size() || (i < to.index.size() && to.index[i] <= from.index[j]);
      const bool second = i == to.index.size() || (j < from.index.size() && from.index[j] <= to.index[i]);
      sum.index.push_back(first ? to.index[i] : from.index[j]);
      sum.weight.push_back((first ? to.weight[i] : 0) + (second ? s * from.weight[j] : 0));
      i += first, j += second;
    }
    to = std::move(sum);
  }

  B& be_;
  Extent rows_;  // of the field
  std::vector<Force> forces_;
  std::vector<Points> points_;
  bool moving_ = false;
};

}  // namespace wavesim
