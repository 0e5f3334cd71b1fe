#include "sim/shapes/region_outline.hpp"

namespace wavesim {

namespace {

Outlines copies(const Outlines& outlines) {
  Outlines other;
  for (const auto& outline : outlines) other.push_back(outline->copy());
  return other;
}

Outlines outlines_of(const std::vector<std::shared_ptr<Shape>>& shapes, const Grid& grid) {
  Outlines outlines;
  for (const auto& shape : shapes)
    if (!shape->cuts_out()) outlines.push_back(shape->outline(grid));
  return outlines;
}

}  // namespace

RegionOutline::RegionOutline(const std::vector<std::shared_ptr<Shape>>& shapes, const Grid& grid)
    : grid_(grid), outlines_(outlines_of(shapes, grid)), union_(outlines_, grid) {
  for (const auto& shape : shapes) {
    if (!shape->cuts_out()) {
      adding_.push_back(shape.get());
      continue;
    }
    // A cut-out of a cut-out has no outline; its rim follows the grid.
    if (shape->taken_away()->cuts_out()) continue;
    Outlines outline;
    outline.push_back(shape->taken_away()->outline(grid));
    Area area(outline, grid);
    cut_out_.push_back({shape.get(), std::move(outline), std::move(area)});
  }
}

RegionOutline::RegionOutline(const RegionOutline& other)
    : grid_(other.grid_),
      adding_(other.adding_),
      outlines_(copies(other.outlines_)),
      union_(outlines_, grid_) {
  for (const CutOut& c : other.cut_out_) {
    Outlines outline = copies(c.outline);
    Area area(outline, grid_);
    cut_out_.push_back({c.shape, std::move(outline), std::move(area)});
  }
}

RegionOutline::Found RegionOutline::at(double x, double y) {
  std::array<double, 2> point{x, y};
  for (int axis = 0; axis < 2; ++axis) {
    if (!grid_.periodic[axis]) continue;
    const double low = grid_.low(axis), high = grid_.high(axis), nearly = 1e-9 * grid_.spacing[axis];
    double& v = point[std::size_t(axis)];
    if (v < low) v += high - low;
    if (v > high - nearly) v -= high - low;
  }
  const Shape* out = nullptr;
  for (CutOut& c : cut_out_) {
    const Area::Found found = c.area.look(point[0], point[1]);
    if (found.ruler < 0 && !found.on_rim) continue;
    if (!c.shape->has_free_rim()) return {false, c.shape};
    if (!out) out = c.shape;
  }
  if (out) return {false, out};
  if (adding_.empty()) return {true, nullptr};
  const int ruler = union_.look(point[0], point[1]).ruler;
  return {ruler >= 0, ruler >= 0 ? adding_[std::size_t(ruler)] : nullptr};
}

}  // namespace wavesim
