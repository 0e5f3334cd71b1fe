#include "solvers/core/report.hpp"

#include <cmath>

namespace wavesim {

namespace {
double relative(const Norms& r, const Norms& reference) {
  return reference.squares > 0 ? std::sqrt(r.squares / reference.squares) : std::sqrt(r.squares);
}
}  // namespace

double Report::relative_residual() const { return relative(final, reference); }
double Report::relative_recurrence() const { return relative(recurrence, reference); }

std::string_view word(Status status) {
  switch (status) {
    case Status::running:
      return "running";
    case Status::claimed:
      return "claimed";
    case Status::drifted:
      return "drifted";
    case Status::converged:
      return "converged";
    case Status::max_iterations:
      return "max-iterations";
    case Status::breakdown:
      return "breakdown";
    case Status::indefinite:
      return "indefinite";
    case Status::stagnated:
      return "stagnated";
    case Status::not_finite:
      return "not-finite";
    case Status::restarting:
      return "restarting";
    case Status::waiting:
      return "waiting";
  }
  return "unknown";
}

std::string advice(Status status, std::string_view method) {
  switch (status) {
    case Status::converged:
      return "the true residual met the tolerance";
    case Status::max_iterations:
      return "the iteration limit was reached; raise solver.max-iterations, loosen solver.tolerance, take a "
             "smaller time step, or try another method or preconditioner than " +
             std::string(method);
    case Status::breakdown:
      return "the method broke down on a zero denominator; try method: cg, or another guess";
    case Status::indefinite:
      return "the matrix is not positive definite; try method: bicgstab, and check the medium";
    case Status::stagnated:
      return "the true residual no longer falls and stays above the tolerance; loosen solver.tolerance, use "
             "precision: double, or raise solver.restart (gmres, fgmres)";
    case Status::not_finite:
      return "the residual is not finite; check initial values, sources and medium for overflow";
    default:
      return "the solve did not end";
  }
}

}  // namespace wavesim
