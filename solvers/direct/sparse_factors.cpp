#include "solvers/direct/sparse_factors.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>

#include "kernels/backend/errors.hpp"

#ifdef WAVESIM_HAVE_EIGEN
#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#endif

namespace wavesim {

double memory_for_factors() { return 0.5 * double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE)); }

#ifdef WAVESIM_HAVE_EIGEN

bool have_sparse_factors() { return true; }

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

constexpr double bytes_of_entry = sizeof(double) + sizeof(int);

/// Exponents of two for rows and columns that bring the logarithms of the entries near zero in the mean of each row and
/// column, in turn (Curtis & Reid, "On the automatic scaling of matrices for Gaussian elimination", J. Inst. Maths
/// Applics 10, 1972).
struct Scaling {
  std::vector<int> row, column;
  explicit Scaling(const HostCsr& A) {
    std::vector<double> of_row(std::size_t(A.rows), 0), of_column(of_row);
    for (int turn = 0; turn < 20; ++turn) {
      balance(A, true, of_column, of_row);
      balance(A, false, of_row, of_column);
    }
    for (const double e : of_row) row.push_back(int(std::lround(e)));
    for (const double e : of_column) column.push_back(int(std::lround(e)));
  }

 private:
  /// The exponents that means over rows, or columns, ask for, with those of the others.
  static void balance(const HostCsr& A, bool rows, const std::vector<double>& others,
                      std::vector<double>& own) {
    std::vector<double> sum(own.size(), 0), count(sum);
    for (int i = 0; i < A.rows; ++i)
      for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
        if (A.value[k] == 0) continue;
        const std::size_t r = std::size_t(i), c = std::size_t(A.column[k]);
        sum[rows ? r : c] += std::ilogb(A.value[k]) + others[rows ? c : r];
        ++count[rows ? r : c];
      }
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = count[i] > 0 ? -sum[i] / count[i] : 0;
  }
};

/// The rows of A that have entries, and their columns.
HostCsr without_padding(const HostCsr& A, std::vector<int>& rows) {
  std::vector<int> number(std::size_t(A.rows), -1);
  for (int i = 0; i < A.rows; ++i)
    if (A.start[i] < A.start[std::size_t(i) + 1]) {
      number[std::size_t(i)] = int(rows.size());
      rows.push_back(i);
    }
  HostCsr small;
  small.rows = int(rows.size());
  for (const int i : rows) {
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      if (const int j = number[std::size_t(A.column[k])]; j >= 0) {
        small.column.push_back(j);
        small.value.push_back(A.value[k]);
      }
    small.start.push_back(int(small.column.size()));
  }
  return small;
}

Matrix as_eigen(const HostCsr& A) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(A.value.size());
  for (int i = 0; i < A.rows; ++i)
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      entries.emplace_back(i, A.column[k], A.value[k]);
  Matrix M(A.rows, A.rows);
  M.setFromTriplets(entries.begin(), entries.end());
  return M;
}

/// Of rows and columns alike, for little fill.
std::vector<int> elimination_order(const Matrix& A) {
  const Matrix pattern = A + Matrix(A.transpose());
  Eigen::AMDOrdering<int>::PermutationType p;
  Eigen::AMDOrdering<int>()(pattern, p);
  return {p.indices().data(), p.indices().data() + A.rows()};
}

void require_room(double entries, double most_bytes) {
  const double bytes = entries * bytes_of_entry;
  if (bytes <= most_bytes && entries < std::numeric_limits<int>::max()) return;
  char text[240];
  std::snprintf(text, sizeof text,
                "method: direct would need factors with more than %.2g entries, for which there is no room "
                "(%.2g GB at most); take an iterative method",
                std::min(entries, most_bytes / bytes_of_entry), most_bytes * 1e-9);
  throw InputError(text);
}

}  // namespace

double expected_entries(const HostCsr& A, double most) {
  std::vector<int> rows;
  const HostCsr small = without_padding(A, rows);
  const double entries = entries_of_factor(small, elimination_order(as_eigen(small)), most);
  return entries <= most ? entries : std::numeric_limits<double>::infinity();
}

struct SparseFactors::Implementation {
  std::vector<int> rows;  // of A, that have entries
  Eigen::SimplicialLLT<Matrix> cholesky;
  Eigen::SparseLU<Matrix> lu;
  Scaling scaling{HostCsr{}};  // with L and U
  bool symmetric = false;
  double entries = 0;

  bool try_cholesky(const HostCsr& A) {
    cholesky.compute(as_eigen(A));
    return symmetric = cholesky.info() == Eigen::Success;
  }
  void factorise(HostCsr A) {
    scaling = Scaling(A);
    for (int i = 0; i < A.rows; ++i)
      for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
        A.value[k] =
            std::ldexp(A.value[k], scaling.row[std::size_t(i)] + scaling.column[std::size_t(A.column[k])]);
    lu.compute(as_eigen(A));
    if (lu.info() != Eigen::Success)
      throw SolveError(
          "method: direct met a column without a pivot: the matrix is singular; an iterative method may "
          "still "
          "solve systems that have a solution");
    entries = double(lu.nnzL()) + double(lu.nnzU());
  }
};

SparseFactors::SparseFactors(const HostCsr& A, bool symmetric, double most_bytes) try
    : own_(std::make_unique<Implementation>()) {
  const HostCsr small = without_padding(A, own_->rows);
  for (const double v : small.value)
    if (!std::isfinite(v)) throw SolveError("method: direct: the matrix has entries that are not finite");
  const double room = std::min(most_bytes / bytes_of_entry, double(std::numeric_limits<int>::max()));
  const double of_one = entries_of_factor(small, elimination_order(as_eigen(small)), room);
  if (symmetric) {
    require_room(of_one, most_bytes);
    own_->entries = of_one;
    if (own_->try_cholesky(small)) return;
  }
  require_room(2 * of_one, most_bytes);
  own_->factorise(small);
} catch (const std::bad_alloc&) {
  throw InputError(
      "method: direct needs more memory for its factors than there is; take an iterative method");
}

void SparseFactors::solve(const std::vector<double>& b, std::vector<double>& x) const {
  const Implementation& own = *own_;
  const std::vector<int>& rows = own.rows;
  Vector r(Eigen::Index(rows.size()));
  const auto power = [&](const std::vector<int>& of, std::size_t i) { return own.symmetric ? 0 : of[i]; };
  for (std::size_t i = 0; i < rows.size(); ++i)
    r[Eigen::Index(i)] = std::ldexp(b[std::size_t(rows[i])], power(own.scaling.row, i));
  const Vector z = own.symmetric ? Vector(own.cholesky.solve(r)) : Vector(own.lu.solve(r));
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    x[std::size_t(rows[i])] = std::ldexp(z[Eigen::Index(i)], power(own.scaling.column, i));
}

std::string SparseFactors::describe() const {
  char text[80];
  std::snprintf(text, sizeof text, "%s with %.0f entries",
                own_->symmetric ? "a Cholesky factor" : "factors L and U", own_->entries);
  return text;
}

#else

bool have_sparse_factors() { return false; }

double expected_entries(const HostCsr&, double) { return std::numeric_limits<double>::infinity(); }

struct SparseFactors::Implementation {};

SparseFactors::SparseFactors(const HostCsr&, bool, double) {
  throw InputError(
      "method: direct needs Eigen, which this build is without; install libeigen3-dev and build again, or "
      "take "
      "an iterative method");
}
void SparseFactors::solve(const std::vector<double>&, std::vector<double>&) const {}
std::string SparseFactors::describe() const { return ""; }

#endif

SparseFactors::SparseFactors(SparseFactors&&) noexcept = default;
SparseFactors& SparseFactors::operator=(SparseFactors&&) noexcept = default;
SparseFactors::~SparseFactors() = default;

}  // namespace wavesim
