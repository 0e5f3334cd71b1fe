#include <cmath>
#include <numbers>

#include "sim/fields/field.hpp"
#include "sim/fields/on_nodes.hpp"

namespace wavesim {

namespace {

/// The standing wave (m, n) of grid.size: sin(m pi x / Lx) sin(n pi y / Ly) with fixed edges, cosines with
/// free ones.
struct Mode : Field2 {
  long m = 1, n = 1;
  double amplitude = 1;
  std::string edges = "fixed";

  void fields(Section& s) override {
    s("m", m, {.text = "half waves along x", .least = 0});
    s("n", n, {.text = "half waves along y", .least = 0});
    s("amplitude", amplitude, {.text = "largest value"});
    s("edges", edges, {.text = "fixed: sines; free: cosines", .choices = {"fixed", "free"}});
  }
  NodeField evaluate(const Grid& grid) const override {
    const bool sine = edges == "fixed";
    if (sine && (m < 1 || n < 1))
      where.fail("the mode (" + std::to_string(m) + ", " + std::to_string(n) +
                 ") is zero everywhere with fixed edges; let m and n be 1 or more, or set edges: free");
    const auto along = [&](int axis, long count) {
      std::vector<double> v(std::size_t(grid.nodes(axis)));
      const double k = double(count) * std::numbers::pi / (grid.high(axis) - grid.low(axis));
      for (long i = 0; i < grid.nodes(axis); ++i) {
        const double phase = k * (grid.at(axis, i) - grid.low(axis));
        v[std::size_t(i)] = sine ? std::sin(phase) : std::cos(phase);
      }
      return v;
    };
    const std::vector<double> x = along(0, m), y = along(1, n);
    NodeField field;
    field.values.resize(grid.node_count());
    const long nx = grid.nodes(0), ny = grid.nodes(1);
#pragma omp parallel for schedule(static)
    for (long iy = 0; iy < ny; ++iy)
      for (long ix = 0; ix < nx; ++ix)
        field.values[grid.index(ix, iy)] = amplitude * x[std::size_t(ix)] * y[std::size_t(iy)];
    return field;
  }
  double shortest_wavelength(const Grid& grid) const override {
    const double k =
        std::hypot(double(m) / (grid.high(0) - grid.low(0)), double(n) / (grid.high(1) - grid.low(1)));
    return k > 0 ? 2 / k : 0;
  }
};

}  // namespace

Kind<Field2> mode_kind() {
  return {"mode", "standing wave (m, n) of the rectangle", Form::nested, make_kind<Field2, Mode>};
}

}  // namespace wavesim
