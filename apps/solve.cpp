// wavesim solve A.mtx: the solvers on any sparse system.

#include "sim/run/choose_device.hpp"
#include "solvers/solve_system.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "apps/solver_options.hpp"
#include "kernels/backend/errors.hpp"
#include "output/run/duration.hpp"
#include "output/run/result_directory.hpp"
#include "sim/config/tree.hpp"
#include "sim/run/copy_bandwidth.hpp"
#include "sim/run/simulation.hpp"
#include "solvers/matrices/choose_format.hpp"
#include "solvers/matrices/matching.hpp"
#include "solvers/matrices/matrix_market.hpp"

namespace wavesim {

namespace {

struct Solved {
  const SolveOptions& words;
  const SolverOptions& options;
  const HostCsr& A;
  double asymmetry;
  const DeviceFacts& device;
  const SystemResult& result;
  std::string sentence;
  double error;      // largest |x - 1| where b is A times ones (and not zero), else NaN
  double bandwidth;  // of a plain copy; 0: not measured
  FormatChoice format;
};

/// First row without a diagonal entry other than zero, from one; 0: every row has one.
int row_without_diagonal(const HostCsr& A) {
  for (int i = 0; i < A.rows; ++i) {
    double d = 0;
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      if (A.column[k] == i) d = A.value[k];
    if (d == 0) return i + 1;
  }
  return 0;
}

SystemResult solve_on([[maybe_unused]] const DeviceFacts& device, const HostCsr& A,
                      const std::vector<double>& b, const SolverOptions& o, const SolveOptions& words) {
  const bool single = words.precision == "single";
  const auto system = [&](const HostCsr& matrix, const std::vector<double>& right_hand_side) {
#ifdef WAVESIM_HAVE_CUDA
    if (device.kind == "cuda") return solve_system_on_cuda(matrix, right_hand_side, o, words.format, single);
#endif
    return solve_system_on_host(matrix, right_hand_side, o, words.format, single);
  };
  try {
    return words.match ? solve_matched(A, b, o, system) : system(A, b);
  } catch (const InputError& e) {  // of a layer that knows no file, and no command line
    const bool helps = !words.match && row_without_diagonal(A) > 0;
    throw InputError(words.matrix.string() + ": " + e.what() +
                     (helps ? "; --match permutes the rows so that none lacks its diagonal" : ""));
  }
}

std::vector<double> times_ones(const HostCsr& A, const std::filesystem::path& file) {
  std::vector<double> b = multiply(A, std::vector<double>(A.rows, 1));
  for (double v : b)
    if (!std::isfinite(v))
      throw InputError(file.string() +
                       ": A times ones, the usual right-hand side, overflows; give one with --rhs");
  return b;
}

double largest_difference_from_one(const std::vector<double>& x) {
  double largest = 0;
  for (double v : x) {
    if (std::isnan(v)) return v;
    largest = std::max(largest, std::abs(v - 1));
  }
  return largest;
}

/// For matrices that are not positive definite, of which methods for symmetric ones may know so.
std::string methods_for_indefinite_matrices() {
  std::string names;
  for (const Method& m : solver_methods())
    if ((!m.symmetric || m.indefinite) && m.structure == Structure::any && m.preconditioned)
      names += (names.empty() ? "" : ", ") + std::string(m.name);
  return names;
}

/// What a status means for a matrix, and what to try.
std::string sentence(const SystemResult& r, const HostCsr& A, const SolveOptions& words) {
  const bool single = words.precision != "double";
  switch (r.report.status) {
    case Status::converged:
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

template <class... V>
std::string text(const char* format, V... values) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

std::string preconditioner_text(const SolverOptions& o) {
  return o.preconditioned() ? "preconditioner " + short_name(o.preconditioner) : "no preconditioner";
}

/// The residual after k iterations, to the norm that the tolerance is relative to.
std::vector<double> relative_history(const Report& r, bool matched) {
  const double b = r.norm == Norm::max ? r.reference.largest : std::sqrt(r.reference.squares);
  std::vector<double> h = r.history;
  const double first = matched && !h.empty() ? h.front() : b;  // of a system in other units
  for (double& v : h) v = first > 0 ? v / first : v;
  return h;
}

void print_text(const Solved& s) {
  const Report& r = s.result.report;
  const auto line = [](const char* what, const std::string& value) {
    std::printf("%-11s %s\n", what, value.c_str());
  };
  line("matrix", text("%s: %d rows, %zu entries, ", s.words.matrix.c_str(), s.A.rows, s.A.value.size()) +
                     (s.asymmetry == 0    ? "symmetric"
                      : is_symmetric(s.A) ? text("symmetric to %.1e", s.asymmetry)
                                          : "not symmetric") +
                     "; " + human_bytes(s.result.matrix_bytes) + " as " + s.format.name);
  if (!s.format.why.empty()) line("format", s.format.name + ", for " + s.format.why);
  line("right side", (s.words.rhs ? s.words.rhs->string() : "A times ones") +
                         text(", 2-norm %.6g", std::sqrt(r.reference.squares) * s.result.unit));
  line("method", s.options.method + ", " + preconditioner_text(s.options) + ", " + s.words.precision +
                     " precision, on " + s.device.name);
  std::istringstream set_up(s.result.set_up);
  bool first = true;
  for (std::string part; std::getline(set_up, part); first = false) line(first ? "set-up" : "", part);
  line(std::string(word(r.status)).c_str(), text("after %d iterations: ", r.iterations) + s.sentence);
  line("residual", text("%.3g of b in the 2-norm, %.3g in the largest value; the tolerance is %g in %s",
                        s.result.relative_2(), s.result.relative_max(), s.options.tolerance,
                        s.options.norm == "max" ? "the latter" : "the former"));
  if (r.restarts > 0)
    line("", text("the method started again from the true residual %d times, after breakdowns", r.restarts));
  if (s.result.parted)
    line("", text("the method itself believes in %.3g: it and the true residual have parted company",
                  relative_history(r, s.words.match).back()));
  if (!std::isnan(s.error)) line("error", text("%.3g, the largest |x - 1| (b is A times ones)", s.error));
  line("time", (s.options.preconditioned() ? "set-up " + human_duration(r.setup_seconds) + ", " : "") +
                   "solve " + human_duration(r.seconds));
  line("traffic", human_bytes(r.bytes) + (s.bandwidth > 0 ? ", " + human_bytes(r.bytes / r.seconds) + "/s" +
                                                                text(", %.0f %% of a plain copy",
                                                                     100 * r.bytes / r.seconds / s.bandwidth)
                                                          : ""));
  if (s.words.history) {
    const std::vector<double> h = relative_history(r, s.words.match);
    std::printf("\niteration   residual\n");
    for (std::size_t k = 0; k < h.size(); ++k) std::printf("%9zu   %.6e\n", k, h[k]);
  }
}

void print_json(const Solved& s) {
  const Report& r = s.result.report;
  Tree t = Tree::map();
  const auto number = [&](const char* key, double v) {
    t.add(key, std::isfinite(v) ? Tree::bare(shortest(v)) : Tree());
  };
  const auto words = [&](const char* key, std::string_view v) { t.add(key, Tree::string(v)); };
  words("matrix", s.words.matrix.string());
  number("rows", s.A.rows);
  number("entries", double(s.A.value.size()));
  t.add("symmetric", Tree::bare(is_symmetric(s.A) ? "true" : "false"));
  number("asymmetry", s.asymmetry);
  number("matrix-bytes", s.result.matrix_bytes);
  words("method", s.options.method);
  words("preconditioner", short_name(s.options.preconditioner));
  words("set-up", s.result.set_up);
  words("format", s.format.name);
  words("format-reason", s.format.why);
  words("precision", s.words.precision);
  words("device", s.device.name);
  words("status", word(r.status));
  number("exit-status", r.converged() ? 0 : 3);
  words("sentence", s.sentence);
  number("iterations", r.iterations);
  number("restarts", r.restarts);
  words("norm", s.options.norm);
  number("tolerance", s.options.tolerance);
  number("residual-relative-2", s.result.relative_2());
  number("residual-max", s.result.relative_max());
  number("residual-of-method", relative_history(r, s.words.match).back());
  t.add("parted", Tree::bare(s.result.parted ? "true" : "false"));
  number("error", s.error);
  number("setup-seconds", r.setup_seconds);
  number("solve-seconds", r.seconds);
  number("bytes", r.bytes);
  number("copy-bandwidth", s.bandwidth > 0 ? s.bandwidth : NAN);
  if (s.words.history) {
    Tree list = Tree::list();
    for (double v : relative_history(r, s.words.match))
      list.items.push_back(std::isfinite(v) ? Tree::bare(shortest(v)) : Tree());
    t.add("history", std::move(list));
  }
  print_answer(t);
}

/// Found before a long solve rather than after it.
void require_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!std::filesystem::is_directory(folder))
    throw OutputError("cannot write " + file.string() + ": there is no folder " + folder.string() +
                      "; make it or write elsewhere");
  if (std::filesystem::is_directory(file))
    throw OutputError("cannot write " + file.string() + ": it is a folder; name a file");
}

}  // namespace

int solve(const SolveOptions& words) {
  const DeviceFacts device = choose_device(words.device);
  const HostCsr A = read_matrix_market(words.matrix);
  const double asymmetric = asymmetry(A);
  const SolverOptions options = solver_options(words, is_symmetric(A) && !words.match);
  const std::vector<double> b =
      words.rhs ? read_matrix_market_vector(*words.rhs, A.rows) : times_ones(A, words.matrix);
  if (words.solution) require_folder_of(*words.solution);

  const SystemResult r = solve_on(device, A, b, options, words);
  const bool worth_measuring = r.report.bytes > 1e8;  // below that time goes elsewhere
  const Solved solved{words,
                      options,
                      A,
                      asymmetric,
                      device,
                      r,
                      sentence(r, A, words),
                      words.rhs || r.report.reference.squares == 0 ? NAN : largest_difference_from_one(r.x),
                      worth_measuring ? copy_bandwidth(device) : 0,
                      words.format == "auto" ? choose_format(A) : FormatChoice{words.format, ""}};
  if (!words.json) print_text(solved);
  if (!r.report.converged()) {
    if (words.json) print_json(solved);
    throw SolveError(words.matrix.string() + ": " + options.method + " ended with " +
                     std::string(word(r.report.status)) + " after " + std::to_string(r.report.iterations) +
                     " iterations, true residual " + text("%.3g", r.relative_2()) + " of b; " +
                     solved.sentence + (words.solution ? "; no solution is written" : ""));
  }
  if (words.solution) write_matrix_market_vector(*words.solution, r.x);
  if (words.json) print_json(solved);  // not before all is done
  return 0;
}

}  // namespace wavesim
