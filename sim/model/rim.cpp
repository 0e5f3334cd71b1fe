#include "sim/model/rim.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/model/layers.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/shapes/region_outline.hpp"

namespace wavesim {

namespace {

/// A fixed rim that is nearer to a node than this share of the spacing is put at this share, so that T over the
/// share stays small enough for single precision. The rim moves by less than 1e-3 h at a thousandth of its nodes.
constexpr double least_share = 1e-3;
/// Dual cells with less of their area inside are left out. A larger limit costs frequencies their second order.
constexpr double least_area = 1e-3;
/// Cells and faces with a larger share inside count as whole: rounding decides about a rim that lies on a face.
constexpr double whole_share = 1 - 1e-6;

using Point = std::array<double, 2>;  // metres

bool is_cut_free(const Shape& shape) { return shape.has_cut_rim() && shape.has_free_rim(); }
bool is_cut_fixed(const Shape& shape) { return shape.has_cut_rim() && !shape.has_free_rim(); }

Point between(const Point& a, const Point& b, double part) {
  return {a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])};
}

/// Where `inside(point)` ends on the line from a point inside to one outside: the share of the line, from a.
template <class Inside>
double crossing(Inside&& inside, const Point& a, const Point& b) {
  double in = 0, out = 1;
  for (int halving = 0; halving < 45; ++halving) {
    const double middle = (in + out) / 2;
    (inside(between(a, b, middle)) ? in : out) = middle;
  }
  return (in + out) / 2;
}

/// The area within a polygon, metres^2; positive where it runs counterclockwise.
double polygon_area(const std::vector<Point>& corners) {
  double twice = 0;
  for (std::size_t k = 0, j = corners.size() - 1; k < corners.size(); j = k++)
    twice += corners[j][0] * corners[k][1] - corners[k][0] * corners[j][1];
  return twice / 2;
}

/// One thread's look at the rim.
class Cutter {
 public:
  Cutter(const RegionOutline& outline, const Grid& grid, const Array<Node>& region)
      : outline_(outline), g_(grid), region_(region) {}

  Point node(long ix, long iy) const { return {g_.x(ix), g_.y(iy)}; }

  /// The share up to a fixed cut rim of the line from an unknown to a neighbour that is none; none for other
  /// rims.
  std::optional<double> fixed_crossing(const Point& in, const Point& out) {
    const auto at = [&](const Point& p) { return outline_.at(p[0], p[1]); };
    const auto inside = [&](const Point& p) { return at(p).inside; };
    if (!inside(in) || inside(out)) return {};  // this rim follows the grid
    const double share = crossing(inside, in, out);
    const RegionOutline::Found beyond = at(between(in, out, share + 1e-9));
    const Shape* by = beyond.by ? beyond.by : at(between(in, out, share - 1e-9)).by;
    if (!by || !is_cut_fixed(*by)) return {};
    return std::max(share, least_share);
  }

  /// Whether the rim by which the region ends at a node or near it is free and cuts cells.
  bool is_near_cut_free(long ix, long iy) {
    const auto cut_free = [&](long jx, long jy) {
      const Shape* const by = outline_.at(g_.x(jx), g_.y(jy)).by;
      return by && is_cut_free(*by);
    };
    bool any = cut_free(ix, iy);
    each_neighbour(ix, iy, [&](long jx, long jy) { any = any || cut_free(jx, jy); });
    return any;
  }

  /// Whether the region ends near a node.
  bool is_near_rim(long ix, long iy) const {
    const bool here = is_inside(region_[g_.index(ix, iy)]);
    bool differs = false;
    each_neighbour(
        ix, iy, [&](long jx, long jy) { differs = differs || is_inside(region_[g_.index(jx, jy)]) != here; });
    return differs;
  }

  /// What free rims leave of a node's dual cell.
  struct Part {
    double share;  // of its area
    bool whole;    // in one piece
  };
  Part part_of_cell(long ix, long iy) {
    const auto [x0, x1] = ends(0, ix);
    const auto [y0, y1] = ends(1, iy);
    const double x = (x0 + x1) / 2, y = (y0 + y1) / 2;
    const std::array<Point, 8> round{
        {{x0, y0}, {x, y0}, {x1, y0}, {x1, y}, {x1, y1}, {x, y1}, {x0, y1}, {x0, y}}};
    const double whole = (x1 - x0) * (y1 - y0);
    std::vector<Point> part, leaves, enters;
    for (std::size_t k = 0; k < round.size(); ++k) {
      const Point &a = round[k], &b = round[(k + 1) % round.size()];
      const bool a_open = open(a), b_open = open(b);
      if (a_open) part.push_back(a);
      if (a_open == b_open) continue;
      const Point cut = a_open ? between(a, b, cross(a, b)) : between(b, a, cross(b, a));
      part.push_back(cut), (a_open ? leaves : enters).push_back(cut);
    }
    if (part.empty()) return {0, true};
    double area = polygon_area(part);
    if (leaves.size() == 1) area += bulge(leaves[0], enters[0]);
    return {std::clamp(area / whole, 0.0, 1.0), leaves.size() <= 1};
  }

  /// Of the face between a node and its next one along an axis.
  struct OpenFace {
    double share, middle;
  };
  OpenFace open_face(long ix, long iy, int axis) {
    const auto [from, to] = ends(1 - axis, axis == 0 ? iy : ix);
    const double along = g_.at(axis, axis == 0 ? ix : iy) + g_.spacing[axis] / 2;
    const auto point = [&](double across) { return axis == 0 ? Point{along, across} : Point{across, along}; };
    const Point low = point(from), middle = point((from + to) / 2), high = point(to);
    double open_length = 0, moment = 0;  // in halves of the face; from its lower end
    const auto add = [&](double a, double b) { open_length += b - a, moment += (b * b - a * a) / 2; };
    const auto half = [&](const Point& a, const Point& b, double begin) {
      const bool a_open = open(a), b_open = open(b);
      if (a_open && b_open) add(begin, begin + 1);
      if (a_open && !b_open) add(begin, begin + cross(a, b));
      if (!a_open && b_open) add(begin + 1 - cross(b, a), begin + 1);
    };
    half(low, middle, 0), half(middle, high, 1);
    if (!(open_length > 0)) return {0, 0};
    const double node = g_.at(1 - axis, axis == 0 ? iy : ix);
    const double centre = from + (to - from) * moment / open_length / 2;
    return {open_length / 2, (centre - node) / g_.spacing[1 - axis]};
  }

 private:
  /// The ends of a dual cell along an axis; it ends at the ends of axes that are not periodic.
  std::array<double, 2> ends(int axis, long i) const {
    const double half = g_.spacing[axis] / 2, at = g_.at(axis, i);
    const bool first = !g_.periodic[axis] && i == 0, last = !g_.periodic[axis] && i == g_.cells[axis];
    return {first ? at : at - half, last ? at : at + half};
  }
  bool open(const Point& p) {
    const RegionOutline::Found f = outline_.at(p[0], p[1]);
    return f.inside || (f.by && !is_cut_free(*f.by));
  }
  double cross(const Point& in, const Point& out) {
    return crossing([&](const Point& p) { return open(p); }, in, out);
  }
  /// The area between the rim and its chord from `leaves`, where a walk counterclockwise leaves the region, to
  /// `enters`: Simpson's rule with the heights at three points, exact for parabolas and for the corner of a
  /// square.
  double bulge(const Point& leaves, const Point& enters) {
    const double dx = enters[0] - leaves[0], dy = enters[1] - leaves[1], chord = std::hypot(dx, dy);
    const auto height = [&](double part) {
      const Point on = between(leaves, enters, part);
      // to the right of the chord lies the outside
      const Point within{on[0] - reach * dy, on[1] + reach * dx},
          beyond{on[0] + reach * dy, on[1] - reach * dx};
      return open(within) && !open(beyond) ? (2 * cross(within, beyond) - 1) * reach * chord : 0;
    };
    return chord * (4 * height(0.25) + 2 * height(0.5) + 4 * height(0.75)) / 12;
  }
  static constexpr double reach = 0.6;  // of the chord, to either side
  template <class Visit>
  void each_neighbour(long ix, long iy, Visit&& visit) const {
    for (long dy = -1; dy <= 1; ++dy)
      for (long dx = -1; dx <= 1; ++dx) {
        const long jx = neighbour(0, ix + dx), jy = neighbour(1, iy + dy);
        if (jx >= 0 && jy >= 0 && (dx != 0 || dy != 0)) visit(jx, jy);
      }
  }
  /// Round periodic axes; -1 where there is none, or another rank has it.
  long neighbour(int axis, long i) const {
    const long cells = g_.cells[axis];
    if (g_.periodic[axis]) return (i + cells) % cells;
    return i <= cells && (axis == 0 || g_.own.has(i)) ? i : -1;
  }

  RegionOutline outline_;
  const Grid& g_;
  const Array<Node>& region_;
};

/// Calls visit(cutter, ix, iy, found) for all nodes of the rows that are computed here, in parallel by rows; what is found comes
/// in their order.
template <class Found, class Visit>
std::vector<Found> collect(const RegionOutline& outline, const Grid& g, const Array<Node>& region,
                           Visit&& visit) {
  std::vector<std::vector<Found>> rows(std::size_t(g.nodes(1)));
#pragma omp parallel
  {
    Cutter cutter(outline, g, region);
#pragma omp for schedule(dynamic)
    for (long iy = g.first_row(); iy < g.end_row(); ++iy)
      for (long ix = 0; ix < g.nodes(0); ++ix) visit(cutter, ix, iy, rows[std::size_t(iy)]);
  }
  std::vector<Found> all;
  for (auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

/// Cells and faces that free rims cut; nodes beyond the rim whose cells keep a part become unknowns.
void cut_free_rims(const RegionOutline& outline, const Grid& g, Array<Node>& region, Rim& rim) {
  struct Cell {
    long ix, iy;
    double share;
  };
  const auto cells =
      collect<Cell>(outline, g, region, [&](Cutter& cutter, long ix, long iy, std::vector<Cell>& found) {
        if ((g.periodic[0] && ix == g.cells[0]) || (g.periodic[1] && iy == g.cells[1])) return;
        if (!cutter.is_near_rim(ix, iy) || !cutter.is_near_cut_free(ix, iy)) return;
        const Node here = region[g.index(ix, iy)];
        if (here == Node::outside_fixed) return;
        // a node in a wall or at a point where rooms touch would join them
        const auto [share, whole] = cutter.part_of_cell(ix, iy);
        if (is_inside(here) ? share < whole_share : whole && share >= least_area)
          found.push_back({ix, iy, std::max(share, least_area)});
      });
  const bool any = std::any_of(cells.begin(), cells.end(), [&](const Cell& c) { return g.is_sure(c.iy); });
  if (!g.own.any(any)) return;
  rim.cell_share.values = in_own_rows(g, 1.0);
  Array<std::uint8_t> cut = in_own_rows(g, std::uint8_t(0));
  for (const Cell& c : cells) {
    const std::size_t i = g.index(c.ix, c.iy);
    cut[i] = 1;
    rim.cell_share.values[i] = c.share;
    if (!is_inside(region[i])) region[i] = Node::beyond_free_rim;
  }
  copy_periodic(region, g), copy_periodic(cut, g), copy_periodic(rim.cell_share.values, g);
  rim.faces = collect<Rim::Face>(
      outline, g, region, [&](Cutter& cutter, long ix, long iy, std::vector<Rim::Face>& found) {
        const std::size_t i = g.index(ix, iy);
        for (int axis = 0; axis < 2; ++axis) {
          if (!g.has_next(axis, ix, iy)) continue;
          const std::size_t j = g.next(axis, i);
          if ((!cut[i] && !cut[j]) || !is_inside(region[i]) || !is_inside(region[j])) continue;
          const auto face = cutter.open_face(ix, iy, axis);
          if (face.share < whole_share) found.push_back({i, axis, face.share, face.middle});
        }
      });
}

}  // namespace

Rim cut_rims(const std::vector<std::shared_ptr<Shape>>& shapes, const Grid& g, Array<Node>& region) {
  Rim rim;
  const auto any = [&](bool (*is)(const Shape&)) {
    return std::any_of(shapes.begin(), shapes.end(), [&](const auto& shape) { return is(*shape); });
  };
  const bool free = any(is_cut_free), fixed = any(is_cut_fixed);
  if (region.empty() || (!free && !fixed)) return rim;
  const RegionOutline outline(shapes, g);
  if (free) cut_free_rims(outline, g, region, rim);
  if (fixed)
    rim.crossings = collect<Rim::Crossing>(
        outline, g, region, [&](Cutter& cutter, long ix, long iy, std::vector<Rim::Crossing>& found) {
          const std::size_t i = g.index(ix, iy);
          for (int axis = 0; axis < 2; ++axis) {
            if (!g.has_next(axis, ix, iy)) continue;
            const bool first = is_inside(region[i]), second = is_inside(region[g.next(axis, i)]);
            if (first == second) continue;
            const Point a = cutter.node(ix, iy), b = cutter.node(ix + (axis == 0), iy + (axis == 1));
            const auto share = first ? cutter.fixed_crossing(a, b) : cutter.fixed_crossing(b, a);
            if (share) found.push_back({i, axis, *share});
          }
        });
  return rim;
}

}  // namespace wavesim
