#pragma once
// Shapes that are given by where their rim lies.

#include "sim/shapes/shape.hpp"

namespace wavesim {

struct GeometricShape : Shape {
  std::vector<std::uint8_t> inside(const Grid& grid) const final;
  std::vector<std::uint8_t> covered(const Grid& grid) const final;

 protected:
  /// Positive inside, negative outside; near the rim about the distance to it, in metres. `slack` is a
  /// distance that counts as none.
  virtual double depth(double x, double y, double slack) const = 0;
  /// Throws InputError for numbers that make no such shape.
  virtual void check() const {}

 private:
  std::vector<std::uint8_t> where_depth_exceeds(const Grid& grid, double slacks) const;
};

/// test(x, y) on every node, in parallel, for shapes. Nodes on the edges of the rectangle are looked at a
/// millionth of a cell further in, and those beyond at the nearest point of the rectangle. `make` as in
/// on_nodes_each.
template <class Make>
std::vector<std::uint8_t> mask_nodes_each(const Grid& grid, Make&& make) {
  std::vector<std::uint8_t> mask(grid.node_count());
  const long nx = grid.nodes(0), ny = grid.nodes(1);
  const auto pulled_in = [&](int axis, long i) {
    const double nudge = 1e-6 * grid.spacing[axis];
    return std::min(std::max(grid.at(axis, i), grid.low(axis) + nudge), grid.high(axis) - nudge);
  };
#pragma omp parallel
  {
    auto test = make();
#pragma omp for schedule(static)
    for (long iy = 0; iy < ny; ++iy)
      for (long ix = 0; ix < nx; ++ix)
        mask[grid.index(ix, iy)] = test(pulled_in(0, ix), pulled_in(1, iy)) ? 1 : 0;
  }
  return mask;
}

}  // namespace wavesim
