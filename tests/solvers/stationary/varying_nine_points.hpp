#pragma once
// Systems of nine points in a varying medium with every mix of edges: cells with random factors.

#include <array>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "kernels/grid/nine_point_coefficients.hpp"
#include "tests/solvers/core/problems.hpp"

namespace wavesim::test {

/// A symmetric matrix put together from cells, each with `corner` times a factor of its own.
class CellSum {
 public:
  CellSum(Extent e, const std::array<Side, 4>& sides, const CornerEntries<double>& corner, unsigned seed)
      : CellSum(e, sides, corner, random_factors(seed)) {}
  /// Entries times factor(col, row, a, b), of the cell's lower left point and two of its corners.
  using Factor = std::function<double(int, int, int, int)>;
  CellSum(Extent e, const std::array<Side, 4>& sides, const CornerEntries<double>& corner,
          const Factor& factor)
      : e_(e), wraps_x_(sides[0] == Side::periodic), wraps_y_(sides[2] == Side::periodic) {
    const auto first = [&](Side low) { return low == Side::fixed ? -1 : 0; };
    const auto end = [&](Side high, int n) { return high == Side::free ? n - 1 : n; };
    for (int row = first(sides[2]); row < end(sides[3], e.ny); ++row)
      for (int col = first(sides[0]); col < end(sides[1], e.nx); ++col) add(col, row, factor, corner);
  }
  /// Between a point and the one (dx, dy) from it; zero where there is none.
  double between(int col, int row, int dx, int dy) const {
    const auto it = entries_.find({index(col, row), index(col + dx, row + dy), dx, dy});
    return it == entries_.end() ? 0 : it->second;
  }
  CellSum& add(const CellSum& o, double times) {
    for (const auto& [key, value] : o.entries_) entries_[key] += times * value;
    return *this;
  }

 private:
  /// -1: beyond an edge.
  int index(int col, int row) const {
    if (wraps_x_) col = (col + e_.nx) % e_.nx;
    if (wraps_y_) row = (row + e_.ny) % e_.ny;
    return col < 0 || row < 0 || col >= e_.nx || row >= e_.ny ? -1 : row * e_.nx + col;
  }
  /// One number for each cell.
  static Factor random_factors(unsigned seed) {
    return [random = std::mt19937(seed), of_cell = 1.0](int, int, int a, int b) mutable {
      if (a == 0 && b == 0) of_cell = std::uniform_real_distribution<double>(0.6, 1.4)(random);
      return of_cell;
    };
  }
  void add(int col, int row, const Factor& factor, const CornerEntries<double>& corner) {
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const int ax = a % 2, ay = a / 2, bx = b % 2, by = b / 2;
        const double times = factor(col, row, a, b);
        const int i = index(col + ax, row + ay), j = index(col + bx, row + by);
        if (i < 0 || j < 0) continue;
        const double entry = ax == bx && ay == by ? corner.own
                             : ay == by           ? corner.along_x
                             : ax == bx           ? corner.along_y
                                                  : corner.opposite;
        entries_[{i, j, bx - ax, by - ay}] += times * entry;
      }
  }

  Extent e_;
  bool wraps_x_, wraps_y_;
  std::map<std::array<int, 4>, double> entries_;
};

/// The arrays of such a matrix on a backend.
template <class T>
class MatrixOnBackend {
 public:
  MatrixOnBackend(Backend& be, Extent e, const CellSum& sum) {
    const int offsets[5][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {0, 0}};
    for (int k = 0; k < 5; ++k) {
      std::vector<T> values(std::size_t(e.pitch) * std::size_t(e.ny + 2), T(0));
      const auto [dx, dy] = offsets[k];
      for (int row = 0; row <= e.ny; ++row)  // and beside periodic edges
        for (int col = row > 0 ? -1 : 0; col <= e.nx && col < e.pitch; ++col)
          values[std::size_t(long(row + 1) * e.pitch + col)] = T(sum.between(col, row, dx, dy));
      arrays_[k] = Field<Backend, T>(be, e);
      arrays_[k].memory().upload(values);
    }
  }
  NinePointMatrix<T> view() const {
    return {arrays_[0].data(), arrays_[1].data(), arrays_[2].data(), arrays_[3].data(), arrays_[4].data()};
  }

 private:
  Field<Backend, T> arrays_[5];
};

}  // namespace wavesim::test
