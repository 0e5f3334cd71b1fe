// How fast perfectly matched layers stretch, and what that makes of the medium.

#include <algorithm>
#include <cmath>

#include "sim/model/model_parts.hpp"
#include "sim/model/pml.hpp"

namespace wavesim {

namespace {

/// f(cell, k, layer, rate) for each cell of an axis in a layer: it is cell k of `layer`, from the rectangle outwards;
/// `rate` is zeta at the outer end.
template <class F>
void each_cell_in_layers(const Model& m, int axis, F&& f) {
  for (int end = 0; end < 2; ++end) {
    const double rate = m.edges[2 * axis + end].pml_rate;
    const long layer = rate > 0 ? m.grid.layer[axis][end] : 0;
    for (long k = 0; k < layer; ++k)
      f(std::size_t(end == 0 ? layer - 1 - k : m.grid.cells[axis] - layer + k), k, layer, rate);
  }
}

std::vector<double> rates(const Model& m, int axis) {
  std::vector<double> rate(std::size_t(m.grid.cells[axis]), 0.0);
  each_cell_in_layers(m, axis, [&](std::size_t cell, long k, long layer, double at_end) {
    const double depth = (double(k) + 0.5) / double(layer);
    rate[cell] += at_end * depth * depth;
  });
  return rate;
}

/// Divides the tensions of faces across layers by 1 + h^2 zeta' / (4 c), with nine points / (6 c): then what the
/// grid itself reflects where zeta changes is of a higher order (docs/math.md, section 2).
void match_to_grid(Model& m, int axis) {
  const Grid& g = m.grid;
  std::vector<double> slope(std::size_t(g.cells[axis]), 0.0);  // h zeta' outwards
  bool any = false;
  each_cell_in_layers(m, axis, [&](std::size_t cell, long k, long layer, double at_end) {
    slope[cell] = 2 * at_end * (double(k) + 0.5) / double(layer * layer);
    any = true;
  });
  if (!any) return;
  NodeField& faces = axis == 0 ? m.face_x : m.face_y;
  const bool made = faces.uniform();
  if (made) faces.values.resize(g.node_count());
  const double share = g.spacing[axis] / (m.space_order == 4 ? 6 : 4);
#pragma omp parallel for schedule(static)
  for (long iy = g.first_row(); iy < g.end_row(); ++iy)
    for (long ix = 0; ix < g.nodes(0); ++ix) {
      const long k = axis == 0 ? ix : iy;
      const std::size_t i = g.index(ix, iy);
      if (made) faces.values[i] = faces.constant;
      if (k < g.cells[axis] && slope[std::size_t(k)] > 0)
        faces.values[i] /= 1 + share * slope[std::size_t(k)] / m.speed[i];
    }
}

}  // namespace

double PmlProfile::cells(long first, long end) const {
  if (empty()) return 0;
  const double columns = double(rate[0].size()), rows = double(end - first),
               columns_outside = double(std::count(rate[0].begin(), rate[0].end(), 0.0)),
               rows_outside = double(std::count(rate[1].begin() + first, rate[1].begin() + end, 0.0));
  return columns * rows - columns_outside * rows_outside;
}

void add_pml(Model& model) {
  for (int axis = 0; axis < 2; ++axis) {
    model.pml.rate[axis] = rates(model, axis);
    match_to_grid(model, axis);
  }
}

/// exp(-2/c int zeta) = R with int zeta = zeta_end L / 3.
double pml_rate_at_end(double speed, double thickness, double reflection) {
  return 3 * speed / (2 * thickness) * std::log(1 / reflection);
}

}  // namespace wavesim
