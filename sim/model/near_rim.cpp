// Interpolation in cells that a rim cuts.
#include <algorithm>
#include <cmath>

#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

/// The share of the line from a node to its next one that lies inside a fixed rim; 1 where the rim follows the
/// grid.
double share_inside(const Rim& rim, std::size_t node, int axis) {
  const auto before = [](const Rim::Crossing& c, const std::pair<std::size_t, int>& key) {
    return std::pair(c.node, c.axis) < key;
  };
  const std::pair key(node, axis);
  const auto c = std::lower_bound(rim.crossings.begin(), rim.crossings.end(), key, before);
  return c != rim.crossings.end() && c->node == node && c->axis == axis ? c->share : 1;
}

/// u on a node outside from u on its neighbour inside, by the straight line that has the rim's value on the rim:
/// u(out) = factor u(in). `weight`: how much it counts beside the extension along the other axis.
struct Extension {
  double factor, weight;
};

class Corners {
 public:
  Corners(const Model& model, const Bilinear& at) : m_(model), at_(at) {}

  /// The weights of the four corners after those of corners outside have gone to the others; none beyond a fixed
  /// rim.
  std::array<double, 4> weights() const {
    std::array<double, 4> w{};
    if (is_beyond_fixed_rim()) return w;
    for (int k = 0; k < 4; ++k) {
      if (is_in(k)) {
        w[k] += at_.weight[k];
        continue;
      }
      const std::array<double, 4> from = value_outside(k);
      for (int n = 0; n < 4; ++n) w[n] += at_.weight[k] * from[n];
    }
    return w;
  }

 private:
  bool is_in(int k) const { return is_inside(m_, at_.node[k]); }

  /// By the distance to the rim along grid lines, bilinear like u: off by the curvature of the rim in a cell.
  bool is_beyond_fixed_rim() const {
    double distance = 0;
    bool fixed = false;
    for (int k = 0; k < 4; ++k) {
      double nearest = 1;
      for (int axis = 0; axis < 2; ++axis) {
        const int n = k ^ (1 << axis);
        if (is_in(n) == is_in(k)) continue;
        const std::size_t node = at_.node[std::min(n, k)];
        if (!((axis == 0 ? m_.face_x : m_.face_y)[node] < 0)) continue;
        const double share = share_inside(m_.rim, node, axis);
        nearest = std::min(nearest, is_in(k) ? share : 1 - share);
        fixed = true;
      }
      distance += at_.weight[k] * (is_in(k) ? nearest : -nearest);
    }
    return fixed && distance < 0;
  }

  /// Of corner `out` by its neighbour `in` along an axis.
  Extension extension(int in, int out, int axis) const {
    const int low = std::min(in, out);  // the first of the two along the axis
    const std::size_t node = at_.node[low];
    const double face = (axis == 0 ? m_.face_x : m_.face_y)[node];
    if (!(face < 0)) return {1, 1};  // free
    const double share = share_inside(m_.rim, node, axis);
    return {-(1 - share) / share, share};
  }

  /// The value at a corner outside, as weights of the corners inside: the mean of what its neighbours make it,
  /// by the share of the line that they have; opposite an only corner inside, the plane through the other three.
  std::array<double, 4> value_outside(int k) const {
    std::array<double, 4> from{};
    double sum = 0;
    for (int axis = 0; axis < 2; ++axis) {
      const int n = k ^ (1 << axis);
      if (!is_in(n)) continue;
      const Extension e = extension(n, k, axis);
      from[n] += e.weight * e.factor, sum += e.weight;
    }
    if (sum > 0) {
      for (double& f : from) f /= sum;
      return from;
    }
    const int opposite = k ^ 3;
    if (is_in(opposite))
      from[opposite] =
          extension(opposite, opposite ^ 1, 0).factor + extension(opposite, opposite ^ 2, 1).factor - 1;
    return from;
  }

  const Model& m_;
  const Bilinear& at_;
};

}  // namespace

Bilinear locate(const Model& model, double x, double y) {
  Bilinear at = locate(model.grid, x, y);
  if (model.region.empty() || (model.rim.crossings.empty() && model.rim.cell_share.uniform())) return at;
  if (std::all_of(at.node.begin(), at.node.end(), [&](std::size_t n) { return is_inside(model, n); }))
    return at;
  at.weight = Corners(model, at).weights();
  return at;
}

}  // namespace wavesim
