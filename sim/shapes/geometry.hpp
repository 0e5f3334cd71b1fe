#pragma once
// From where a shape lies to which nodes are inside it.

#include "sim/shapes/shape.hpp"

namespace wavesim {

/// What the nodes are asked for.
struct NodesOf {
  bool fixed = true;     // the rim is fixed, else free
  bool cut_out = false;  // the nodes that are taken away, else those that stay
  double slack = 0;      // a depth within +- slack is on the rim
};

/// 1 on the nodes inside a shape (on those covered by it, for a cut-out), in parallel. `make` is called in
/// each thread and returns depth(x, y): positive inside, negative outside, 0 on the rim.
///
/// Nodes on the rim are not part of the wave. Where a rim is fixed, u = 0 holds at the first node that is
/// not: of the two nodes on either side of the rim on a grid line that is to be the nearer one, so an inside
/// node that lies nearer to the rim than its neighbour beyond is held as well. The lowest tone of a drum of
/// radius 50 h is then 0.1 % sharp; held at the nodes beyond the rim alone it would be 0.6 % flat. A free rim
/// lies half a cell beyond the last node inside, which is unbiased as it is.
///
/// Nodes on the edges of the rectangle are looked at a millionth of a cell further in, and those in the
/// absorbing layers beyond at the nearest point of the rectangle.
template <class Make>
std::vector<std::uint8_t> mask_nodes(const Grid& grid, const NodesOf& ask, Make&& make) {
  const long nx = grid.nodes(0), ny = grid.nodes(1);
  const auto pulled_in = [&](int axis, long i) {
    const double nudge = 1e-6 * grid.spacing[axis];
    return std::min(std::max(grid.at(axis, i), grid.low(axis) + nudge), grid.high(axis) - nudge);
  };
  std::vector<std::uint8_t> mask(grid.node_count());
#pragma omp parallel
  {
    auto depth = make();
#pragma omp for schedule(static)
    for (long iy = 0; iy < ny; ++iy)
      for (long ix = 0; ix < nx; ++ix) {
        const double d = depth(pulled_in(0, ix), pulled_in(1, iy));
        mask[grid.index(ix, iy)] = ask.cut_out ? d >= -ask.slack : d > ask.slack;
      }
  }
  if (!ask.fixed) return mask;

  std::vector<std::uint8_t> held = mask;
  const std::uint8_t wave = ask.cut_out ? 0 : 1;
#pragma omp parallel
  {
    auto depth = make();
#pragma omp for schedule(static)
    for (long iy = 0; iy < ny; ++iy)
      for (long ix = 0; ix < nx; ++ix) {
        if (mask[grid.index(ix, iy)] != wave) continue;
        const auto nearer = [&](long jx, long jy) {
          if (jx < 0 || jy < 0 || jx >= nx || jy >= ny || mask[grid.index(jx, jy)] == wave) return false;
          const double d =
              depth((pulled_in(0, ix) + pulled_in(0, jx)) / 2, (pulled_in(1, iy) + pulled_in(1, jy)) / 2);
          return ask.cut_out ? d > ask.slack : d < -ask.slack;
        };
        if (nearer(ix - 1, iy) || nearer(ix + 1, iy) || nearer(ix, iy - 1) || nearer(ix, iy + 1))
          held[grid.index(ix, iy)] = !wave;
      }
  }
  return held;
}

/// Shapes that answer both questions with one mask.
struct MaskedShape : Shape {
  std::vector<std::uint8_t> inside(const Grid& grid) const final {
    return mask(grid, {.fixed = edge == "fixed"});
  }
  std::vector<std::uint8_t> covered(const Grid& grid, bool fixed) const final {
    return mask(grid, {.fixed = fixed, .cut_out = true});
  }

 protected:
  virtual std::vector<std::uint8_t> mask(const Grid& grid, NodesOf ask) const = 0;
};

/// Shapes that are given by where their rim lies.
struct GeometricShape : MaskedShape {
 protected:
  /// Positive inside, negative outside; near the rim about the distance to it, in metres. `slack` is a
  /// distance that counts as none.
  virtual double depth(double x, double y, double slack) const = 0;
  /// Throws InputError for numbers that make no such shape.
  virtual void check() const {}

  std::vector<std::uint8_t> mask(const Grid& grid, NodesOf ask) const final;
};

}  // namespace wavesim
