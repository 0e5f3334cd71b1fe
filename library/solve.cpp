#include "library/solve.hpp"

#include "library/check_word.hpp"
#include "library/csr_system.hpp"
#include "library/solve_on.hpp"
#include "library/solver_options.hpp"
#include "library/system_sentence.hpp"

namespace wavesim {

Solution solve(const CsrSystem& system, const SolveOptions& words) {
  const std::string name = "the system";
  check_word("--device", words.device, device_words);
  const DeviceFacts device = choose_device(words.device);
  const MatrixOfAnyShape A = system_matrix(matrix_of(system, may_be_singular(words)), words, name);
  const MatrixFacts facts = facts_of(A, words);
  const SolverOptions options = solver_options(words, facts, name);
  const std::vector<double> b(system.right_hand_side.begin(), system.right_hand_side.end());
  const SystemResult r = solve_on(device, A, facts, {b}, options, words, name).front();

  Solution s;
  s.x = r.x;
  s.converged = r.report.converged();
  s.status = word(r.report.status);
  s.sentence = sentence(r, A.square, words.precision);
  s.method = r.attempts.empty() ? options.method : r.attempts.back().method;
  s.preconditioner = r.attempts.empty() ? options.preconditioner.type : r.attempts.back().preconditioner;
  s.iterations = r.report.iterations;
  s.residual = r.relative_2();
  s.residual_max = r.relative_max();
  s.gradient = r.gradient;
  s.least_squares = r.least_squares;
  s.setup_seconds = r.report.setup_seconds;
  s.solve_seconds = r.report.seconds;
  return s;
}

}  // namespace wavesim
