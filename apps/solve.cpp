// wavesim solve A.mtx: the solvers on any sparse system.

#include "sim/run/choose_device.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "apps/answer.hpp"
#include "apps/commands.hpp"
#include "kernels/backend/errors.hpp"
#include "library/solve_on.hpp"
#include "library/solver_options.hpp"
#include "library/system_sentence.hpp"
#include "output/run/duration.hpp"
#include "output/run/result_directory.hpp"
#include "sim/config/tree.hpp"
#include "sim/run/copy_bandwidth.hpp"
#include "sim/run/simulation.hpp"
#include "solvers/automatic/attempts.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/matrices/choose_format.hpp"
#include "solvers/matrices/matrix_market.hpp"

namespace wavesim {

namespace {

struct Solved {
  const SolveCommand& words;
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
  const auto lines = [&](const char* what, const std::string& all) {
    std::istringstream parts(all);
    for (std::string part; std::getline(parts, part); what = "") line(what, part);
  };
  lines("tried", text(s.result.attempts));
  lines("set-up", s.result.set_up);
  line(std::string(word(r.status)).c_str(), text("after %d iterations: ", r.iterations) + s.sentence);
  line("residual", number_word(s.result.relative_2()) + " of b in the 2-norm, " +
                       number_word(s.result.relative_max()) +
                       text(" in the largest value; the tolerance is %g in %s", s.options.tolerance,
                            s.options.norm == "max" ? "the latter" : "the former"));
  if (r.restarts > 0)
    line("", text("the method started again from the true residual %d times, after breakdowns", r.restarts));
  if (s.result.parted && std::isfinite(relative_history(r, s.words.match).back()))
    line("", "the method itself believes in " + number_word(relative_history(r, s.words.match).back()) +
                 ": it and the true residual have parted company");
  if (!std::isnan(s.error)) line("error", number_word(s.error) + ", the largest |x - 1| (b is A times ones)");
  line("time", (s.options.preconditioned() || !s.result.set_up.empty()
                    ? "set-up " + human_duration(r.setup_seconds) + ", "
                    : "") +
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

Tree list_of(const std::vector<Attempt>& attempts) {
  Tree list = Tree::list();
  for (const Attempt& a : attempts) {
    Tree t = Tree::map();
    t.add("name", Tree::string(a.name));
    t.add("method", Tree::string(a.method));
    t.add("preconditioner", Tree::string(a.preconditioner));
    t.add("ending", Tree::string(a.ending));
    t.add("iterations", Tree::bare(std::to_string(a.iterations)));
    t.add("seconds", Tree::bare(shortest(a.seconds)));
    list.items.push_back(std::move(t));
  }
  return list;
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
  if (!s.result.attempts.empty()) t.add("attempts", list_of(s.result.attempts));
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

int solve(const SolveCommand& words) {
  const DeviceFacts device = choose_device(words.device);
  const HostCsr A = read_matrix_market(words.matrix);
  const double asymmetric = asymmetry(A);
  const bool symmetric = solved_as_symmetric(A, words);
  const SolverOptions options = solver_options(words, symmetric, words.matrix.string());
  const std::vector<double> b =
      words.rhs ? read_matrix_market_vector(*words.rhs, A.rows) : times_ones(A, words.matrix);
  if (words.solution) require_folder_of(*words.solution);

  const SystemResult r = solve_on(device, A, symmetric, b, options, words, words.matrix.string());
  const bool worth_measuring = r.report.bytes > 1e8;  // below that time goes elsewhere
  const Solved solved{words,
                      options,
                      A,
                      asymmetric,
                      device,
                      r,
                      sentence(r, A, words.precision),
                      words.rhs || r.report.reference.squares == 0 ? NAN : largest_difference_from_one(r.x),
                      worth_measuring ? copy_bandwidth(device) : 0,
                      words.format == "auto" ? choose_format(A) : FormatChoice{words.format, ""}};
  if (!words.json) print_text(solved);
  if (!r.report.converged()) {
    if (words.json) print_json(solved);
    throw SolveError(words.matrix.string() + ": " + options.method + " ended with " +
                     std::string(word(r.report.status)) + " after " + std::to_string(r.report.iterations) +
                     " iterations, true residual " + number_word(r.relative_2()) + " of b; " +
                     solved.sentence + (words.solution ? "; no solution is written" : ""));
  }
  if (words.solution) write_matrix_market_vector(*words.solution, r.x);
  if (words.json) print_json(solved);  // not before all is done
  return 0;
}

}  // namespace wavesim
