// bench_fiorentini [--device cuda|cpu] [--rows N] [--repetitions N]: Gauss-Seidel in natural order.

#include <cmath>

#include "bench/papers/fiorentini.hpp"
#include "bench/program.hpp"

namespace {

using namespace wavesim;

/// max |b - A x| with b of ones, in doubles.
double residual(const fiorentini::Matrix& A, const std::vector<float>& x) {
  double worst = 0;
  for (int i = 0; i < A.rows; ++i) {
    double r = 1;
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) r -= double(A.value[k]) * x[A.column[k]];
    worst = std::max(worst, std::abs(r));
  }
  return worst;
}

void compare(const CommandLine& line) {
  const int rows = line.number("rows", 51813503), repetitions = line.number("repetitions", 5);
  if (rows > 1000000000) throw InputError("--rows is at most 1000000000: entries are counted in an int");
  const fiorentini::Matrix A = fiorentini::make_matrix(rows);
  int most = 0, least = rows;
  for (int n : A.of_level) {
    most = std::max(most, n);
    least = std::min(least, n);
  }
  // Columns: the paper; its algorithm here; one kernel whose rows wait, which is ours.
  const auto line_of = [](const std::string& what, const std::string& paper, const std::string& launches,
                          const std::string& ours) {
    std::printf("%-44s %16s %16s %16s\n", what.c_str(), paper.c_str(), launches.c_str(), ours.c_str());
  };
  const auto text = [](const char* format, double v) {
    char digits[40];
    std::snprintf(digits, sizeof digits, format, v);
    return std::string(digits);
  };
  const std::string none = "-";
  line_of("", "Fiorentini 2022", "its launches", "ours");
  const auto counts = [&](const char* what, long paper, long ours) {
    line_of(what, std::to_string(paper), none, std::to_string(ours));
  };
  counts("rows", 51813503, rows);
  counts("entries", 103565681, long(A.column.size()));
  int most_dependencies = 0;
  for (std::size_t i = 0; i < std::size_t(rows); ++i)
    most_dependencies = std::max(most_dependencies, A.start[i + 1] - A.start[i] - 1);
  const double dependencies = double(A.column.size()) - rows;
  line_of("dependencies of a row that has some, mean", "2.092111", none,
          text("%.6f", rows > A.of_level[0] ? dependencies / (rows - A.of_level[0]) : 0.0));
  counts("dependencies of a row, largest number", 36, most_dependencies);
  counts("longest chain of dependencies", 91, A.levels());
  counts("most rows of a level", 17890330, most);
  counts("fewest rows of a level", 1, least);
  const fiorentini::Outcome cpu = fiorentini::substitute_host(A, repetitions);
  const auto difference = [&](const fiorentini::Outcome& other) {
    double error = 0;
    for (std::size_t i = 0; i < cpu.x.size(); ++i)
      error = std::max(error, double(std::abs(other.x[i] - cpu.x[i]) / std::abs(cpu.x[i])));
    if (!(error < 1e-5))
      throw SolveError("two substitutions differ by " + text("%.3g", error) + " of their values");
    return error;
  };
  line_of("seconds on the CPU, serial (i7-9750H)", "1.678473", none, text("%.6f", cpu.seconds));
  const double r = residual(A, cpu.x);
  line_of("max |b - A x|, b of ones", none, none, text("%.3g", r));
  if (!(r < 1e-5)) throw SolveError("the substitution does not solve its system");
  const fiorentini::Outcome threads = fiorentini::substitute_by_launches_host(A, repetitions);
  line_of("seconds on the CPU, all threads", none, text("%.6f", threads.seconds), none);
  line_of("the same, largest relative difference", none, text("%.3g", difference(threads)), none);
  line_of("the same, launches a sweep", none, text("%.2f", threads.launches), none);
#ifdef WAVESIM_HAVE_CUDA
  if (line.cuda) {
    const fiorentini::Outcome launched = fiorentini::substitute_by_launches_cuda(A, repetitions),
                              gpu = fiorentini::substitute_cuda(A, repetitions);
    line_of("seconds on the GPU (GTX 1650)", "0.021549", text("%.6f", launched.seconds),
            text("%.6f", gpu.seconds));
    line_of("times faster", "77.89", text("%.2f", cpu.seconds / launched.seconds),
            text("%.2f", cpu.seconds / gpu.seconds));
    line_of("largest relative difference", "0.001491", text("%.3g", difference(launched)),
            text("%.3g", difference(gpu)));
    line_of("kernel launches a sweep", "64.11", text("%.2f", launched.launches), text("%.0f", gpu.launches));
  }
#endif
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("bench_fiorentini", "[--rows N] [--repetitions N]", {"rows", "repetitions"}, argc, argv,
                     compare);
}
