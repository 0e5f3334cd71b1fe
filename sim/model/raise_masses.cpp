#include "sim/model/raise_masses.hpp"

#include "sim/model/model_parts.hpp"

namespace wavesim {

void raise_masses(const Model& m, const Unknowns& u, double largest, HostCoefficients& five) {
  const Extent e = u.extent;
  const Grid& g = m.grid;
  const RowRange rows = wanted_rows(m, e);
#pragma omp parallel for schedule(static)
  for (int row = rows.first; row < rows.end; ++row)
    for (int col = 0; col < e.nx; ++col) {
      const long ix = u.first[0] + col, iy = u.first[1] + row;
      const std::size_t i = g.index(ix, iy), k = std::size_t(row + 1) * e.pitch + col;
      if (!is_inside(m, i)) continue;
      const auto share = [&](double face, long jx, long jy) {
        if (!(face > 0)) return -face;
        return face * (1 + m.mass[i] / m.mass[g.index(g.wrapped(0, jx), g.wrapped(1, jy))]);
      };
      const double sum = share(five.east[k], ix + 1, iy) + share(five.east[k - 1], ix - 1, iy) +
                         share(five.north[k], ix, iy + 1) + share(five.north[k - e.pitch], ix, iy - 1);
      if (sum > five.mass[k] * largest * (1 + 1e-12)) five.mass[k] = sum / largest;
    }
}
}  // namespace wavesim
