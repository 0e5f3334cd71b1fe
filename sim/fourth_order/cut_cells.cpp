#include "sim/fourth_order/cut_cells.hpp"

#include <algorithm>
#include <cmath>

#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

constexpr double rounding = 1e-12;
/// By side: west, east, south, north.
constexpr std::array<std::array<long, 2>, 4> step{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};

}  // namespace

CutCells::Rest CutCells::rest(long ix, long iy) const {
  const bool sw = whole_.at(ix - 1, iy - 1), se = whole_.at(ix, iy - 1), nw = whole_.at(ix - 1, iy),
             ne = whole_.at(ix, iy);
  if (sw && se && nw && ne) return {};
  const Grid& g = m_.grid;
  const std::size_t i = whole_.wrapped(ix, iy), pitch = std::size_t(u_.extent.pitch);
  const std::size_t k = std::size_t(u_.index(g.wrapped(0, ix), g.wrapped(1, iy))) + pitch;
  const std::array<double, 4> face{five_.east[k - 1], five_.east[k], five_.north[k - pitch], five_.north[k]};
  const std::array<int, 4> beside{sw + nw, se + ne, sw + se, nw + ne};  // whole cells with this face
  Rest r;
  r.mass = five_.mass[k] - 0.25 * (sw + se + nw + ne) * whole_.mass(i);
  for (int side = 0; side < 4; ++side) {
    const std::size_t j = whole_.wrapped(ix + step[side][0], iy + step[side][1]);
    const double all = std::abs(face[side]);
    const double left = all - 0.5 * beside[side] * std::abs(whole_.face(side / 2, side % 2 == 0 ? j : i));
    if (!(left > rounding * all)) continue;
    const bool couples = face[side] > 0;
    r.face[side] = couples ? left : -left;
    r.held = r.held || !couples;
    r.sum += couples ? left * (1 + m_.mass[i] / m_.mass[j]) : left;
  }
  if (const double curved = curvature_(i); curved != 0) r.sum += curved, r.held = true;
  return r;
}

bool CutCells::is_stretched(long ix, long iy) const {
  const Stretching& s = whole_.stretching();
  if (!s.any()) return false;
  const Grid& g = m_.grid;
  const auto at = [&](long jx, long jy) {
    const long x = g.wrapped(0, jx), y = g.wrapped(1, jy);
    const bool exists = x >= 0 && x < g.nodes(0) && y >= 0 && y < g.nodes(1);
    return exists && s.damping(x, y, 1, 0) != 0;
  };
  return at(ix, iy) ||
         std::any_of(step.begin(), step.end(), [&](const auto& d) { return at(ix + d[0], iy + d[1]); });
}

bool CutCells::raises(const Rest& r, long ix, long iy) const { return r.held || is_stretched(ix, iy); }

double CutCells::wanted(const Rest& r, long ix, long iy) const {
  if (!(r.sum > largest_ * r.mass * (1 + rounding)) || raises(r, ix, iy)) return 0;
  return 1 - largest_ * std::max(r.mass, 0.0) / r.sum;
}

MassOfCutCells CutCells::at(long ix, long iy) const {
  MassOfCutCells to;
  const Rest own = rest(ix, iy);
  if (own.sum == 0) return to;
  if (raises(own, ix, iy)) to.centre = to.raised = std::max(0.0, own.sum / largest_ - own.mass);
  const double mine = wanted(own, ix, iy);
  for (int side = 0; side < 4; ++side) {
    if (!(own.face[side] > 0)) continue;
    const long jx = ix + step[side][0], jy = iy + step[side][1];
    const double part = std::max(mine, wanted(rest(jx, jy), jx, jy)) / largest_ * own.face[side];
    to.centre += part;
    if (side == west) to.west = -part;
    if (side == south) to.south = -part;
  }
  return to;
}

}  // namespace wavesim
