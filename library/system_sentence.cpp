#include "library/system_sentence.hpp"

#include <cmath>
#include <cstdio>

#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

int row_without_diagonal(const HostCsr& A) {
  for (int i = 0; i < A.rows; ++i) {
    double d = 0;
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      if (A.column[k] == i) d = A.value[k];
    if (d == 0) return i + 1;
  }
  return 0;
}

namespace {

/// For matrices that are not positive definite, of which methods for symmetric ones may know so.
std::string methods_for_indefinite_matrices() {
  std::string names;
  for (const Method& m : solver_methods())
    if ((!m.symmetric || m.indefinite) && m.structure == Structure::any && m.preconditioned)
      names += (names.empty() ? "" : ", ") + std::string(m.name);
  return names;
}

}  // namespace

std::string sentence(const SystemResult& r, const HostCsr& A, const std::string& precision) {
  const bool single = precision != "double";
  switch (r.report.status) {
    case Status::converged:
      if (r.least_squares)
        return "the residual does not vanish and is the least there is: |A' r| met the tolerance";
      return r.report.reference.squares == 0 ? "the right-hand side is zero, and so is x"
                                             : "the true residual met the tolerance";
    case Status::max_iterations:
      return "the iteration limit was reached; raise --max-iterations, loosen --tolerance, or try another "
             "--preconditioner or --method";
    case Status::breakdown:
      return "the method met a zero denominator; the matrix may be singular, or try another --method";
    case Status::indefinite:
      return "the matrix is not positive definite; try another --method: " +
             methods_for_indefinite_matrices();
    case Status::stagnated:
      return std::string("rounding keeps the true residual above the tolerance; loosen --tolerance") +
             (single ? ", use --precision double" : "") + " or try another --preconditioner";
    case Status::not_finite: {
      const int row = row_without_diagonal(A);
      return "the iteration grew beyond all numbers" +
             (row ? "; row " + std::to_string(row) + " has no diagonal, by which some methods divide" : "") +
             "; try another --method" + (single ? " or --precision double" : "");
    }
    default:
      return "the solve did not end";
  }
}

std::string number_word(double v) {
  if (std::isnan(v)) return "not a number";
  if (std::isinf(v)) return "infinite";
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", v);
  return text;
}

}  // namespace wavesim
