// Which nodes are unknowns, where they lie in fields, and fields of zeros to put their coefficients into.

#include <algorithm>

#include "sim/model/coefficients.hpp"
#include "sim/model/model_parts.hpp"

namespace wavesim {

long Unknowns::index(long ix, long iy) const {
  if (topology.wrap_x) ix %= count[0];
  if (topology.wrap_y) iy %= count[1];
  const long col = ix - first[0], row = iy - first[1];
  return col < 0 || row < 0 || col >= count[0] || row >= count[1] ? -1 : extent.number(int(row), int(col));
}

int Unknowns::side(long ix, long iy) const {
  if (ix < first[0]) return left;
  if (ix >= first[0] + count[0]) return right;
  return iy < first[1] ? bottom : top;
}

Unknowns make_unknowns(const Model& m, int word) {
  Unknowns u;
  for (int axis = 0; axis < 2; ++axis) {
    const auto low = m.edges[2 * axis].kind, high = m.edges[2 * axis + 1].kind;
    u.first[axis] = holds_value(low);
    u.count[axis] = m.grid.periodic[axis] ? m.grid.cells[axis]
                                          : m.grid.nodes(axis) - holds_value(low) - holds_value(high);
  }
  u.extent = make_extent(int(u.count[0]), int(u.count[1]), word);
  u.extent.ring = m.grid.periodic[1];
  u.topology = {u.extent.nx, u.extent.ny, m.grid.periodic[0] ? u.extent.nx : 0,
                m.grid.periodic[1] ? u.extent.ny * u.extent.pitch : 0};
  return u;
}

Array<double> zeros_in(const Extent& e, RowRange rows) {
  Array<double> a(elements_of_field(e));
  const std::size_t pitch = std::size_t(e.pitch);
#pragma omp parallel for schedule(static)
  for (int row = rows.first - 1; row < rows.end + 1; ++row)
    std::fill_n(a.begin() + long(std::size_t(row + 1) * pitch), pitch, 0.0);
  for (const int row : {-1, e.ny}) std::fill_n(a.begin() + long(std::size_t(row + 1) * pitch), pitch, 0.0);
  return a;
}

}  // namespace wavesim
