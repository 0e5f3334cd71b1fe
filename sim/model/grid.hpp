#pragma once
// The grid of nodes, and arrays over it.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/model/array.hpp"
#include "sim/model/own_rows.hpp"

namespace wavesim {

/// A regular grid of nodes, absorbing layers included. Node (ix, iy) lies at origin + (ix dx, iy dy), 0 <= ix
/// <= cells[0]. First axis x, second y; row 0 lies at y = origin[1].
struct Grid {
  std::array<long, 2> cells{1, 1};
  std::array<double, 2> spacing{1, 1};  // metres
  std::array<double, 2> origin{0, 0};   // metres; of node (0, 0)
  std::array<bool, 2> periodic{false, false};
  /// Cells of absorbing layers outside the user's `grid.size`: [axis][0 low, 1 high].
  std::array<std::array<long, 2>, 2> layer{{{0, 0}, {0, 0}}};
  OwnRows own{};  // of arrays over the nodes

  long nodes(int axis) const { return cells[axis] + 1; }
  std::size_t node_count() const { return std::size_t(nodes(0)) * std::size_t(nodes(1)); }
  std::size_t index(long ix, long iy) const {
    return std::size_t(iy) * std::size_t(nodes(0)) + std::size_t(ix);
  }
  /// Rows and nodes of which values are computed here.
  long first_row() const { return own.first; }
  long end_row() const { return std::min(own.end, nodes(1)); }
  std::size_t first_node() const { return index(0, first_row()); }
  std::size_t end_node() const { return index(0, end_row()); }
  /// Of these the ones whose values are surely those of one process: what is said of all nodes is said of them. Each row is
  /// one of some rank.
  long first_sure_row() const { return own.first == 0 ? 0 : own.first + OwnRows::unsure; }
  long end_sure_row() const { return end_row() - (end_row() == nodes(1) ? 0 : OwnRows::unsure); }
  bool is_sure(long row) const { return row >= first_sure_row() && row < end_sure_row(); }
  std::size_t first_sure_node() const { return index(0, first_sure_row()); }
  std::size_t end_sure_node() const { return index(0, end_sure_row()); }
  /// OwnRows::partition; of one process all rows.
  std::vector<long> partition() const { return own.ranks ? own.partition : std::vector<long>{0, nodes(1)}; }
  /// Whether a face leads from a node to a next one along an axis, whose values are computed here; and that node.
  bool has_next(int axis, long ix, long iy) const {
    return axis == 0 ? ix < cells[0] : iy < cells[1] && own.has(iy + 1);
  }
  std::size_t next(int axis, std::size_t node) const {
    return node + (axis == 0 ? 1 : std::size_t(nodes(0)));
  }
  /// The column and row of a node.
  std::array<long, 2> place(std::size_t node) const {
    const std::size_t nx = std::size_t(nodes(0));
    return {long(node % nx), long(node / nx)};
  }
  /// An index up to a length beyond a periodic axis, round to where it is the same; others stay.
  long wrapped(int axis, long i) const { return periodic[axis] ? (i + cells[axis]) % cells[axis] : i; }
  /// Where a coordinate lies along an axis, in spacings; within rounding of a node, on it.
  double in_spacings(int axis, double v) const {
    const double at = (v - origin[axis]) / spacing[axis];
    return std::abs(at - std::round(at)) < 1e-9 * double(nodes(axis)) ? std::round(at) : at;
  }
  /// The row of nodes that a place along y lies in or above, within the grid.
  long row_below(double v) const {
    return std::clamp(long(std::floor(in_spacings(1, std::max(y(0), std::min(y(cells[1]), v))))), 0L,
                      cells[1]);
  }
  double x(long ix) const { return origin[0] + double(ix) * spacing[0]; }
  double y(long iy) const { return origin[1] + double(iy) * spacing[1]; }
  double at(int axis, long i) const { return origin[axis] + double(i) * spacing[axis]; }
  /// Extent of the user's rectangle, without absorbing layers.
  double low(int axis) const { return at(axis, layer[axis][0]); }
  double high(int axis) const { return at(axis, cells[axis] - layer[axis][1]); }
  /// A coordinate up to a length beyond a periodic axis, round to where it is the same; the last node is the
  /// first, also where rounding puts it a little before. Others stay.
  double wrapped(int axis, double v) const {
    if (!periodic[axis]) return v;
    const double nearly = 1e-9 * spacing[axis], length = high(axis) - low(axis);
    if (v < low(axis)) return v + length;
    return v > high(axis) - nearly ? std::max(v - length, low(axis)) : v;
  }
};

/// An array over the nodes, with a value in the rows that are computed here. Memory of the others is not touched.
template <class T>
Array<T> in_own_rows(const Grid& grid, T value) {
  Array<T> a(grid.node_count());
  const std::size_t first = grid.first_node(), end = grid.end_node();
#pragma omp parallel for schedule(static)
  for (std::size_t i = first; i < end; ++i) a[i] = value;
  return a;
}

/// Values on all nodes of a grid, row by row: value(ix, iy) = values[iy * nx + ix]. A constant field is kept
/// as one number.
struct NodeField {
  double constant = 0;
  Array<double> values;  // empty: `constant` everywhere
  bool uniform() const { return values.empty(); }
  double operator[](std::size_t i) const { return values.empty() ? constant : values[i]; }
};

}  // namespace wavesim
