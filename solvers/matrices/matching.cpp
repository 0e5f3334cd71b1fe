#include "solvers/matrices/matching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <string>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {

/// Least sum of c_ij = log(largest of column j) - log |a_ij| over a matching of rows and columns, by shortest
/// augmenting paths: u_i + v_j <= c_ij, with equality on the matching.
struct Assignment {
  const HostCsr& A;
  std::vector<double> cost, u, v;
  std::vector<int> row_of, column_of;  // -1: free

  explicit Assignment(const HostCsr& matrix)
      : A(matrix),
        cost(A.value.size()),
        u(A.rows, 0),
        v(A.rows, 0),
        row_of(A.rows, -1),
        column_of(A.rows, -1) {
    std::vector<double> largest(A.rows, 0);
    for (std::size_t k = 0; k < cost.size(); ++k)
      largest[A.column[k]] = std::max(largest[A.column[k]], std::abs(A.value[k]));
    const double never = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < cost.size(); ++k)
      cost[k] = A.value[k] != 0 ? std::log(largest[A.column[k]]) - std::log(std::abs(A.value[k])) : never;
    for (int i = 0; i < A.rows; ++i) {
      u[i] = never;
      for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) u[i] = std::min(u[i], cost[k]);
      if (u[i] == never) singular("row " + std::to_string(i + 1) + " is zero");
      for (int k = A.start[i]; k < A.start[std::size_t(i) + 1] && column_of[i] < 0; ++k)
        if (cost[k] == u[i] && row_of[A.column[k]] < 0) {
          row_of[A.column[k]] = i;
          column_of[i] = A.column[k];
        }
    }
  }

  [[noreturn]] static void singular(const std::string& why) {
    throw InputError("the matrix is structurally singular: " + why +
                     ", whatever the values of its entries are");
  }

  /// Matches row s as well. The columns that a path has reached are kept in `reached`.
  struct Search {
    std::vector<double> distance;
    std::vector<int> from;  // the row before a column
    std::vector<char> done;
    std::vector<int> reached;
    explicit Search(int n) : distance(n, std::numeric_limits<double>::infinity()), from(n, -1), done(n, 0) {}
  };
  void augment(int s, Search& q) {
    using Candidate = std::pair<double, int>;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> next;
    double length = 0;
    int i = s, end = -1;
    while (end < 0) {
      for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
        const int j = A.column[k];
        const double d = length + std::max(0.0, cost[k] - u[i] - v[j]);
        if (q.done[j] || !(d < q.distance[j])) continue;
        if (q.from[j] < 0) q.reached.push_back(j);
        q.distance[j] = d;
        q.from[j] = i;
        next.push({d, j});
      }
      while (!next.empty() && q.done[next.top().second]) next.pop();
      if (next.empty()) singular("row " + std::to_string(s + 1) + " finds no column of its own");
      const int j = next.top().second;
      length = next.top().first;
      q.done[j] = 1;
      if (row_of[j] < 0)
        end = j;
      else
        i = row_of[j];
    }
    u[s] += length;
    for (int j : q.reached) {
      if (q.done[j] && j != end) {
        u[row_of[j]] += length - q.distance[j];
        v[j] -= length - q.distance[j];
      }
      q.distance[j] = std::numeric_limits<double>::infinity();
      q.done[j] = 0;
    }
    for (int j = end;;) {
      const int row = q.from[j], before = column_of[row];
      row_of[j] = row;
      column_of[row] = j;
      if (row == s) break;
      j = before;
    }
    for (int j : q.reached) q.from[j] = -1;
    q.reached.clear();
  }
};

double measure(const Norms& n, Norm norm) { return norm == Norm::max ? n.largest : std::sqrt(n.squares); }

int exponent_of(const std::vector<double>& v) {
  double largest = 0;
  for (double x : v) largest = std::max(largest, std::abs(x));
  return largest > 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
}

Norms norms_of(const std::vector<double>& v, int exponent) {
  Norms n;
  for (double x : v) n.join(Norms::of(std::ldexp(x, -exponent)));
  return n;
}

}  // namespace

Matching match(const HostCsr& A) {
  Assignment assignment(A);
  Assignment::Search search(A.rows);
  for (int i = 0; i < A.rows; ++i)
    if (assignment.column_of[i] < 0) assignment.augment(i, search);
  std::vector<double> largest(A.rows, 0);
  for (std::size_t k = 0; k < A.value.size(); ++k)
    largest[A.column[k]] = std::max(largest[A.column[k]], std::abs(A.value[k]));
  Matching m;
  m.row = assignment.row_of;
  for (int i = 0; i < A.rows; ++i) {
    m.row_power.push_back(int(std::lround(assignment.u[i] / std::log(2))));
    m.column_power.push_back(int(std::lround(assignment.v[i] / std::log(2) - std::log2(largest[i]))));
    m.moved += m.row[i] != i;
  }
  return m;
}

HostCsr Matching::applied(const HostCsr& A) const {
  HostCsr B;
  B.rows = A.rows;
  for (int i : row) {
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
      B.column.push_back(A.column[k]);
      B.value.push_back(std::ldexp(A.value[k], row_power[i] + column_power[A.column[k]]));
    }
    B.start.push_back(int(B.column.size()));
  }
  return B;
}

std::vector<double> Matching::right_hand_side(const std::vector<double>& b) const {
  std::vector<double> c;
  for (int i : row) c.push_back(std::ldexp(b[i], row_power[i]));
  return c;
}

std::vector<double> Matching::solution(std::vector<double> y) const {
  for (std::size_t j = 0; j < y.size(); ++j) y[j] = std::ldexp(y[j], column_power[j]);
  return y;
}

SystemResult solve_matched(
    const HostCsr& A, const std::vector<double>& b, const SolverOptions& options,
    const std::function<SystemResult(const HostCsr&, const std::vector<double>&)>& solve) {
  const Matching m = match(A);
  const HostCsr B = m.applied(A);
  SystemResult all = solve(B, m.right_hand_side(b));
  all.x = m.solution(std::move(all.x));
  all.set_up = std::to_string(m.moved) + " of " + std::to_string(A.rows) +
               " rows moved and all scaled for a large diagonal" + (all.set_up.empty() ? "" : "; ") +
               all.set_up;
  const double matched_unit = all.unit;
  const Norm norm = all.report.norm;
  const int of_b = exponent_of(b);
  all.unit = std::ldexp(1.0, of_b);
  all.parted = false;  // the method's own residual is the matched system's
  Report& report = all.report;
  report.reference = norms_of(b, of_b);
  report.goal = options.tolerance * measure(report.reference, norm);
  std::vector<double> r;
  const auto look = [&] {
    r = accurate_residual(A, b, all.x);
    all.residual = report.final = norms_of(r, of_b);
    return measure(all.residual, norm);
  };
  double now = look();
  if (!report.converged() && now <= report.goal) report.status = Status::converged;  // that is what was asked
  while (report.converged() && !(now <= report.goal) && std::isfinite(now)) {
    if (report.iterations >= options.max_iterations) {
      report.status = Status::max_iterations;
      break;
    }
    SystemResult more = solve(B, m.right_hand_side(r));
    const std::vector<double> before = all.x, correction = m.solution(std::move(more.x));
    for (std::size_t j = 0; j < correction.size(); ++j) all.x[j] += correction[j];
    report.iterations += more.report.iterations;
    report.seconds += more.report.seconds;
    report.setup_seconds += more.report.setup_seconds;
    report.bytes += more.report.bytes;
    for (std::size_t k = 1; k < more.report.history.size(); ++k)
      report.history.push_back(more.report.history[k] * (more.unit / matched_unit));
    const double was = now;
    now = look();
    if (now > was) {  // worse than nothing
      all.x = before;
      now = look();
    }
    if (now <= report.goal) break;  // however the matched system ended
    if (!more.report.converged())
      report.status = more.report.status;
    else if (!(now <= was / 2))
      report.status = Status::stagnated;
  }
  if (report.converged() && !std::isfinite(now)) report.status = Status::not_finite;
  return all;
}

}  // namespace wavesim
