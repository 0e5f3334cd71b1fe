#include "solvers/automatic/zeros.hpp"

#include <vector>

#include "solvers/catalogue/catalogue.hpp"
#include "solvers/catalogue/option_list.hpp"

namespace wavesim {

Zeros zeros_of(const HostCsr& A) {
  Zeros zeros;
  std::vector<char> in_column(std::size_t(A.rows), 0);
  const auto is_padding = [&](int i) { return A.start[i] == A.start[std::size_t(i) + 1]; };
  for (int i = 0; i < A.rows; ++i) {
    if (is_padding(i)) continue;
    double diagonal = 0;
    bool in_row = false;
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) {
      if (A.value[k] == 0) continue;
      in_row = true;
      in_column[A.column[k]] = 1;
      if (A.column[k] == i) diagonal += A.value[k];
    }
    zeros.line = zeros.line || !in_row;
    zeros.diagonal = zeros.diagonal || diagonal == 0;
    zeros.negative = zeros.negative || diagonal < 0;
  }
  for (int i = 0; i < A.rows; ++i) zeros.line = zeros.line || (!in_column[std::size_t(i)] && !is_padding(i));
  return zeros;
}

bool fails_on(const Zeros& zeros, const PreconditionerOptions& o, bool matched) {
  if (matched) return zeros.line;  // no order of the rows has a diagonal without zeros
  const PreconditionerEntry* const M = find_preconditioner(o.type);
  if (!M) return false;
  // What is eliminated only takes from a pivot of Cholesky, and nothing comes into a line of zeros. A shift moves an
  // element away from zero by a share of its row.
  const bool shifted = o.choices.numbers.contains(option::shift.name);
  switch (M->inverts) {
    case Inverted::diagonal:
      return zeros.diagonal;
    case Inverted::lu_factors:
      return zeros.line && !shifted;
    case Inverted::cholesky_factors:
      return zeros.line || zeros.negative || (zeros.diagonal && !shifted);
    case Inverted::other:
      break;
  }
  return false;
}

}  // namespace wavesim
