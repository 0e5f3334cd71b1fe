#include "frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "solvers/direct/sparse_factors.hpp"

namespace wavesim::test {

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Vector product(const HostCsr& A, const Vector& x) {
  Vector y(x.size());
#pragma omp parallel for schedule(static)
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[std::size_t(i)]; k < A.start[std::size_t(i) + 1]; ++k)
      y[std::size_t(i)] += A.value[std::size_t(k)] * x[std::size_t(A.column[std::size_t(k)])];
  return y;
}

Vector solution(const SparseFactors& A, const Vector& b) {
  Vector x(b.size());
  A.solve(b, x);
  return x;
}

/// K and M of a model without periodic axes, over its unknowns, from the coefficients of a step of 1 s.
struct Pencil {
  HostCsr K, M;

  Pencil(const Model& model, double kept) {
    const Unknowns u = make_unknowns(model);
    const HostCoefficients c = make_coefficients(model, u, 1, kept);
    const Extent e = u.extent;
    const auto slot = [&](int row, int col) {
      return std::size_t(row + 1) * std::size_t(e.pitch) + std::size_t(col);
    };
    std::vector<int> number(slot(e.ny, 0) + std::size_t(e.pitch), -1);
    int count = 0;
    for (int row = 0; row < e.ny; ++row)
      for (int col = 0; col < e.nx; ++col)
        if (model.region.empty() ||
            is_inside(model.region[model.grid.index(u.first[0] + col, u.first[1] + row)]))
          number[slot(row, col)] = count++;
    for (int row = 0; row < e.ny; ++row)
      for (int col = 0; col < e.nx; ++col) {
        if (number[slot(row, col)] < 0) continue;
        const auto put = [&](HostCsr& A, int dy, int dx, double value) {
          const int column = row + dy < 0 || row + dy >= e.ny || col + dx < 0 || col + dx >= e.nx
                                 ? -1
                                 : number[slot(row + dy, col + dx)];
          if (column >= 0 && value != 0) A.column.push_back(column), A.value.push_back(value);
        };
        if (c.nine_points) {
          add_row(K, c.nine_points->stiffness, slot(row, col), std::size_t(e.pitch), put);
          add_row(M, c.nine_points->mass, slot(row, col), std::size_t(e.pitch), put);
        } else {
          add_row_of_five_points(c, e, row, col, slot(row, col), put);
        }
        for (HostCsr* A : {&K, &M}) A->start.push_back(int(A->column.size())), ++A->rows;
      }
  }

  /// K + shift M
  HostCsr shifted(double shift) const {
    HostCsr A = K;
    A.column.clear(), A.value.clear();
    for (int i = 0; i < K.rows; ++i) {
      std::map<int, double> row;
      for (const auto& [B, times] : {std::pair(&K, 1.0), std::pair(&M, shift)})
        for (int k = B->start[std::size_t(i)]; k < B->start[std::size_t(i) + 1]; ++k)
          row[B->column[std::size_t(k)]] += times * B->value[std::size_t(k)];
      for (const auto& [column, value] : row) A.column.push_back(column), A.value.push_back(value);
      A.start[std::size_t(i) + 1] = int(A.column.size());
    }
    return A;
  }

 private:
  template <class Put>
  static void add_row(HostCsr& to, const HostNinePointMatrix& A, std::size_t k, std::size_t pitch,
                      Put&& put) {
    const std::size_t above = k + pitch;
    put(to, -1, -1, A.south_west[k]), put(to, -1, 0, A.south[k]), put(to, -1, 1, A.south_east[k]);
    put(to, 0, -1, A.west[k]), put(to, 0, 0, A.centre[k]), put(to, 0, 1, A.west[k + 1]);
    put(to, 1, -1, A.south_east[above - 1]), put(to, 1, 0, A.south[above]),
        put(to, 1, 1, A.south_west[above + 1]);
  }
  template <class Put>
  void add_row_of_five_points(const HostCoefficients& c, const Extent& e, int row, int col, std::size_t k,
                              Put&& put) {
    const bool first_col = col == 0, last_col = col == e.nx - 1, first_row = row == 0,
               last_row = row == e.ny - 1;
    const UniformCoefficients<double>& u = c.uniform;
    const bool v = c.varying;
    const double east = v          ? c.east[k]
                        : last_col ? u.edge[1]
                                   : u.face_x,
                 west = v           ? c.east[k - 1]
                        : first_col ? u.edge[0]
                                    : u.face_x,
                 north = v          ? c.north[k]
                         : last_row ? u.edge[3]
                                    : u.face_y,
                 south = v           ? c.north[k - std::size_t(e.pitch)]
                         : first_row ? u.edge[2]
                                     : u.face_y;
    put(K, -1, 0, -std::max(south, 0.0)), put(K, 0, -1, -std::max(west, 0.0));
    put(K, 0, 0, std::abs(east) + std::abs(west) + std::abs(north) + std::abs(south));
    put(K, 0, 1, -std::max(east, 0.0)), put(K, 1, 0, -std::max(north, 0.0));
    put(M, 0, 0,
        v ? c.mass[k]
          : u.mass * (first_col ? u.half[0] : 1) * (last_col ? u.half[1] : 1) * (first_row ? u.half[2] : 1) *
                (last_row ? u.half[3] : 1));
  }
};

/// Eigenvalues and vectors of a small symmetric matrix by Jacobi rotations; a[i][i] become the values.
void jacobi(std::vector<Vector>& a, std::vector<Vector>& v) {
  const std::size_t n = a.size();
  v.assign(n, Vector(n, 0));
  for (std::size_t i = 0; i < n; ++i) v[i][i] = 1;
  for (int sweep = 0; sweep < 40; ++sweep)
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (std::abs(a[p][q]) < 1e-300) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1));
        const double c = 1 / std::hypot(t, 1), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double x = v[k][p], y = v[k][q];
          v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
        }
      }
}

/// M-orthonormal columns.
void orthonormalise(const HostCsr& M, std::vector<Vector>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (int twice = 0; twice < 2; ++twice) {
      const Vector y = product(M, x[i]);
      for (std::size_t j = 0; j < i; ++j) {
        const double h = dot(y, x[j]);
        for (std::size_t k = 0; k < y.size(); ++k) x[i][k] -= h * x[j][k];
      }
    }
    const double norm = std::sqrt(dot(product(M, x[i]), x[i]));
    for (double& v : x[i]) v /= norm;
  }
}

Vector any_vector(int size, unsigned& random) {
  Vector x(std::size_t(size), 0);
  for (double& v : x) random = random * 1664525u + 1013904223u, v = random / 4294967296.0 - 0.5;
  return x;
}

}  // namespace

std::vector<double> frequencies(const Model& model, int count, double kept) {
  const Pencil a(model, kept);
  // from a guess of the least one, so that free rims have no zero
  const double length = model.grid.high(0) - model.grid.low(0);
  const double shift = std::pow(model.largest_speed / length, 2);
  const SparseFactors shifted(a.shifted(shift), true);
  const std::size_t m = std::size_t(count) + 4;
  std::vector<Vector> x(m), basis, small(m, Vector(m));
  unsigned random = 1;
  for (Vector& v : x) v = any_vector(a.K.rows, random);
  std::vector<double> value(m, 0);
  for (int iteration = 0; iteration < 60; ++iteration) {
    for (Vector& v : x) v = solution(shifted, product(a.M, v));
    orthonormalise(a.M, x);
    for (std::size_t i = 0; i < m; ++i) {
      const Vector y = product(a.K, x[i]);
      for (std::size_t j = 0; j < m; ++j) small[i][j] = dot(y, x[j]);
    }
    jacobi(small, basis);
    std::vector<std::size_t> order(m);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto i, auto j) { return small[i][i] < small[j][j]; });
    std::vector<Vector> turned(m, Vector(std::size_t(a.K.rows), 0));
    double change = 0;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j)
        for (std::size_t k = 0; k < x[j].size(); ++k) turned[i][k] += basis[j][order[i]] * x[j][k];
      const double now = small[order[i]][order[i]];
      if (i < std::size_t(count)) change = std::max(change, std::abs(now - value[i]) / (now + shift));
      value[i] = now;
    }
    x = std::move(turned);
    if (change < 1e-10) break;
  }
  std::vector<double> omega;
  for (int i = 0; i < count; ++i) omega.push_back(std::sqrt(std::max(0.0, value[std::size_t(i)])));
  return omega;
}

double worst_error(const Model& m, const std::vector<double>& exact, double kept) {
  const bool free = exact.front() == 0;
  const std::vector<double> found = frequencies(m, int(exact.size()), kept);
  double error = 0;
  for (std::size_t i = free; i < exact.size(); ++i)
    error = std::max(error, std::abs(found[i] / exact[i] - 1));
  return error;
}

const std::vector<double> fixed_drum{2.404825557695773 / 0.4, 3.831705970207512 / 0.4,
                                     3.831705970207512 / 0.4, 5.135622301840683 / 0.4,
                                     5.135622301840683 / 0.4, 5.520078110286311 / 0.4};

double largest_eigenvalue_of(const Model& model, double kept) {
  const Pencil a(model, kept);
  const SparseFactors M(a.M, true);
  unsigned random = 1;
  Vector x = any_vector(a.K.rows, random);
  double value = 0;
  for (int k = 0; k < 300; ++k) {
    const Vector y = product(a.K, x);
    value = dot(x, y) / dot(x, product(a.M, x));
    x = solution(M, y);
    const double norm = std::sqrt(dot(x, x));
    for (double& v : x) v /= norm;
  }
  return value;
}

}  // namespace wavesim::test
