#include "sim/fourth_order/filter.hpp"

#include "sim/model/model_parts.hpp"

namespace wavesim {

NinePointCells::NinePointCells(const Model& m) : grid_(m.grid) {
  if (m.space_order != 4 || m.region.empty()) return;
  const Grid& g = m.grid;
  const std::size_t first = g.first_node(), count = g.end_node() - first;
  std::vector<std::uint8_t> cut(2 * count, 0);  // faces that a free rim cuts, by axis
  const auto face = [&](int axis, std::size_t node) { return 2 * (node - first) + std::size_t(axis); };
  for (const Rim::Face& f : m.rim.faces) cut[face(f.axis, f.node)] = f.share < 1;
  const auto whole = [&](int axis, std::size_t node) {
    return (axis == 0 ? m.face_x : m.face_y)[node] > 0 && !cut[face(axis, node)];
  };
  five_.assign(count, 1);
  for (long iy = g.first_row(); iy < g.end_row() - 1; ++iy)
    for (long ix = 0; ix < g.cells[0]; ++ix) {
      const std::size_t i = g.index(ix, iy), east = g.next(0, i), north = g.next(1, i);
      bool inside = true;
      for (const std::size_t n : {i, east, north, g.next(1, east)})
        inside = inside && is_inside(m, n) && m.region[n] != Node::beyond_free_rim;
      five_[i - first] = !(inside && whole(0, i) && whole(1, i) && whole(0, north) && whole(1, east));
    }
}

bool NinePointCells::at(long ix, long iy) const {
  const auto on_axis = [&](int axis, long& k) {
    k = grid_.wrapped(axis, k);
    return k >= 0 && k < grid_.cells[axis];
  };
  if (!on_axis(0, ix) || !on_axis(1, iy)) return false;
  if (five_.empty()) return true;
  return grid_.own.has(iy) && five_[grid_.index(ix, iy) - grid_.first_node()] == 0;
}

Filter::Filter(const Model& m) : m_(m), order_(m.space_order == 4 ? 4 : 2), cells_(m) {}

std::array<long, 2> Filter::range(int axis) const {
  const bool low = holds_value(m_.edges[2 * axis].kind), high = holds_value(m_.edges[2 * axis + 1].kind);
  return {low ? 1 : 0, m_.grid.cells[axis] - high};
}

/// Whether all cells round a node are whole; there are none beyond an edge.
bool Filter::is_whole_round(long ix, long iy) const {
  const Grid& g = m_.grid;
  for (long cy = iy - 1; cy <= iy; ++cy)
    for (long cx = ix - 1; cx <= ix; ++cx) {
      const bool exists =
          (g.periodic[0] || (cx >= 0 && cx < g.cells[0])) && (g.periodic[1] || (cy >= 0 && cy < g.cells[1]));
      if (exists && !cells_.at(cx, cy)) return false;
    }
  return true;
}

double Filter::share(long ix, long iy) const {
  if (order_ == 2) return 0;
  if (cells_.everywhere()) return 1.0 / 24;
  if (!is_whole_round(ix, iy)) return 0;
  for (int axis = 0; axis < 2; ++axis) {  // as far as one-sided differences reach
    if (m_.grid.periodic[axis]) continue;
    const auto [first, last] = range(axis);
    std::array<long, 2> at{ix, iy};
    const long inwards = at[axis] <= first ? 1 : at[axis] >= last ? -1 : 0;
    for (int k = 0; inwards != 0 && k < 3; ++k) {
      at[axis] += inwards;
      if (!is_whole_round(at[0], at[1])) return 0;
    }
  }
  return 1.0 / 24;
}

FilterRow Filter::row(std::size_t node) const {
  const Grid& g = m_.grid;
  const std::array<long, 2> at = g.place(node);
  const double s = holding_side(m_, at[0], at[1]) < 0 ? share(at[0], at[1]) : 0;
  FilterRow row;
  row.add(node, 1);
  if (s == 0) return row;
  for (int axis = 0; axis < 2; ++axis) {
    const auto add = [&](long step, double weight) {
      std::array<long, 2> to = at;
      to[axis] = g.wrapped(axis, to[axis] + step);
      row.add(g.index(to[0], to[1]), s * weight);
    };
    const auto [first, last] = range(axis);
    const bool one_sided = !g.periodic[axis] && (at[axis] == first || at[axis] == last);
    if (one_sided && last - first < 3) continue;
    row[0].weight += s * (one_sided ? 2 : -2);
    if (one_sided) {
      const long inwards = at[axis] == first ? 1 : -1;
      add(inwards, -5), add(2 * inwards, 4), add(3 * inwards, -1);
    } else {
      add(-1, 1), add(1, 1);
    }
  }
  return row;
}

/// T of the face beside an edge over that on the edge, by a parabola through the next three faces: the first may
/// have been corrected (nine_points.hpp). 1 where the medium is no parabola.
double Filter::face_over_edge(int side, std::array<long, 2> at) const {
  const Grid& g = m_.grid;
  const int axis = side / 2;
  const NodeField& faces = axis == 0 ? m_.face_x : m_.face_y;
  if (faces.uniform() || g.cells[axis] < 4) return 1;
  std::array<double, 3> T{};
  for (long k = 0; k < 3; ++k) {
    at[axis] = side % 2 == 0 ? k + 1 : g.cells[axis] - 2 - k;
    T[std::size_t(k)] = faces[g.index(at[0], at[1])];
  }
  const double beside = 3 * T[0] - 3 * T[1] + T[2], on_edge = (35 * T[0] - 42 * T[1] + 15 * T[2]) / 8;
  const double ratio = beside / on_edge;
  return ratio > 0.5 && ratio < 2 ? ratio : 1;
}

FilterRow Filter::load(std::size_t node) const {
  const Grid& g = m_.grid;
  const std::array<long, 2> at = g.place(node);
  const double s = share(at[0], at[1]);
  FilterRow all;
  const int held = holding_side(m_, at[0], at[1]);
  if (held >= 0) {
    if (s == 0) return all;
    std::array<long, 2> to = at;
    to[held / 2] += held % 2 == 0 ? 1 : -1;
    all.add(g.index(to[0], to[1]), 2 * s * (1 + face_over_edge(held, at)));
    return all;
  }
  all.add(node, 1 - 4 * s);
  if (s == 0) return all;
  for (int axis = 0; axis < 2; ++axis)
    for (const long step : {-1L, 1L}) {
      std::array<long, 2> to = at;
      to[axis] = g.wrapped(axis, to[axis] + step);
      if (to[axis] < 0 || to[axis] > g.cells[axis]) to[axis] = at[axis] - step;
      all.add(g.index(to[0], to[1]), s);
    }
  return all;
}

const NodeField& unfiltered(const Model& m, const NodeField& u, NodeField& room) {
  if (m.space_order != 4 || u.uniform()) return u;
  const Filter filter(m);
  NodeField& v = room;
  v = {0, Array<double>(u.values.size())};
  const Grid& g = m.grid;
#pragma omp parallel for schedule(static)
  for (long iy = g.first_sure_row(); iy < g.end_sure_row(); ++iy)  // a row of S reaches beyond the own ones
    for (long ix = 0; ix < g.nodes(0); ++ix) {
      const std::size_t i = g.index(ix, iy);
      double filtered = 0;
      for (const Weighted& w : filter.row(i)) filtered += w.weight * u[w.node];
      v.values[i] = 2 * u[i] - filtered;
    }
  return v;
}

}  // namespace wavesim
