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
  std::printf("%-44s %16s %16s\n", "", "Fiorentini 2022", "ours");
  const auto counts = [](const char* what, long paper, long ours) {
    std::printf("%-44s %16ld %16ld\n", what, paper, ours);
  };
  counts("rows", 51813503, rows);
  counts("entries", 103565681, long(A.column.size()));
  int most_dependencies = 0;
  for (std::size_t i = 0; i < std::size_t(rows); ++i)
    most_dependencies = std::max(most_dependencies, A.start[i + 1] - A.start[i] - 1);
  const double dependencies = double(A.column.size()) - rows;
  std::printf("%-44s %16.6f %16.6f\n", "dependencies of a row that has some, mean", 2.092111,
              rows > A.of_level[0] ? dependencies / (rows - A.of_level[0]) : 0.0);
  counts("dependencies of a row, largest number", 36, most_dependencies);
  counts("longest chain of dependencies", 91, A.levels());
  counts("most rows of a level", 17890330, most);
  counts("fewest rows of a level", 1, least);
  const fiorentini::Outcome cpu = fiorentini::substitute_host(A, repetitions);
  std::printf("%-44s %16.6f %16.6f\n", "seconds on the CPU, serial (i7-9750H)", 1.678473, cpu.seconds);
  const double r = residual(A, cpu.x);
  std::printf("%-44s %16s %16.3g\n", "max |b - A x|, b of ones", "-", r);
  if (!(r < 1e-5)) throw SolveError("the substitution does not solve its system");
#ifdef WAVESIM_HAVE_CUDA
  if (line.cuda) {
    const fiorentini::Outcome gpu = fiorentini::substitute_cuda(A, repetitions);
    double error = 0;
    for (std::size_t i = 0; i < cpu.x.size(); ++i)
      error = std::max(error, double(std::abs(gpu.x[i] - cpu.x[i]) / std::abs(cpu.x[i])));
    std::printf("%-44s %16.6f %16.6f\n", "seconds on the GPU (GTX 1650)", 0.021549, gpu.seconds);
    std::printf("%-44s %16.2f %16.2f\n", "times faster", 77.889953, cpu.seconds / gpu.seconds);
    std::printf("%-44s %16.6f %16.6g\n", "largest relative difference", 0.001491, error);
    std::printf("%-44s %16.2f %16d\n", "kernel launches a sweep", 64.11, 1);
  }
#endif
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("bench_fiorentini", "[--rows N] [--repetitions N]", {"rows", "repetitions"}, argc, argv,
                     compare);
}
