#include "sim/shapes/shape.hpp"

namespace wavesim {

namespace {

/// {not: {circle: {...}}, edge: free}: takes the shape away from the region, its rim included.
struct Not : Shape {
  std::shared_ptr<Shape> taken;

  void fields(Section& s) override {
    s("not", taken, {.text = "the shape that is taken away", .required = true});
    rim_keys(s);
  }
  Array<std::uint8_t> inside(const Grid& grid) const override {
    if (!taken) where.fail("'not' has no shape; write {not: {circle: ...}}");
    if (taken->rim && !taken->cuts_out() && !rim)
      where.fail("'rim: " + *taken->rim +
                 "' within 'not' has no effect; write it beside: {not: {...}, rim: " + *taken->rim + "}");
    if (taken->has_free_rim() && !has_free_rim())
      where.fail("'edge' within 'not' has no effect; write it beside: {not: {...}, edge: free}");
    Array<std::uint8_t> mask = taken->covered(grid, !has_free_rim() && !has_cut_rim());
    for (std::size_t i = grid.first_node(); i < grid.end_node(); ++i) mask[i] = !mask[i];
    return mask;
  }
  /// What is taken away from a cut-out is what it leaves.
  Array<std::uint8_t> covered(const Grid& grid, bool) const override { return inside(grid); }
  const Shape* taken_away() const override { return taken ? taken.get() : this; }
  bool has_geometry() const override { return taken && !taken->cuts_out() && taken->has_geometry(); }
};

}  // namespace

Kind<Shape> not_kind() {
  return {"not", "takes a shape away: walls, islands, holes", Form::flat, make_kind<Shape, Not>};
}

}  // namespace wavesim
