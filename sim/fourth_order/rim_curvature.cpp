#include "sim/fourth_order/rim_curvature.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/model/model_parts.hpp"
#include "sim/model/rim_faces.hpp"

namespace wavesim {

namespace {

constexpr double radius = 2.6;  // of the rim that is looked at round a node, in spacings
constexpr std::size_t least_points = 5;
constexpr double most_bend = 0.25;       // curvature times spacing; beyond it cells do not resolve the rim
constexpr double most_misfit = 0.03;     // of a parabola, in spacings: more has a corner
constexpr double least_distance = 1e-3;  // in spacings, as shares of lines have (sim/model/rim.cpp)

using Vector = std::array<double, 2>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1]; }

/// Where the rim crosses a grid line, from the node at hand, in metres; and where on that line the outside is.
struct Point {
  Vector at, outwards;
};

/// The rim beside a node: in metres, with the normal that points out of the region.
struct NearRim {
  double distance, curvature;  // positive where the region is convex
  Vector normal;
};

/// The direction along which points lie: of the larger variance.
Vector direction_of(const std::vector<Point>& points) {
  Vector mean{};
  for (const Point& p : points)
    for (int d = 0; d < 2; ++d) mean[d] += p.at[d] / double(points.size());
  double xx = 0, xy = 0, yy = 0;
  for (const Point& p : points) {
    const double x = p.at[0] - mean[0], y = p.at[1] - mean[1];
    xx += x * x, xy += x * y, yy += y * y;
  }
  const double angle = std::atan2(2 * xy, xx - yy) / 2;
  return {std::cos(angle), std::sin(angle)};
}

/// Least squares: the parabola a + b s + c s^2 through (s, w), and the root of the mean square of what it misses.
struct Parabola {
  double a, b, c, misfit;
};
Parabola parabola_through(const std::vector<Vector>& points) {
  std::array<double, 5> s{};  // sums of powers
  std::array<double, 3> r{};
  for (const auto& [x, w] : points) {
    double power = 1;
    for (std::size_t k = 0; k < 5; ++k, power *= x) {
      s[k] += power;
      if (k < 3) r[k] += power * w;
    }
  }
  const auto determinant = [](const std::array<double, 3>& p, const std::array<double, 3>& q,
                              const std::array<double, 3>& t) {
    return p[0] * (q[1] * t[2] - q[2] * t[1]) - q[0] * (p[1] * t[2] - p[2] * t[1]) +
           t[0] * (p[1] * q[2] - p[2] * q[1]);
  };
  const std::array<double, 3> one{s[0], s[1], s[2]}, two{s[1], s[2], s[3]}, three{s[2], s[3], s[4]};
  const double all = determinant(one, two, three);
  Parabola p{determinant(r, two, three) / all, determinant(one, r, three) / all,
             determinant(one, two, r) / all, 0};
  for (const auto& [x, w] : points) {
    const double miss = p.a + x * (p.b + x * p.c) - w;
    p.misfit += miss * miss / double(points.size());
  }
  p.misfit = std::sqrt(p.misfit);
  return p;
}

class Curvatures {
 public:
  Curvatures(const Model& model, const NinePointCells& whole)
      : m_(model), g_(model.grid), whole_(whole), h_(std::max(g_.spacing[0], g_.spacing[1])) {}

  std::vector<RimCurvature> all() const {
    std::vector<RimCurvature> found;
    for (const std::size_t node : nodes())
      if (const double c = at(node); c != 0) found.push_back({node, c});
    return found;
  }

 private:
  /// Unknowns beside the rim: those of cells with a node beyond it. Sorted.
  std::vector<std::size_t> nodes() const {
    std::vector<std::size_t> list;
    for (const Rim::Crossing& c : m_.rim.crossings) {
      const auto [ix, iy] = g_.place(c.node);
      if (!g_.is_sure(iy)) continue;  // nodes near it are another rank's
      for (long jy = std::max(1L, iy - 1); jy <= std::min(g_.cells[1] - 1, iy + 2); ++jy)
        for (long jx = std::max(1L, ix - 1); jx <= std::min(g_.cells[0] - 1, ix + 2); ++jx)
          if (is_inside(m_, g_.index(jx, jy)) && !is_in_layer(jx, jy) && !is_by_a_free_rim(jx, jy))
            list.push_back(g_.index(jx, jy));
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

  bool is_in_layer(long ix, long iy) const {
    const auto outside = [&](int axis, long i) {
      return (g_.layer[axis][0] > 0 && i <= g_.layer[axis][0]) ||
             (g_.layer[axis][1] > 0 && i >= g_.cells[axis] - g_.layer[axis][1]);
    };
    return outside(0, ix) || outside(1, iy);
  }

  bool is_by_a_free_rim(long ix, long iy) const {
    if (m_.rim.cell_share.uniform()) return false;
    for (long jy = iy - 1; jy <= iy + 1; ++jy)
      for (long jx = ix - 1; jx <= ix + 1; ++jx)
        if (m_.rim.cell_share[g_.index(jx, jy)] < 1) return true;
    return false;
  }

  using Crossings = std::vector<Rim::Crossing>::const_iterator;
  /// Those of the lines from a node to its next ones.
  Crossings first_from(std::size_t node) const {
    return std::lower_bound(m_.rim.crossings.begin(), m_.rim.crossings.end(), node,
                            [](const Rim::Crossing& c, std::size_t n) { return c.node < n; });
  }

  /// Where the rim crosses lines near a node; nothing where a signal drives it.
  std::vector<Point> rim_near(long ix, long iy) const {
    constexpr long reach = 3;
    std::vector<Point> points;
    for (long jy = std::max(0L, iy - reach); jy <= std::min(g_.cells[1], iy + reach); ++jy) {
      const std::size_t last = g_.index(std::min(g_.cells[0], ix + reach), jy);
      for (Crossings c = first_from(g_.index(std::max(0L, ix - reach), jy));
           c != m_.rim.crossings.end() && c->node <= last; ++c) {
        const long jx = g_.place(c->node)[0];
        const bool first = is_inside(m_, c->node);
        Point p{{double(jx - ix) * g_.spacing[0], double(jy - iy) * g_.spacing[1]}, {0, 0}};
        p.at[c->axis] += (first ? c->share : 1 - c->share) * g_.spacing[c->axis];
        p.outwards[c->axis] = first ? 1 : -1;
        if (std::hypot(p.at[0], p.at[1]) > radius * h_) continue;
        if (find_face(m_.rim.driven, c->node, c->axis)) return {};
        points.push_back(p);
      }
    }
    return points;
  }

  std::optional<NearRim> rim_beside(long ix, long iy) const {
    const std::vector<Point> points = rim_near(ix, iy);
    if (points.size() < least_points) return {};
    const Vector along = direction_of(points);
    Vector out{along[1], -along[0]};
    double outwards = 0;
    for (const Point& p : points) outwards += dot(p.outwards, out);
    if (outwards < 0) out = {-out[0], -out[1]};
    std::vector<Vector> heights;  // in spacings, from the node
    for (const Point& p : points) heights.push_back({dot(p.at, along) / h_, dot(p.at, out) / h_});
    const Parabola rim = parabola_through(heights);
    const double length = std::hypot(1, rim.b), bend = -2 * rim.c / (length * length * length);
    if (!(rim.misfit <= most_misfit) || !(std::abs(bend) <= most_bend)) return {};
    return NearRim{std::max(rim.a / length, least_distance) * h_,
                   bend / h_,
                   {(out[0] - rim.b * along[0]) / length, (out[1] - rim.b * along[1]) / length}};
  }

  /// The mean share inside the region of the two lines from a node along an axis.
  double mean_share(int axis, long ix, long iy) const {
    const std::size_t here = g_.index(ix, iy), before = g_.index(ix - (axis == 0), iy - (axis == 1));
    return (share_inside(m_.rim, here, axis) + share_inside(m_.rim, before, axis)) / 2;
  }

  double at(std::size_t node) const {
    const auto [ix, iy] = g_.place(node);
    const double x = mean_share(0, ix, iy), y = mean_share(1, ix, iy);
    const int twist =
        whole_.at(ix, iy) + whole_.at(ix - 1, iy - 1) - whole_.at(ix - 1, iy) - whole_.at(ix, iy - 1);
    if (x == y && twist == 0) return 0;
    const auto rim = rim_beside(ix, iy);
    if (!rim) return 0;
    const auto [nx, ny] = rim->normal;
    const double tension = m_.mass[node] * m_.speed[node] * m_.speed[node];
    const double ratio = g_.spacing[1] / g_.spacing[0];
    return tension * rim->curvature / rim->distance *
           ((nx * nx - ny * ny) * (x - y) + nx * ny * twist * (ratio + 1 / ratio) / 6);
  }

  const Model& m_;
  const Grid& g_;
  const NinePointCells& whole_;
  const double h_;
};

}  // namespace

std::vector<RimCurvature> rim_curvatures(const Model& model, const NinePointCells& whole) {
  return Curvatures(model, whole).all();
}

}  // namespace wavesim
