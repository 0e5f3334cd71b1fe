#include "sim/shapes/area.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wavesim {

Area::Area(const Outlines& outlines, const Grid& grid) {
  for (const auto& outline : outlines) outlines_.push_back(outline->copy());
  for (int axis = 0; axis < 2; ++axis) {
    const double nudge = 1e-6 * grid.spacing[axis];
    low_[axis] = grid.low(axis) + nudge, high_[axis] = grid.high(axis) - nudge;
  }
  probe_ = 1e-3 * std::min(grid.spacing[0], grid.spacing[1]);
}

Area::Area(const Area& other) : low_(other.low_), high_(other.high_), probe_(other.probe_) {
  for (const auto& outline : other.outlines_) outlines_.push_back(outline->copy());
}

Area::Found Area::look(double x, double y) {
  x = pulled_in(0, x), y = pulled_in(1, y);
  int touched = -1, thresholds = 0;
  bool near_rim = false, on_rim = false;
  for (std::size_t k = 0; k < outlines_.size(); ++k) {
    const Lies lies = outlines_[k]->at(x, y);
    if (lies == Lies::inside) return {int(k), false};
    if (lies == Lies::outside) continue;
    if (touched < 0) touched = int(k);
    thresholds += lies == Lies::at_threshold;
    near_rim = near_rim || lies >= Lies::near_rim;
    on_rim = on_rim || lies == Lies::on_rim;
  }
  // What one formula or picture leaves out in its midst, a black line say, is meant to be outside.
  if ((near_rim || thresholds > 1) && enclosed(x, y)) return {touched, false};
  return {-1, on_rim};
}

double Area::pulled_in(int axis, double v) const {
  return std::min(std::max(v, low_[std::size_t(axis)]), high_[std::size_t(axis)]);
}

bool Area::filled(double x, double y, double angle) {
  const double px = pulled_in(0, x + probe_ * std::cos(angle)),
               py = pulled_in(1, y + probe_ * std::sin(angle));
  return std::any_of(outlines_.begin(), outlines_.end(),
                     [&](const auto& outline) { return outline->at(px, py) == Lies::inside; });
}

bool Area::enclosed(double x, double y) {
  // Cheap where large areas are exactly at a threshold. One of the two may fall on a rim by chance.
  if (!filled(x, y, 1) && !filled(x, y, 2.5)) return false;
  rims_.straight.clear(), rims_.bent.clear();
  for (const auto& outline : outlines_) outline->add_rims(x, y, rims_);
  const auto& bent = rims_.bent;
  if (!std::all_of(bent.begin(), bent.end(), [&](double a) { return filled(x, y, a); })) return false;

  constexpr double turn = 2 * std::numbers::pi;
  std::vector<double>& all = rims_.straight;
  all.insert(all.end(), bent.begin(), bent.end());
  if (all.empty()) return false;
  for (double& a : all) a -= turn * std::floor(a / turn);
  std::sort(all.begin(), all.end());
  all.push_back(all.front() + turn);
  for (std::size_t k = 0; k + 1 < all.size(); ++k)
    if (all[k + 1] - all[k] >= 0.01 && !filled(x, y, (all[k] + all[k + 1]) / 2)) return false;
  return true;
}

namespace {

/// Calls visit(area, ix, iy) for all nodes of the rows that are computed here.
template <class Visit>
void each_node(const Outlines& outlines, const Grid& grid, Visit&& visit) {
#pragma omp parallel
  {
    Area area(outlines, grid);
#pragma omp for schedule(static)
    for (long iy = grid.first_row(); iy < grid.end_row(); ++iy)
      for (long ix = 0; ix < grid.nodes(0); ++ix) visit(area, ix, iy);
  }
}

/// Whether the rim is nearer to a node than to one of its four neighbours beyond it. `beyond(node)` says
/// which those are, `past(found)` whether the point half-way to one lies beyond the rim.
template <class Beyond, class Past>
bool nearer_to_rim(Area& area, const Grid& grid, long ix, long iy, Beyond&& beyond, Past&& past) {
  const auto towards = [&](long jx, long jy) {
    return jx >= 0 && jx <= grid.cells[0] && jy >= grid.first_row() && jy < grid.end_row() &&
           beyond(grid.index(jx, jy)) &&
           past(area.look((grid.x(ix) + grid.x(jx)) / 2, (grid.y(iy) + grid.y(jy)) / 2));
  };
  return towards(ix - 1, iy) || towards(ix + 1, iy) || towards(ix, iy - 1) || towards(ix, iy + 1);
}

}  // namespace

Array<Ruled> nodes_inside(const std::vector<const Shape*>& shapes, const Grid& grid) {
  Outlines outlines;
  std::vector<Ruled> rim;
  for (const Shape* shape : shapes) {
    outlines.push_back(shape->outline(grid));
    rim.push_back(shape->has_free_rim()  ? Ruled::by_free_rim
                  : shape->has_cut_rim() ? Ruled::by_fixed_cut
                                         : Ruled::by_fixed_staircase);
  }
  Array<Ruled> all = in_own_rows(grid, Ruled::outside);
  each_node(outlines, grid, [&](Area& area, long ix, long iy) {
    if (const int k = area.look(grid.x(ix), grid.y(iy)).ruler; k >= 0)
      all[grid.index(ix, iy)] = rim[std::size_t(k)];
  });
  if (std::find(rim.begin(), rim.end(), Ruled::by_fixed_staircase) != rim.end()) {
    Array<Ruled> kept(grid.node_count());
    each_node(outlines, grid, [&](Area& area, long ix, long iy) {
      const std::size_t i = grid.index(ix, iy);
      const bool held = all[i] == Ruled::by_fixed_staircase &&
                        nearer_to_rim(
                            area, grid, ix, iy, [&](std::size_t j) { return all[j] == Ruled::outside; },
                            [](Area::Found f) { return f.ruler < 0 && !f.on_rim; });
      kept[i] = held ? Ruled::outside : all[i];
    });
    all = std::move(kept);
  }
  for (const auto& outline : outlines) outline->check(grid.own);
  return all;
}

Array<std::uint8_t> nodes_covered(const Shape& shape, const Grid& grid, bool fixed) {
  Outlines outlines;
  outlines.push_back(shape.outline(grid));
  Array<std::uint8_t> all(grid.node_count());
  each_node(outlines, grid, [&](Area& area, long ix, long iy) {
    const Area::Found f = area.look(grid.x(ix), grid.y(iy));
    all[grid.index(ix, iy)] = f.ruler >= 0 || f.on_rim;
  });
  if (fixed) {
    Array<std::uint8_t> taken(grid.node_count());
    each_node(outlines, grid, [&](Area& area, long ix, long iy) {
      const std::size_t i = grid.index(ix, iy);
      taken[i] = all[i] || nearer_to_rim(
                               area, grid, ix, iy, [&](std::size_t j) { return all[j]; },
                               [](Area::Found f) { return f.ruler >= 0; });
    });
    all = std::move(taken);
  }
  outlines.front()->check(grid.own);
  return all;
}

Array<std::uint8_t> Shape::inside(const Grid& grid) const {
  const Array<Ruled> nodes = nodes_inside({this}, grid);
  Array<std::uint8_t> mask(grid.node_count());
  for (std::size_t i = grid.first_node(); i < grid.end_node(); ++i) mask[i] = nodes[i] != Ruled::outside;
  return mask;
}

Array<std::uint8_t> Shape::covered(const Grid& grid, bool fixed) const {
  return nodes_covered(*this, grid, fixed);
}

}  // namespace wavesim
