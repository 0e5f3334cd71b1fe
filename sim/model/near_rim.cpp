// Interpolation in cells that a rim cuts.
#include <algorithm>
#include <cmath>
#include <map>

#include "sim/model/model_parts.hpp"
#include "sim/model/rim_faces.hpp"

namespace wavesim {

namespace {

/// A sum of the values at the corners of a cell and of those that driven rims prescribe, each with a weight.
struct Combination {
  std::array<double, 4> corner{};
  std::map<int, double> rim;  // by the number of the signal

  void add(const Combination& other, double factor) {
    for (int n = 0; n < 4; ++n) corner[n] += factor * other.corner[n];
    for (const auto& [signal, weight] : other.rim) rim[signal] += factor * weight;
  }
};

class Corners {
 public:
  Corners(const Model& model, const Bilinear& at) : m_(model), at_(at) {}

  /// u at the point, those of corners outside made of the others; nothing beyond a fixed rim.
  Combination value() const {
    Combination sum;
    if (is_beyond_fixed_rim()) return sum;
    for (int k = 0; k < 4; ++k) {
      if (is_in(k))
        sum.corner[k] += at_.weight[k];
      else
        sum.add(value_outside(k), at_.weight[k]);
    }
    return sum;
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

  /// u at corner `out` from u at its neighbour `in` along an axis, by the straight line that has the rim's value on the
  /// rim; `weight`: how much it counts beside the extension along the other axis.
  struct Extension {
    Combination value;
    double weight = 1;
  };
  Extension extension(int in, int out, int axis) const {
    Extension e;
    const std::size_t node = at_.node[std::min(in, out)];    // the first of the two along the axis
    if (!((axis == 0 ? m_.face_x : m_.face_y)[node] < 0)) {  // a free rim
      e.value.corner[in] = 1;
      return e;
    }
    e.weight = share_inside(m_.rim, node, axis);
    e.value.corner[in] = -(1 - e.weight) / e.weight;
    if (const Rim::DrivenFace* driven = find_face(m_.rim.driven, node, axis))
      e.value.rim[driven->signal] = 1 / e.weight;
    return e;
  }

  /// The value at a corner outside: the mean of what its neighbours make it, by the share of the line that they have;
  /// opposite an only corner inside, the plane through the other three.
  Combination value_outside(int k) const {
    Combination value;
    double sum = 0;
    for (int axis = 0; axis < 2; ++axis)
      if (const int n = k ^ (1 << axis); is_in(n)) sum += extension(n, k, axis).weight;
    if (sum > 0) {
      for (int axis = 0; axis < 2; ++axis)
        if (const int n = k ^ (1 << axis); is_in(n)) {
          const Extension e = extension(n, k, axis);
          value.add(e.value, e.weight / sum);
        }
      return value;
    }
    const int opposite = k ^ 3;
    if (!is_in(opposite)) return value;
    value.add(extension(opposite, opposite ^ 1, 0).value, 1);
    value.add(extension(opposite, opposite ^ 2, 1).value, 1);
    value.corner[opposite] -= 1;
    return value;
  }

  const Model& m_;
  const Bilinear& at_;
};

/// Whether a rim that is known between the nodes, or that is driven, goes through the cell of a point.
bool is_cut(const Model& model, const Bilinear& at) {
  const Rim& rim = model.rim;
  if (model.region.empty() || (rim.crossings.empty() && rim.cell_share.uniform() && rim.driven.empty()))
    return false;
  return std::any_of(at.node.begin(), at.node.end(), [&](std::size_t n) { return !is_inside(model, n); });
}

}  // namespace

Bilinear locate(const Model& model, double x, double y) {
  Bilinear at = locate(model.grid, x, y);
  if (is_cut(model, at)) at.weight = Corners(model, at).value().corner;
  return at;
}

std::map<int, double> held_by_rims(const Model& model, double x, double y) {
  const Bilinear at = locate(model.grid, x, y);
  if (model.rim.driven.empty() || !is_cut(model, at)) return {};
  std::map<int, double> held = Corners(model, at).value().rim;
  std::erase_if(held, [](const auto& share) { return share.second == 0; });
  return held;
}

}  // namespace wavesim
