#include "sim/shapes/region_outline.hpp"

namespace wavesim {

namespace {

Outlines outlines_of(const std::vector<std::shared_ptr<Shape>>& shapes, const Grid& grid) {
  Outlines outlines;
  for (const auto& shape : shapes)
    if (!shape->cuts_out()) outlines.push_back(shape->outline(grid));
  return outlines;
}

}  // namespace

RegionOutline::RegionOutline(const std::vector<std::shared_ptr<Shape>>& shapes, const Grid& grid)
    : grid_(grid), union_(outlines_of(shapes, grid), grid) {
  for (const auto& shape : shapes) {
    if (!shape->cuts_out()) {
      adding_.push_back(shape.get());
      continue;
    }
    // A cut-out of a cut-out has no outline; its rim follows the grid.
    if (shape->taken_away()->cuts_out()) continue;
    Outlines outline;
    outline.push_back(shape->taken_away()->outline(grid));
    cut_out_.push_back({shape.get(), Area(outline, grid)});
  }
}

RegionOutline::Found RegionOutline::at(double x, double y) {
  x = grid_.wrapped(0, x), y = grid_.wrapped(1, y);
  const Shape* out = nullptr;
  for (CutOut& c : cut_out_) {
    const Area::Found found = c.area.look(x, y);
    if (found.ruler < 0 && !found.on_rim) continue;
    if (!c.shape->has_free_rim()) return {false, c.shape};
    if (!out) out = c.shape;
  }
  if (out) return {false, out};
  if (adding_.empty()) return {true, nullptr};
  const int ruler = union_.look(x, y).ruler;
  return {ruler >= 0, ruler >= 0 ? adding_[std::size_t(ruler)] : nullptr};
}

}  // namespace wavesim
