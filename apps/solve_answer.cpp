#include "apps/solve_answer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "apps/answer.hpp"
#include "library/system_sentence.hpp"
#include "output/run/duration.hpp"
#include "output/run/result_directory.hpp"
#include "sim/config/tree.hpp"
#include "solvers/automatic/attempts.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

namespace {

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

void line(const char* what, const std::string& value) { std::printf("%-11s %s\n", what, value.c_str()); }

std::string matrix_text(const Solved& s) {
  const HostCsr& A = s.A.square;
  const std::string shape = s.A.rows == s.A.columns ? text("%d rows", s.A.rows)
                                                    : text("%d rows, %d columns", s.A.rows, s.A.columns);
  const std::string triangle = s.words.uplo ? " (its " + *s.words.uplo + " triangle)" : "";
  return s.words.matrix.string() + triangle + ": " + shape + text(", %zu entries, ", A.value.size()) +
         (s.A.rows != s.A.columns ? ""
          : s.asymmetry == 0      ? "symmetric; "
          : is_symmetric(A)       ? text("symmetric to %.1e; ", s.asymmetry)
                                  : "not symmetric; ") +
         human_bytes(s.results.front().matrix_bytes) + " as " + s.format.name;
}

void print_head(const Solved& s) {
  const SystemResult& first = s.results.front();
  line("matrix", matrix_text(s));
  if (!s.format.why.empty()) line("format", s.format.name + ", for " + s.format.why);
  if (s.results.size() == 1)
    line("right side", (s.words.rhs ? s.words.rhs->string() : "A times ones") +
                           text(", 2-norm %.6g", std::sqrt(first.report.reference.squares) * first.unit));
  else
    line("right sides", s.words.rhs->string() + text(": %zu columns", s.results.size()));
  line("method", s.options.method + ", " + preconditioner_text(s.options) + ", " + s.words.precision +
                     " precision, on " + s.device.name);
  const auto lines = [&](const char* what, const std::string& all) {
    std::istringstream parts(all);
    for (std::string part; std::getline(parts, part); what = "") line(what, part);
  };
  lines("tried", text(first.attempts));
  lines("set-up", first.set_up);
}

std::string time_text(const Solved& s, double setup, double solve) {
  return (s.options.preconditioned() || !s.results.front().set_up.empty()
              ? "set-up " + human_duration(setup) + ", "
              : "") +
         "solve " + human_duration(solve);
}

void print_one(const Solved& s, const SystemResult& result) {
  const Report& r = result.report;
  line(std::string(word(r.status)).c_str(),
       text("after %d iterations: ", r.iterations) + s.sentences.front());
  line("residual", number_word(result.relative_2()) + " of b in the 2-norm, " +
                       number_word(result.relative_max()) +
                       text(" in the largest value; the tolerance is %g in %s", s.options.tolerance,
                            s.options.norm == "max" ? "the latter" : "the former"));
  if (std::isfinite(result.gradient) && (result.least_squares || !r.converged()))
    line("gradient", number_word(result.gradient) + " = |A' r| / (|A| |r|): zero for the least residual");
  if (r.restarts > 0)
    line("", text("the method started again from the true residual %d times, after breakdowns", r.restarts));
  if (result.parted && std::isfinite(relative_history(r, s.words.match).back()))
    line("", "the method itself believes in " + number_word(relative_history(r, s.words.match).back()) +
                 ": it and the true residual have parted company");
  if (!std::isnan(s.error)) line("error", number_word(s.error) + ", the largest |x - 1| (b is A times ones)");
  line("time", time_text(s, r.setup_seconds, r.seconds));
  line("traffic", human_bytes(r.bytes) + (s.bandwidth > 0 ? ", " + human_bytes(r.bytes / r.seconds) + "/s" +
                                                                text(", %.0f %% of a plain copy",
                                                                     100 * r.bytes / r.seconds / s.bandwidth)
                                                          : ""));
  if (!s.words.history) return;
  const std::vector<double> h = relative_history(r, s.words.match);
  std::printf("\niteration   residual\n");
  for (std::size_t k = 0; k < h.size(); ++k) std::printf("%9zu   %.6e\n", k, h[k]);
}

/// A row for each right-hand side.
void print_table(const Solved& s) {
  std::printf("\ncolumn  iterations  residual of b in the 2-norm  in the largest value  ending\n");
  double setup = 0, seconds = 0;
  for (std::size_t k = 0; k < s.results.size(); ++k) {
    const SystemResult& result = s.results[k];
    const Report& r = result.report;
    std::printf("%6zu  %10d  %27s  %20s  %s\n", k + 1, r.iterations, number_word(result.relative_2()).c_str(),
                number_word(result.relative_max()).c_str(),
                (std::string(word(r.status)) + (result.least_squares ? ", least squares" : "")).c_str());
    setup += r.setup_seconds, seconds += r.seconds;
  }
  std::printf("\n");
  line("time", time_text(s, setup, seconds));
  for (std::size_t k = 0; k < s.results.size() && s.words.history; ++k) {
    const std::vector<double> h = relative_history(s.results[k].report, s.words.match);
    std::printf("\niteration   residual of column %zu\n", k + 1);
    for (std::size_t i = 0; i < h.size(); ++i) std::printf("%9zu   %.6e\n", i, h[i]);
  }
}

Tree number_or_null(double v) { return std::isfinite(v) ? Tree::bare(shortest(v)) : Tree(); }

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

/// How a right-hand side was solved.
void add_solve(Tree& t, const Solved& s, std::size_t k) {
  const SystemResult& result = s.results[k];
  const Report& r = result.report;
  const auto number = [&](const char* key, double v) { t.add(key, number_or_null(v)); };
  const auto yes = [&](const char* key, bool v) { t.add(key, Tree::bare(v ? "true" : "false")); };
  t.add("status", Tree::string(word(r.status)));
  number("exit-status", r.converged() ? 0 : 3);
  t.add("sentence", Tree::string(s.sentences[k]));
  number("iterations", r.iterations);
  number("restarts", r.restarts);
  number("residual-relative-2", result.relative_2());
  number("residual-max", result.relative_max());
  const std::vector<double> h = relative_history(r, s.words.match);
  number("residual-of-method", h.back());
  yes("parted", result.parted);
  number("gradient", result.gradient);
  yes("least-squares", result.least_squares);
  number("setup-seconds", r.setup_seconds);
  number("solve-seconds", r.seconds);
  number("bytes", r.bytes);
  if (!s.words.history) return;
  Tree list = Tree::list();
  for (double v : h) list.items.push_back(number_or_null(v));
  t.add("history", std::move(list));
}

}  // namespace

void print_text(const Solved& s) {
  print_head(s);
  if (s.results.size() == 1)
    print_one(s, s.results.front());
  else
    print_table(s);
}

void print_json(const Solved& s) {
  Tree t = Tree::map();
  const auto number = [&](const char* key, double v) { t.add(key, number_or_null(v)); };
  const auto words = [&](const char* key, std::string_view v) { t.add(key, Tree::string(v)); };
  const SystemResult& first = s.results.front();
  words("matrix", s.words.matrix.string());
  number("rows", s.A.rows);
  number("columns", s.A.columns);
  number("entries", double(s.A.square.value.size()));
  t.add("symmetric", Tree::bare(is_symmetric(s.A.square) ? "true" : "false"));
  number("asymmetry", s.asymmetry);
  if (s.words.uplo) words("uplo", *s.words.uplo);
  number("matrix-bytes", first.matrix_bytes);
  words("method", s.options.method);
  words("preconditioner", short_name(s.options.preconditioner));
  words("set-up", first.set_up);
  if (!first.attempts.empty()) t.add("attempts", list_of(first.attempts));
  number("seconds", s.seconds);
  words("format", s.format.name);
  words("format-reason", s.format.why);
  words("precision", s.words.precision);
  words("device", s.device.name);
  words("norm", s.options.norm);
  number("tolerance", s.options.tolerance);
  if (s.results.size() == 1) {
    add_solve(t, s, 0);
  } else {
    const bool all = std::all_of(s.results.begin(), s.results.end(),
                                 [](const SystemResult& r) { return r.report.converged(); });
    words("status", all ? "converged" : "not-converged");
    number("exit-status", all ? 0 : 3);
    Tree list = Tree::list();
    for (std::size_t k = 0; k < s.results.size(); ++k) {
      Tree one = Tree::map();
      add_solve(one, s, k);
      list.items.push_back(std::move(one));
    }
    t.add("right-sides", std::move(list));
  }
  number("error", s.error);
  number("copy-bandwidth", s.bandwidth > 0 ? s.bandwidth : NAN);
  print_answer(t);
}

}  // namespace wavesim
