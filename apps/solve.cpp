// wavesim solve A.mtx: the solvers on any sparse system.

#include <algorithm>
#include <chrono>
#include <cmath>

#include "apps/commands.hpp"
#include "apps/output_file.hpp"
#include "apps/solve_answer.hpp"
#include "kernels/backend/errors.hpp"
#include "library/solve_on.hpp"
#include "library/solver_options.hpp"
#include "library/system_sentence.hpp"
#include "sim/run/copy_bandwidth.hpp"

namespace wavesim {

namespace {

/// Vectors with a value for each row of A.
std::vector<std::vector<double>> right_sides(const SolveCommand& words, const MatrixOfAnyShape& A) {
  if (words.rhs) return read_matrix_market_columns(*words.rhs, A.rows);
  std::vector<double> ones(std::size_t(A.square.rows), 0);
  std::fill_n(ones.begin(), A.columns, 1.0);
  std::vector<double> b = multiply(A.square, ones);
  b.resize(std::size_t(A.rows));
  for (double v : b)
    if (!std::isfinite(v))
      throw InputError(words.matrix.string() +
                       ": A times ones, the usual right-hand side, overflows; give one with --rhs");
  return {b};
}

double largest_difference_from_one(const std::vector<double>& x) {
  double largest = 0;
  for (double v : x) {
    if (std::isnan(v)) return v;
    largest = std::max(largest, std::abs(v - 1));
  }
  return largest;
}

/// Throws where a solve did not converge.
void require_convergence(const Solved& s) {
  const std::string unwritten = s.words.solution ? "; no solution is written" : "";
  const auto failed = [](const SystemResult& r) { return !r.report.converged(); };
  const auto first = std::find_if(s.results.begin(), s.results.end(), failed);
  if (first == s.results.end()) return;
  const std::size_t k = std::size_t(first - s.results.begin());
  const auto count = std::count_if(s.results.begin(), s.results.end(), failed);
  throw SolveError(s.words.matrix.string() + ": " +
                   (s.results.size() > 1
                        ? std::to_string(count) + " of " + std::to_string(s.results.size()) +
                              " right-hand sides were not solved; in column " + std::to_string(k + 1) + " "
                        : "") +
                   s.options.method + " ended with " + std::string(word(first->report.status)) + " after " +
                   std::to_string(first->report.iterations) + " iterations, true residual " +
                   number_word(first->relative_2()) + " of b; " + s.sentences[k] + unwritten);
}

}  // namespace

int solve(const SolveCommand& words) {
  const DeviceFacts device = choose_device(words.device);
  const std::string name = words.matrix.string();
  const MatrixOfAnyShape A =
      system_matrix(read_matrix_market_of_any_shape(words.matrix, may_be_singular(words)), words, name);
  const double asymmetric = asymmetry(A.square);
  const MatrixFacts facts = facts_of(A, words);
  const SolverOptions options = solver_options(words, facts, name);
  const std::vector<std::vector<double>> columns = right_sides(words, A);
  if (words.solution) require_folder_of(*words.solution);

  const auto begin = std::chrono::steady_clock::now();
  std::vector<SystemResult> results = solve_on(device, A, facts, columns, options, words, name);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  double bytes = 0;
  std::vector<std::string> sentences;
  for (const SystemResult& r : results) {
    bytes = std::max(bytes, r.report.bytes);
    sentences.push_back(sentence(r, A.square, words.precision));
  }
  const bool known = !words.rhs && A.rows >= A.columns && results.front().report.reference.squares > 0;
  const Solved solved{
      words,
      options,
      A,
      asymmetric,
      device,
      results,
      seconds,
      std::move(sentences),
      known ? largest_difference_from_one(results.front().x) : NAN,
      results.size() == 1 && bytes > 1e8 ? copy_bandwidth(device) : 0,  // below that time goes elsewhere
      words.format == "auto" ? choose_format(A.square) : FormatChoice{words.format, ""}};
  const bool all =
      std::all_of(results.begin(), results.end(), [](const SystemResult& r) { return r.report.converged(); });
  if (!words.json) print_text(solved);
  if (words.json && !all) print_json(solved);
  require_convergence(solved);
  if (words.solution) {
    std::vector<std::vector<double>> x;
    for (SystemResult& r : results) x.push_back(std::move(r.x));
    write_matrix_market_columns(*words.solution, x);
  }
  if (words.json) print_json(solved);  // not before all is done
  return 0;
}

}  // namespace wavesim
