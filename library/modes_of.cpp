#include "library/modes_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/backend/errors.hpp"
#include "library/solver_options.hpp"
#include "sim/config/suggest.hpp"
#include "solvers/eigenpairs/lobpcg_preconditioner.hpp"
#include "solvers/eigenpairs/small_matrix.hpp"

namespace wavesim {

namespace {

std::vector<std::string> known_preconditioners() {
  std::vector<std::string> names{direct_preconditioner};
  for (const PreconditionerEntry& e : solver_preconditioners()) names.emplace_back(e.name);
  return names;
}

const char* why(Status status) {
  switch (status) {
    case Status::max_iterations:
      return "allow more iterations (--most), take a larger --block or another --preconditioner, or loosen "
             "--tolerance";
    case Status::stagnated:
      return "no direction is left to go; take a larger --block, or loosen --tolerance";
    case Status::indefinite:
      return "M is not positive definite, or the preconditioner makes numbers that are none; see that M is, "
             "or take "
             "another --preconditioner";
    default:
      return "numbers left the range of double precision; take another --preconditioner";
  }
}

}  // namespace

EigenOptions eigen_options(const ModesWords& words, long unknowns, const std::string& name) {
  if (!have_small_eigenpairs())
    throw InputError("this build has no Eigen, which modes need; install libeigen3-dev and build again");
  EigenOptions o;
  const auto fits = [&](const char* option, long value, long least, const std::string& what) {
    if (value < least || value > unknowns)
      throw InputError(fmt::format("{}: {} {} is not between {} and {}, the number of unknowns{}", name,
                                   option, value, least, unknowns, what));
  };
  fits("--count", words.count, 1, "");
  o.count = words.count;
  o.block = words.block.value_or(usual_block(words.count, unknowns));
  fits("--block", o.block, o.count, fmt::format("; {} modes need as large a block", o.count));
  if (!(words.tolerance > 0 && words.tolerance < 1))
    throw InputError("--tolerance has to be greater than 0 and less than 1");
  o.tolerance = words.tolerance;
  o.most_iterations = words.most;
  return o;
}

std::optional<PreconditionerOptions> mode_preconditioner(const ModesWords& words,
                                                         const std::optional<std::string>& usual) {
  const std::optional<std::string> name = words.preconditioner ? words.preconditioner : usual;
  if (!name) {
    if (!words.options.empty())
      throw InputError("--option is one of a preconditioner; name it with --preconditioner");
    return std::nullopt;
  }
  const PreconditionerEntry* const entry = find_preconditioner(*name);
  if (!entry && *name != direct_preconditioner)
    throw InputError("--preconditioner: unknown name '" + *name + "'" +
                     did_you_mean(*name, known_preconditioners(), "one of"));
  PreconditionerOptions o{*name, {}};
  for (const std::string& assignment : words.options) {
    const std::size_t equals = assignment.find('=');
    if (equals == assignment.npos) throw InputError("--option " + assignment + ": write --option name=value");
    choose_option(o.choices, entry ? entry->options : std::vector<const Option*>(),
                  "preconditioner: " + *name, assignment.substr(0, equals), assignment.substr(equals + 1));
  }
  return o;
}

long converged_count(const Eigenpairs& pairs, const EigenOptions& options) {
  return std::count_if(pairs.residual.begin(), pairs.residual.end(),
                       [&](double r) { return r <= options.tolerance; });
}

void require_convergence(const Eigenpairs& pairs, const EigenOptions& options, const std::string& name) {
  if (pairs.converged()) return;
  const double largest = *std::max_element(pairs.residual.begin(), pairs.residual.end());
  throw SolveError(fmt::format(
      "{}: {} of {} modes met the tolerance {:g} after {} iterations ({}{}); {}; nothing is written", name,
      converged_count(pairs, options), options.count, options.tolerance, pairs.iterations, word(pairs.status),
      std::isnan(largest) ? "" : fmt::format(", largest residual {:.2g}", largest), why(pairs.status)));
}

}  // namespace wavesim
