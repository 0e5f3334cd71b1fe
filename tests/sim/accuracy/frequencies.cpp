#include "frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wavesim::test {

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// K and M of a model without periodic axes, from the coefficients of a step of 1 s.
class Pencil {
 public:
  Pencil(const Model& model, double kept) : u_(make_unknowns(model)) {
    const HostCoefficients c = make_coefficients(model, u_, 1, kept);
    const Extent e = u_.extent;
    const std::size_t n = std::size_t(e.pitch) * (e.ny + 2);
    mass.assign(n, 0), diagonal_.assign(n, 0), east_.assign(n, 0), north_.assign(n, 0);
    wide_ = c.nine_points;
    for (int row = 0; row < e.ny; ++row)
      for (int col = 0; col < e.nx; ++col) {
        const long ix = u_.first[0] + col, iy = u_.first[1] + row;
        const bool inside = model.region.empty() || is_inside(model.region[model.grid.index(ix, iy)]);
        if (!inside) continue;
        const std::size_t k = std::size_t(row + 1) * e.pitch + col;
        if (wide_) {
          mass[k] = wide_->mass.centre[k];
          diagonal_[k] = wide_->stiffness.centre[k];
          points.push_back(k);
          continue;
        }
        const UniformCoefficients<double>& u = c.uniform;
        const auto face = [&](bool varying, double x, double uniform) { return varying ? x : uniform; };
        const bool v = c.varying;
        mass[k] = v ? c.mass[k]
                    : u.mass * (col == 0 ? u.half[0] : 1) * (col == e.nx - 1 ? u.half[1] : 1) *
                          (row == 0 ? u.half[2] : 1) * (row == e.ny - 1 ? u.half[3] : 1);
        const double east = face(v, v ? c.east[k] : 0, col == e.nx - 1 ? u.edge[1] : u.face_x),
                     west = face(v, v ? c.east[k - 1] : 0, col == 0 ? u.edge[0] : u.face_x),
                     north = face(v, v ? c.north[k] : 0, row == e.ny - 1 ? u.edge[3] : u.face_y),
                     south = face(v, v ? c.north[k - e.pitch] : 0, row == 0 ? u.edge[2] : u.face_y);
        diagonal_[k] = std::abs(east) + std::abs(west) + std::abs(north) + std::abs(south);
        east_[k] = col == e.nx - 1 ? 0 : std::max(east, 0.0);
        north_[k] = row == e.ny - 1 ? 0 : std::max(north, 0.0);
        points.push_back(k);
      }
  }

  Vector mass;  // its diagonal
  std::vector<std::size_t> points;

  /// y = M x
  void multiply_mass(const Vector& x, Vector& y) const {
    for (const std::size_t k : points) y[k] = wide_ ? row(wide_->mass, k, x) : mass[k] * x[k];
  }
  double product(const Vector& a, const Vector& b) const {  // a'M b
    double sum = 0;
    for (const std::size_t k : points) sum += a[k] * (wide_ ? row(wide_->mass, k, b) : mass[k] * b[k]);
    return sum;
  }

  /// y = (K + shift M) x
  void multiply(const Vector& x, double shift, Vector& y) const {
    const int pitch = u_.extent.pitch;
    if (wide_) {
      for (const std::size_t k : points) y[k] = row(wide_->stiffness, k, x) + shift * row(wide_->mass, k, x);
      return;
    }
    for (const std::size_t k : points)
      y[k] = (diagonal_[k] + shift * mass[k]) * x[k] - east_[k] * x[k + 1] - east_[k - 1] * x[k - 1] -
             north_[k] * x[k + std::size_t(pitch)] -
             north_[k - std::size_t(pitch)] * x[k - std::size_t(pitch)];
  }
  /// x = (K + shift M)^-1 b by conjugate gradients with the diagonal, from x.
  void solve(const Vector& b, double shift, Vector& x) const {
    Vector r(b.size(), 0), p(r), q(r), z(r);
    multiply(x, shift, q);
    for (const std::size_t k : points) r[k] = b[k] - q[k];
    const auto precondition = [&] {
      for (const std::size_t k : points) z[k] = r[k] / (diagonal_[k] + shift * mass[k]);
    };
    precondition();
    p = z;
    double rz = dot(r, z);
    double goal = 0;
    for (const std::size_t k : points) goal += 1e-15 * b[k] * b[k] / (diagonal_[k] + shift * mass[k]);
    for (int k = 0; k < 3000 && rz > goal; ++k) {
      multiply(p, shift, q);
      const double alpha = rz / dot(p, q);
      for (const std::size_t i : points) x[i] += alpha * p[i], r[i] -= alpha * q[i];
      precondition();
      const double next = dot(r, z);
      for (const std::size_t i : points) p[i] = z[i] + next / rz * p[i];
      rz = next;
    }
  }

 private:
  double row(const HostNinePointMatrix& A, std::size_t k, const Vector& x) const {
    const std::size_t above = k + std::size_t(u_.extent.pitch), below = k - std::size_t(u_.extent.pitch);
    return A.centre[k] * x[k] + A.west[k] * x[k - 1] + A.west[k + 1] * x[k + 1] + A.south[k] * x[below] +
           A.south[above] * x[above] + A.south_west[k] * x[below - 1] + A.south_east[k] * x[below + 1] +
           A.south_east[above - 1] * x[above - 1] + A.south_west[above + 1] * x[above + 1];
  }

  Unknowns u_;
  Vector diagonal_, east_, north_;
  std::optional<HostNinePoints> wide_;
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
void orthonormalise(const Pencil& a, std::vector<Vector>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t j = 0; j < i; ++j) {
        const double h = a.product(x[i], x[j]);
        for (const std::size_t k : a.points) x[i][k] -= h * x[j][k];
      }
    const double norm = a.product(x[i], x[i]);
    for (const std::size_t k : a.points) x[i][k] /= std::sqrt(norm);
  }
}

}  // namespace

std::vector<double> frequencies(const Model& model, int count, double kept) {
  const Pencil a(model, kept);
  // from a guess of the least one, so that free rims have no zero
  const double length = model.grid.high(0) - model.grid.low(0);
  const double shift = std::pow(model.largest_speed / length, 2);
  const std::size_t m = std::size_t(count) + 4, n = a.mass.size();
  std::vector<Vector> x(m, Vector(n, 0)), basis, small(m, Vector(m));
  unsigned random = 1;
  for (Vector& v : x)
    for (const std::size_t k : a.points)
      random = random * 1664525u + 1013904223u, v[k] = random / 4294967296.0;
  std::vector<double> value(m, 0);
  for (int iteration = 0; iteration < 60; ++iteration) {
    orthonormalise(a, x);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < m; ++i) {
      Vector b(n, 0), y(x[i]);
      a.multiply_mass(x[i], b);
      const double scale = value[i] > 0 ? 1 / (value[i] + shift) : 0;
      for (double& v : y) v *= scale;
      a.solve(b, shift, y);
      x[i] = std::move(y);
    }
    orthonormalise(a, x);
    for (std::size_t i = 0; i < m; ++i) {
      Vector y(n, 0);
      a.multiply(x[i], 0, y);
      for (std::size_t j = 0; j < m; ++j) small[i][j] = dot(y, x[j]);
    }
    jacobi(small, basis);
    std::vector<std::size_t> order(m);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto i, auto j) { return small[i][i] < small[j][j]; });
    std::vector<Vector> turned(m, Vector(n, 0));
    double change = 0;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j)
        for (const std::size_t k : a.points) turned[i][k] += basis[j][order[i]] * x[j][k];
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
  std::vector<double> x(a.mass.size(), 0), y(x);
  unsigned random = 1;
  for (const std::size_t k : a.points)
    random = random * 1664525u + 1013904223u, x[k] = random / 4294967296.0 - 0.5;
  double value = 0;
  for (int k = 0; k < 300; ++k) {
    a.multiply(x, 0, y);
    double xmx = 0, xkx = 0, norm = 0;
    for (const std::size_t i : a.points)
      xmx += a.mass[i] * x[i] * x[i], xkx += x[i] * y[i], norm += std::pow(y[i] / a.mass[i], 2);
    value = xkx / xmx;
    for (const std::size_t i : a.points) x[i] = y[i] / a.mass[i] / std::sqrt(norm);
  }
  return value;
}

}  // namespace wavesim::test
