// Rims of shapes that take a part of the waves: T u_n = -beta u_t, a damping beta times the length of the rim in
// each dual cell (docs/math.md, section 2).

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/model/model_parts.hpp"
#include "sim/shapes/region_outline.hpp"

namespace wavesim {

namespace {

/// How much of each face between unknowns is inside, along both axes; 0 where a free rim closes it.
std::array<Array<double>, 2> open_faces(const Model& m) {
  const Grid& g = m.grid;
  std::array<Array<double>, 2> open;
  for (int axis = 0; axis < 2; ++axis) {
    const NodeField& faces = axis == 0 ? m.face_x : m.face_y;
    open[axis].resize(g.node_count());
    for (std::size_t i = g.first_node(); i < g.end_node(); ++i) open[axis][i] = faces[i] != 0;
  }
  for (const Rim::Face& f : m.rim.faces) open[std::size_t(f.axis)][f.node] = f.share;
  return open;
}

class RimLengths {
 public:
  explicit RimLengths(const Model& m) : m_(m), g_(m.grid), open_(open_faces(m)) {}

  /// Of the rim in the dual cell of a node, metres: what a polygon round the cell needs to be closed. A cell
  /// between two parallel rims has both.
  double at(long ix, long iy) const {
    std::array<double, 2> normal{};
    for (int axis = 0; axis < 2; ++axis) {
      const auto [low, high] = faces(axis, ix, iy);
      const double closed = low == 0 && high == 0 ? 2 : std::abs(high - low);
      normal[axis] = closed * breadth(1 - axis, axis == 0 ? iy : ix);
    }
    return std::hypot(normal[0], normal[1]);
  }

 private:
  /// The open shares of a cell's two faces across an axis. On an edge of the rectangle a rim ends straight.
  std::array<double, 2> faces(int axis, long ix, long iy) const {
    const long k = axis == 0 ? ix : iy;
    const bool first = !g_.periodic[axis] && k == 0, last = !g_.periodic[axis] && k == g_.cells[axis];
    const auto open = [&](long j) {
      const long at = g_.wrapped(axis, j);
      if (axis == 1 && !g_.own.has(at)) return 0.0;  // another rank's
      return open_[axis][axis == 0 ? g_.index(at, iy) : g_.index(ix, at)];
    };
    const double low = first ? open(k) : open(k - 1), high = last ? low : open(k);
    return {low, high};
  }
  double breadth(int axis, long k) const {
    const bool half = !g_.periodic[axis] && (k == 0 || k == g_.cells[axis]);
    return (half ? 0.5 : 1) * g_.spacing[axis];
  }

  const Model& m_;
  const Grid& g_;
  const std::array<Array<double>, 2> open_;
};

/// Visits the nodes round a node, those that share a face with it first.
template <class Visit>
void each_round(const Grid& g, long ix, long iy, Visit&& visit) {
  constexpr std::array<std::array<int, 2>, 8> steps{
      {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}};
  for (const auto& [dx, dy] : steps) {
    const long jx = g.wrapped(0, ix + dx), jy = g.wrapped(1, iy + dy);
    if (jx >= 0 && jy >= 0 && jx <= g.cells[0] && jy <= g.cells[1]) visit(jx, jy);
  }
}

/// The shape whose rim goes through or past a node's dual cell: a cut-out beside it, else the shape that it is in.
const Shape* ruler(RegionOutline& outline, const Model& m, long ix, long iy) {
  const Grid& g = m.grid;
  const auto at = [&](long jx, long jy) { return outline.at(g.x(jx), g.y(jy)); };
  const auto here = at(ix, iy);
  if (!here.inside && here.by) return here.by;
  const Shape *cut_out = nullptr, *inside = here.by;
  each_round(g, ix, iy, [&](long jx, long jy) {
    const auto there = at(jx, jy);
    if (!there.inside && there.by && !cut_out) cut_out = there.by;
    if (there.inside && !inside) inside = there.by;
  });
  return cut_out ? cut_out : inside;
}

}  // namespace

void build_absorbing_rims(const Config& config, Model& model) {
  const auto absorbs = [](const auto& shape) { return shape->edge->condition().radiation; };
  if (model.region.empty() || std::none_of(config.shape.begin(), config.shape.end(), absorbs)) return;
  const Grid& g = model.grid;
  const RimLengths length(model);
  const RegionOutline shared(config.shape, g);
  std::map<const Shape*, EdgeCondition> rims;  // before the threads: an impedance may be refused
  for (const auto& shape : config.shape) {
    EdgeCondition& rim = rims[shape.get()] = shape->edge->condition();
    take_impedance(config, shape->where, rim);
  }
  NodeField& damping = model.rim.damping;
  damping.values = in_own_rows(g, 0.0);
#pragma omp parallel
  {
    RegionOutline outline(shared);
#pragma omp for schedule(dynamic, 16)
    for (long iy = g.first_row(); iy < g.end_row(); ++iy)
      for (long ix = 0; ix < g.nodes(0); ++ix) {
        if (!is_unknown(model, ix, iy)) continue;
        const double metres = length.at(ix, iy);
        if (!(metres > 0)) continue;
        const Shape* by = ruler(outline, model, ix, iy);
        if (!by) continue;
        const EdgeCondition& rim = rims.at(by);
        damping.values[g.index(ix, iy)] =
            edge_damping(rim, model, g.index(ix, iy)) * metres / (g.spacing[0] * g.spacing[1]);
      }
  }
}

}  // namespace wavesim
