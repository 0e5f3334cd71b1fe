#include "sim/medium/between_nodes.hpp"

#include <algorithm>
#include <cmath>

#include "sim/medium/cell_mean.hpp"
#include "sim/medium/sharpened_means.hpp"

namespace wavesim {

namespace {

using Sample = PointMedium::Values;

/// The medium at half the spacing, row by row: row 2 iy goes through nodes, column 2 ix too.
class HalfRows {
 public:
  HalfRows(const PointMedium& medium, const Grid& grid)
      : medium_(medium), grid_(grid), finer_(medium.is_finer_than_grid()) {
    for (auto& row : rows_) row.resize(std::size_t(2 * grid.cells[0] + 3));
  }
  PointMedium& medium() { return medium_; }
  bool finer_than_grid() const { return finer_; }
  double place(int axis, long k) const {  // metres
    return k % 2 == 0 ? grid_.at(axis, k / 2) : grid_.origin[axis] + 0.5 * double(k) * grid_.spacing[axis];
  }
  /// Sample (row, column) is row(k)[column]; columns are -1 to 2 cells + 1. The last four rows are kept.
  const Sample* row(long k) {
    std::vector<Sample>& row = rows_[std::size_t(k + 4) % 4];
    long& has = has_[std::size_t(k + 4) % 4];
    if (has != k) {
      has = k;
      const double y = place(1, k);
      for (long j = -1; j <= 2 * grid_.cells[0] + 1; ++j)
        row[std::size_t(j + 1)] = medium_.at(place(0, j), y);
    }
    return row.data() + 1;
  }

 private:
  PointMedium medium_;
  const Grid& grid_;
  const bool finer_;
  std::array<std::vector<Sample>, 4> rows_;
  std::array<long, 4> has_{-9, -9, -9, -9};
};

/// A rectangle of the size of a cell, in metres.
struct Box {
  double x0, x1, y0, y1;
};

/// The four lines through the middle of a box, as from and to.
std::array<std::array<double, 4>, 4> lines_through(const Box& b) {
  const double x = (b.x0 + b.x1) / 2, y = (b.y0 + b.y1) / 2;
  return {{{b.x0, y, b.x1, y}, {x, b.y0, x, b.y1}, {b.x0, b.y0, b.x1, b.y1}, {b.x0, b.y1, b.x1, b.y0}}};
}

/// Whether samples a, b, c at equal distances bend as much as at a jump. Then a closer look is worth its time.
bool bends(double a, double b, double c) {
  const double range = std::max({a, b, c}) - std::min({a, b, c});
  return range > 1e-6 * std::abs(b) && std::abs(a - 2 * b + c) > 0.25 * range;
}

/// The mean of a quantity over the box round sample (row k, column j), or the sample where it does not jump
/// there and is not finer than the grid. `quantity(sample)` is taken of samples; `mean(box)` is the mean.
template <class Quantity, class Mean>
double at_or_mean(HalfRows& rows, long k, long j, const Box& box, Quantity&& quantity, Mean&& mean) {
  if (rows.finer_than_grid()) {
    const double value = mean(box);
    return std::isnan(value) ? quantity(rows.row(k)[j]) : value;
  }
  const Sample *low = rows.row(k - 1) + j, *middle = rows.row(k) + j, *high = rows.row(k + 1) + j;
  const double at = quantity(middle[0]);
  const std::array<std::array<double, 2>, 4> ends{{{quantity(middle[-1]), quantity(middle[1])},
                                                   {quantity(low[0]), quantity(high[0])},
                                                   {quantity(low[-1]), quantity(high[1])},
                                                   {quantity(high[-1]), quantity(low[1])}}};
  const auto lines = lines_through(box);
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (!bends(ends[n][0], at, ends[n][1])) continue;
    const auto [x0, y0, x1, y1] = lines[n];
    const auto along = [&, x0 = x0, y0 = y0, x1 = x1, y1 = y1](double part) {
      return quantity(rows.medium().at(x0 + part * (x1 - x0), y0 + part * (y1 - y0)));
    };
    if (!jumps(along, 0, 1)) continue;
    const double value = mean(box);
    return std::isnan(value) ? at : value;
  }
  return at;
}

/// Mean over a box: `inner` of the lines along one axis, arithmetic over these.
template <class F>
double box_mean(const Box& b, int along, F&& inner) {
  return along == 0 ? mean_along([&](double y) { return inner(b.x0, b.x1, y); }, b.y0, b.y1)
                    : mean_along([&](double x) { return inner(b.y0, b.y1, x); }, b.x0, b.x1);
}

class Between {
 public:
  Between(const PointMedium& medium, const Grid& grid) : grid_(grid), rows_(medium, grid) {}

  double mass(long ix, long iy) {
    return at_or_mean(
        rows_, 2 * iy, 2 * ix, box(2 * ix, 2 * iy), [](const Sample& s) { return s.mass; },
        [&](const Box& b) {
          return box_mean(b, 0, [&](double x0, double x1, double y) {
            return mean_along([&](double x) { return rows_.medium().at(x, y).mass; }, x0, x1);
          });
        });
  }

  /// Of the face that lies `axis` wards of a node; NaN where there is no medium.
  double tension(int axis, long ix, long iy) {
    const long j = 2 * ix + (axis == 0), k = 2 * iy + (axis == 1);
    const bool water = rows_.medium().is_water();
    const double value = at_or_mean(
        rows_, k, j, box(j, k), [](const Sample& s) { return s.tension; },
        [&](const Box& b) {
          return box_mean(b, axis, [&](double from, double to, double across) {
            const auto at = [&](double along) {
              return axis == 0 ? rows_.medium().at(along, across).tension
                               : rows_.medium().at(across, along).tension;
            };
            return water ? mean_along(at, from, to)
                         : 1 / mean_along([&](double along) { return 1 / at(along); }, from, to);
          });
        });
    if (!std::isnan(value)) return value;
    const double a = rows_.row(2 * iy)[2 * ix].tension, b = axis == 0 ? rows_.row(2 * iy)[2 * ix + 2].tension
                                                                      : rows_.row(2 * iy + 2)[2 * ix].tension;
    return std::isnan(a) ? b : std::isnan(b) ? a : 2 / (1 / a + 1 / b);
  }

 private:
  /// Of the size of a cell, round a half-point. At the ends of axes that are not periodic it ends with the axis, or,
  /// where all values are means, has no width: half of it would have its middle elsewhere.
  Box box(long j, long k) const {
    const auto side = [&](int axis, long at, int step) {
      const long last = 2 * grid_.cells[axis];
      if (grid_.periodic[axis]) return rows_.place(axis, at + step);
      if (rows_.finer_than_grid() && (at == 0 || at == last)) return rows_.place(axis, at);
      return rows_.place(axis, std::clamp(at + step, 0L, last));
    };
    return {side(0, j, -1), side(0, j, 1), side(1, k, -1), side(1, k, 1)};
  }

  const Grid& grid_;
  HalfRows rows_;
};

void invert(NodeField& field, const Grid& grid) {
  for (std::size_t i = grid.first_node(); i < grid.end_node(); ++i)
    if (double& v = field.values[i]; v > 0) v = 1 / v;
}

/// Of means, values in the middle. Across a face the tension itself is the mean, along it its inverse but for water.
void sharpen(Tensions& t, NodeField& mass, bool is_water, const Grid& grid) {
  for (const int axis : {0, 1}) {
    NodeField& face = axis == 0 ? t.x : t.y;
    sharpen_means(face, grid, 1 - axis, false);
    if (!is_water) invert(face, grid);
    sharpen_means(face, grid, axis, true);
    if (!is_water) invert(face, grid);
    if (!mass.uniform()) sharpen_means(mass, grid, axis, false);
  }
}

}  // namespace

Tensions tensions_between_nodes(const PointMedium& medium, const Grid& grid, NodeField& mass) {
  Tensions t;
  const long nx = grid.nodes(0), ny = grid.nodes(1);
  for (NodeField* field : {&t.x, &t.y}) field->values.resize(grid.node_count());
  const auto or_zero = [](double v) { return std::isnan(v) ? 0 : v; };
#pragma omp parallel
  {
    Between between(medium, grid);
#pragma omp for schedule(static)
    for (long iy = grid.first_row(); iy < grid.end_row(); ++iy)
      for (long ix = 0; ix < nx; ++ix) {
        const std::size_t i = grid.index(ix, iy);
        t.x.values[i] = ix + 1 < nx ? or_zero(between.tension(0, ix, iy)) : 0;
        t.y.values[i] = iy + 1 < ny ? or_zero(between.tension(1, ix, iy)) : 0;
        if (mass.uniform()) continue;
        if (const double m = between.mass(ix, iy); !std::isnan(m)) mass.values[i] = m;
      }
  }
  if (medium.is_finer_than_grid()) sharpen(t, mass, medium.is_water(), grid);
  return t;
}

}  // namespace wavesim
