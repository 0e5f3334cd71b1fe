#pragma once
// Five-point systems of every mix of edges, with their dense matrix put together by hand.

#include <array>
#include <random>
#include <string>
#include <vector>

#include "kernels/backend/backend.hpp"
#include "kernels/grid/coefficients.hpp"
#include "kernels/grid/rows_in_memory.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim::test {

enum class Side { fixed, free, periodic };

struct Shape {
  int nx, ny;
  std::array<Side, 4> sides;  // left, right, bottom, top
  bool holes;                 // a few points are cut out, with fixed and free rims
};

inline std::vector<Shape> shapes() {
  using enum Side;
  return {{1, 1, {fixed, fixed, fixed, fixed}, false},
          {2, 2, {fixed, fixed, fixed, fixed}, false},
          {7, 5, {fixed, free, free, fixed}, false},
          {16, 9, {free, free, free, free}, false},
          {6, 8, {periodic, periodic, fixed, free}, false},
          {5, 7, {free, fixed, periodic, periodic}, true},
          {8, 6, {periodic, periodic, periodic, periodic}, false},
          {33, 21, {fixed, fixed, free, fixed}, true}};
}

/// Formats that every backend has and every method takes: not those of a library (test_cusparse.cpp).
inline std::vector<Format> formats_of_rows() {
  std::vector<Format> all;
  for (const Format& f : solver_formats())
    if (f.readable) all.push_back(f);
  return all;
}

/// Random coefficients in arrays, as sim/ makes them, in doubles. Element (row + 1) * pitch + col.
struct HostProblem {
  Extent e;
  Topology topology;
  std::vector<double> mass, damping, east, north;

  explicit HostProblem(const Shape& s, unsigned seed = 1)
      : e(make_extent(s.nx, s.ny)),
        topology{s.nx, s.ny, s.sides[0] == Side::periodic ? s.nx : 0,
                 s.sides[2] == Side::periodic ? s.ny * e.pitch : 0} {
    const std::size_t n = std::size_t(e.pitch) * (e.ny + 2);
    mass.assign(n, 0);
    damping.assign(n, 0);
    east.assign(n, 0);
    north.assign(n, 0);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.5, 2);
    for (int row = 0; row < s.ny; ++row)
      for (int col = 0; col < s.nx; ++col) {
        mass[at(col, row)] = uniform(random);
        damping[at(col, row)] = uniform(random) - 0.5;
        if (col < s.nx - 1) east[at(col, row)] = uniform(random);
        if (row < s.ny - 1) north[at(col, row)] = uniform(random);
      }
    for (int row = 0; row < s.ny; ++row) {
      east[at(-1, row)] = across(s.sides[0], uniform(random));
      east[at(s.nx - 1, row)] =
          s.sides[1] == Side::periodic ? east[at(-1, row)] : across(s.sides[1], uniform(random));
    }
    for (int col = 0; col < s.nx; ++col) {
      north[at(col, -1)] = across(s.sides[2], uniform(random));
      north[at(col, s.ny - 1)] =
          s.sides[3] == Side::periodic ? north[at(col, -1)] : across(s.sides[3], uniform(random));
    }
    if (s.holes) {  // one point with a fixed rim, one with a free one
      for (auto [col, row, fixed] : {std::array<int, 3>{1, 1, 1}, std::array<int, 3>{3, 2, 0}}) {
        mass[at(col, row)] = 1;
        damping[at(col, row)] = 0;
        for (double* face :
             {&east[at(col, row)], &east[at(col - 1, row)], &north[at(col, row)], &north[at(col, row - 1)]})
          *face = fixed ? -std::abs(*face) : 0;
      }
    }
  }

  std::size_t at(int col, int row) const { return std::size_t(long(row + 1) * e.pitch + col); }
  static double across(Side side, double t) { return side == Side::fixed ? -t : side == Side::free ? 0 : t; }
  int number(int col, int row) const { return row * e.nx + col; }

  /// M + a D + b K, put together face by face.
  std::vector<std::vector<double>> dense(double a, double b) const {
    const int n = e.nx * e.ny;
    std::vector<std::vector<double>> A(n, std::vector<double>(n, 0));
    const auto face = [&](int p, int q, double t) {
      A[p][p] += b * std::abs(t);
      if (q >= 0 && t > 0) A[p][q] -= b * t;
    };
    for (int row = 0; row < e.ny; ++row)
      for (int col = 0; col < e.nx; ++col) {
        const int p = number(col, row);
        A[p][p] += mass[at(col, row)] + a * damping[at(col, row)];
        const auto neighbour = [&](int c, int r) {
          if (topology.wrap_x) c = (c + e.nx) % e.nx;
          if (topology.wrap_y) r = (r + e.ny) % e.ny;
          return c < 0 || r < 0 || c >= e.nx || r >= e.ny ? -1 : number(c, r);
        };
        face(p, neighbour(col - 1, row), east[at(col - 1, row)]);
        face(p, neighbour(col + 1, row), east[at(col, row)]);
        face(p, neighbour(col, row - 1), north[at(col, row - 1)]);
        face(p, neighbour(col, row + 1), north[at(col, row)]);
      }
    return A;
  }
};

/// visit(first, count) of the elements of a field that are in memory here: rows of other ranks are not.
template <class T, class Visit>
void each_range_in_memory(const Extent& e, const Visit& visit) {
  for (const ByteRange& range : whole_granules(rows_in_memory(e, sizeof(T)), sizeof(T)))
    visit(range.first / sizeof(T), (range.end - range.first) / sizeof(T));
}
template <class T>
void upload(Field<Backend, T>& f, const std::vector<T>& all) {
  each_range_in_memory<T>(f.extent(), [&](std::size_t first, std::size_t count) {
    f.memory().upload(first, count, all.data() + first);
  });
}

/// The same in the backend's memory.
template <class T>
struct Problem {
  Field<Backend, T> mass, damping, east, north;
  VariableCoefficients<T> coefficients;

  Problem(Backend& be, const HostProblem& h)
      : mass(field(be, h, h.mass)),
        damping(field(be, h, h.damping)),
        east(field(be, h, h.east)),
        north(field(be, h, h.north)),
        coefficients{h.topology, mass.data(), damping.data(), east.data(), north.data()} {}

  static Field<Backend, T> field(Backend& be, const HostProblem& h, const std::vector<double>& v) {
    Field<Backend, T> f(be, h.e);
    upload(f, std::vector<T>(v.begin(), v.end()));
    return f;
  }
};

/// A field from values on the points, row by row without padding, and back.
template <class T>
Field<Backend, T> to_field(Backend& be, Extent e, const std::vector<double>& v) {
  Field<Backend, T> f(be, e);
  std::vector<T> padded(f.memory().size(), T(0));
  for (int row = 0; row < e.ny; ++row)
    for (int col = 0; col < e.nx; ++col)
      padded[std::size_t(row + 1) * e.pitch + col] = T(v[std::size_t(row) * e.nx + col]);
  upload(f, padded);
  return f;
}
template <class T>
std::vector<double> from_field(const Field<Backend, T>& f) {
  const Extent e = f.extent();
  std::vector<T> padded(f.memory().size(), T(0));
  each_range_in_memory<T>(e, [&](std::size_t first, std::size_t count) {
    f.memory().download(first, count, padded.data() + first);
  });
  std::vector<double> v;
  for (int row = 0; row < e.ny; ++row)
    for (int col = 0; col < e.nx; ++col) v.push_back(double(padded[std::size_t(row + 1) * e.pitch + col]));
  return v;
}

inline std::vector<double> random_values(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> v(n);
  for (double& x : v) x = uniform(random);
  return v;
}

}  // namespace wavesim::test
