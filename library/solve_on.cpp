#include "library/solve_on.hpp"

#include "kernels/backend/errors.hpp"
#include "library/system_sentence.hpp"
#include "solvers/automatic/attempts.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/matrices/matching.hpp"

namespace wavesim {

bool solved_as_symmetric(const HostCsr& A, const SolveOptions& words) {
  return !words.match && is_symmetric(A);
}

SystemResult solve_on([[maybe_unused]] const DeviceFacts& device, const HostCsr& A, bool symmetric,
                      const std::vector<double>& b, const SolverOptions& o, const SolveOptions& words,
                      const std::string& name) {
  const bool single = words.precision == "single";
  const auto any = [&](const HostCsr& matrix, const std::vector<double>& right_hand_side,
                       const SolverOptions& o) {
#ifdef WAVESIM_HAVE_CUDA
    if (device.kind == "cuda") return solve_system_on_cuda(matrix, right_hand_side, o, words.format, single);
#endif
    return solve_system_on_host(matrix, right_hand_side, o, words.format, single);
  };
  const auto system = [&](const HostCsr& matrix, const std::vector<double>& right_hand_side) {
    return any(matrix, right_hand_side, o);
  };
  try {
    if (find_method(o.method)->automatic)
      return solve_by_attempts(A, b, o, {symmetric, single, words.match, !words.no_direct}, any);
    return words.match ? solve_matched(A, b, o, system) : system(A, b);
  } catch (const InputError& e) {  // of a layer that knows no file, and no command line
    const bool helps = !words.match && row_without_diagonal(A) > 0;
    throw InputError(name + ": " + e.what() +
                     (helps ? "; --match permutes the rows so that none lacks its diagonal" : ""));
  }
}

}  // namespace wavesim
