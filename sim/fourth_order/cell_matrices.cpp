#include "sim/fourth_order/cell_matrices.hpp"

#include <algorithm>
#include <cmath>

namespace wavesim {

namespace {

/// The mean of two values, at most `limit` times the smaller: it keeps what is made of it definite.
double bounded_mean(double a, double b, double limit) {
  return std::min(0.5 * (a + b), limit * std::min(a, b));
}

/// A += times (u_b - u_a)(u_d - u_c)
void add_differences(CellMatrix& A, int a, int b, int c, int d, double times) {
  A[b][d] += times, A[a][c] += times;
  A[b][c] -= times, A[a][d] -= times;
}

/// T0 and T1 on the faces a-b and c-d, which lie side by side: own (T0 g0^2 + T1 g1^2) + 2 mixed g0 g1.
void add_pair(CellMatrix& A, int a, int b, int c, int d, double T0, double T1, double own, double mixed) {
  add_differences(A, a, b, a, b, own * T0);
  add_differences(A, c, d, c, d, own * T1);
  if (mixed == 0) return;
  add_differences(A, a, b, c, d, mixed);
  add_differences(A, c, d, a, b, mixed);
}

CellMatrix stiffness(const CellFaces& T, double own, double mixed) {
  CellMatrix A{};
  add_pair(A, 0, 1, 2, 3, T.bottom, T.top, own, mixed * bounded_mean(T.bottom, T.top, 4));
  add_pair(A, 0, 2, 1, 3, T.left, T.right, own, mixed * bounded_mean(T.left, T.right, 4));
  return A;
}

}  // namespace

CellMatrix cell_stiffness(const CellFaces& T) { return stiffness(T, 5.0 / 12, 1.0 / 12); }
CellMatrix cell_stiffness_of_five_points(const CellFaces& T) { return stiffness(T, 0.5, 0); }

CellMatrix cell_mass(const std::array<double, 4>& m) {
  CellMatrix A{};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const int apart = ((i ^ j) & 1) + (((i ^ j) >> 1) & 1);  // axes along which they differ
      const double share = (apart == 0 ? 25 : apart == 1 ? 5 : 1) / 144.0;
      A[i][j] = share * (i == j ? m[i] : bounded_mean(m[i], m[j], 2));
    }
  return A;
}

CellMatrix lumped_cell_mass(const std::array<double, 4>& m) {
  CellMatrix A{};
  for (int i = 0; i < 4; ++i) A[i][i] = 0.25 * m[i];
  return A;
}

CellMatrix side_damping(int a, int b, double of_a, double of_b) {
  CellMatrix A{};
  A[a][a] = 5.0 / 12 * of_a;
  A[b][b] = 5.0 / 12 * of_b;
  A[a][b] = A[b][a] = bounded_mean(of_a, of_b, 2) / 12;
  return A;
}

CellMatrix lumped_side_damping(int a, int b, double of_a, double of_b) {
  CellMatrix A{};
  A[a][a] = 0.5 * of_a;
  A[b][b] = 0.5 * of_b;
  return A;
}

namespace {

double largest_eigenvalue(const CellMatrix& K, const CellMatrix& M) {
  CellMatrix L{};  // M = L L', then C = L^-1 K L^-T
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = M[i][j];
      for (int k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
      L[i][j] = i == j ? std::sqrt(sum) : sum / L[j][j];
    }
  CellMatrix C = K;
  const auto divide_rows = [&L](CellMatrix& A) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        for (int k = 0; k < i; ++k) A[i][j] -= L[i][k] * A[k][j];
        A[i][j] /= L[i][i];
      }
  };
  const auto transpose = [](CellMatrix& A) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) std::swap(A[i][j], A[j][i]);
  };
  divide_rows(C);
  transpose(C);
  divide_rows(C);
  for (int sweep = 0; sweep < 8; ++sweep)  // Jacobi rotations
    for (int p = 0; p < 4; ++p)
      for (int q = p + 1; q < 4; ++q) {
        if (std::abs(C[p][q]) <= 1e-15 * (std::abs(C[p][p]) + std::abs(C[q][q]))) continue;
        const double theta = (C[q][q] - C[p][p]) / (2 * C[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1));
        const double c = 1 / std::hypot(t, 1), s = t * c;
        for (int k = 0; k < 4; ++k) {
          const double x = C[k][p], y = C[k][q];
          C[k][p] = c * x - s * y, C[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 4; ++k) {
          const double x = C[p][k], y = C[q][k];
          C[p][k] = c * x - s * y, C[q][k] = s * x + c * y;
        }
      }
  return std::max({C[0][0], C[1][1], C[2][2], C[3][3]});
}

}  // namespace

void keep_eigenvalue(double most, const CellMatrix& K, CellMatrix& M) {
  if (most == 0) return;
  const double value = largest_eigenvalue(K, M);
  if (value <= most * (1 + 1e-9)) return;
  const double share = 1 / most - 1 / value;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) M[i][j] += share * K[i][j];
}

}  // namespace wavesim
