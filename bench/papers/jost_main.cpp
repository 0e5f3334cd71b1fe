// bench_jost [--device cuda|cpu] [--rows N,N,...] [--repetitions N] [FILE.mtx or FOLDER ...]: figures 1 to 3
// on artificial matrices; with files, tables 1 and 2.

#include <omp.h>

#include <cmath>
#include <random>

#include "bench/papers/jost.hpp"
#include "bench/program.hpp"
#include "solvers/matrices/matrix_market.hpp"
#include "solvers/solve_system.hpp"

namespace {

using namespace wavesim;

/// Five diagonals of random numbers, not symmetric, the middle one larger than the others together: every
/// method converges. The paper says of its matrices only that they are reproducible.
HostCsr artificial(int rows) {
  const int far = std::max(2, int(std::sqrt(double(rows))));
  HostCsr A;
  A.rows = rows;
  std::mt19937 random(1);
  const auto uniform = [&] { return random() * 0x1p-31 - 1; };  // the same with every library
  for (int i = 0; i < rows; ++i) {
    for (int d : {-far, -1, 0, 1, far}) {
      const double v = uniform();
      if (i + d < 0 || i + d >= rows) continue;
      A.column.push_back(i + d);
      A.value.push_back(d == 0 ? 5 + v : v);
    }
    A.start.push_back(int(A.column.size()));
  }
  return A;
}

void row(int rows, bool single, const char* device, const char* method, double copy, const jost::Outcome& o) {
  std::printf("%8d %-7s %-14s %-13s %12.4f %12.4f %10d %12.2e  %s\n", rows, single ? "single" : "double",
              device, method, o.seconds * 1e3, (o.seconds + copy) * 1e3, o.iterations, o.error,
              o.status.c_str());
  std::fflush(stdout);
}

/// One run of what takes seconds.
int runs_on_cpu(int rows, int most) { return rows >= 1000000 ? 1 : most; }

void figures(const CommandLine& line) {
  const int repetitions = line.number("repetitions", 7), all = omp_get_max_threads();
  std::printf(
      "figures 1 to 3: artificial matrices by diagonals; b of ones, solved to max |r| <= 1e-6 (single), "
      "1e-12 "
      "(double)\n"
      "paper (curves, without numbers): a GPU 20 to 25 times faster than one core of a CPU; errors around "
      "1e-6 in single precision;\n"
      "       in double around 1e-14 on the CPU and between 1e-14 and 1e-6 on the GPU. GPU times with "
      "copies.\n"
      "%8s %-7s %-14s %-13s %12s %12s %10s %12s\n",
      "rows", "", "device", "method", "solve ms", "with copies", "iterations", "max |b-Ax|");
  for (int rows : line.numbers("rows", {100, 1000, 10000, 100000, 1000000, 3000000})) {
    const HostCsr A = artificial(rows);
    for (bool single : {true, false}) {
      const double tolerance = single ? 1e-6 : 1e-12;
      const auto cpu = jost::make_host(A, single);
      for (int cores : all > 1 ? std::vector<int>{1, all} : std::vector<int>{1}) {
        omp_set_num_threads(cores);
        const std::string device = "CPU, " + std::to_string(cores) + (cores > 1 ? " cores" : " core");
        for (const char* method : {"gauss-seidel", "jacobi", "bicg", "bicgstab"})
          row(rows, single, device.c_str(), method, 0,
              cpu->solve(method, tolerance, runs_on_cpu(rows, repetitions)));
      }
      omp_set_num_threads(all);
#ifdef WAVESIM_HAVE_CUDA
      if (line.cuda) {
        const auto gpu = jost::make_cuda(A, single);
        const double copy = gpu->copy(repetitions);
        for (const char* method : {"jacobi", "bicg", "bicgstab"})
          row(rows, single, "GPU", method, copy, gpu->solve(method, tolerance, repetitions));
      }
#endif
    }
  }
}

/// A row of table 1 (single) or 2 (double): errors by Gauss-Seidel on the CPU, Jacobi on the GPU, BiCG and
/// BiCGSTAB on both.
struct Published {
  const char* matrix;
  bool single;
  const char* error[6];
};
constexpr Published published[] = {
    {"minsurfo", true, {"7.15e-7", "1.19e-6", "8.34e-6", "6.32e-6", "2.15e-6", "2.04e-5"}},
    {"obstclae", true, {"7.15e-7", "1.19e-6", "1.86e-5", "7.15e-6", "1.91e-6", "2.96e-6"}},
    {"wathen100", true, {"1.91e-6", "", "1.42e-5", "1.60e-5", "7.39e-6", "7.74e-6"}},
    {"ex1", true, {"", "", "5.25e-6", "4.77e-6", "4.77e-6", "1.60e-1"}},
    {"mcca", true, {"", "", "6.20e-6", "7.63e-6", "4.77e-6", "2.16e+0"}},
    {"dw4096", true, {"", "", "1.41e+2", "", "4.00e-2", ""}},
    {"minsurfo", false, {"1.33e-15", "5.76e-11", "1.24e-14", "1.05e-7", "6.07e-11", "6.98e-9"}},
    {"obstclae", false, {"1.33e-15", "1.06e-7", "6.66e-15", "4.59e-8", "3.42e-9", "4.61e-9"}},
    {"wathen100", false, {"3.55e-15", "3.02e-2", "3.11e-14", "1.79e-7", "1.42e-14", "8.72e-8"}},
    {"ex1", false, {"", "", "9.33e-15", "6.48e-8", "9.10e-9", "6.27e-3"}},
    {"mcca", false, {"", "", "1.15e-14", "3.74e-8", "1.29e-9", "2.55e+1"}},
    {"dw4096", false, {"", "", "3.88e+0", "6.81e+0", "3.07e-2", "1.23e+5"}}};

/// The error in digits, or the word for what became of the solve where there is no number; an asterisk: not
/// converged.
std::string error_of(const HostCsr& A, const char* method, bool cuda, bool single) try {
  const std::vector<double> b(A.rows, 1);
  const SolverOptions o = jost::options(method, single ? 1e-5 : 1e-12, 2000);
#ifdef WAVESIM_HAVE_CUDA
  const auto solve = cuda ? solve_system_on_cuda : solve_system_on_host;
#else
  (void)cuda;
  const auto solve = solve_system_on_host;
#endif
  const SystemResult r = solve(A, b, o, "auto", single);
  const double error = r.residual.largest * r.unit;
  if (!std::isfinite(error)) return std::string(word(r.report.status));
  char text[32];
  std::snprintf(text, sizeof text, "%.2e%s", error, r.report.converged() ? "" : "*");
  return text;
} catch (const InputError&) {
  return "not for it";
} catch (const SolveError&) {
  return "failed";
}

/// Each row over its diagonal: D^-1 A.
HostCsr over_diagonal(HostCsr A) {
  for (int i = 0; i < A.rows; ++i) {
    double diagonal = 0;
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      if (A.column[k] == i) diagonal = A.value[k];
    if (diagonal == 0) throw InputError("row " + std::to_string(i) + " has no diagonal to be divided by");
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) A.value[k] /= diagonal;
  }
  return A;
}

void tables(const CommandLine& line, const Files& files) {
  const std::vector<std::string> scale = line.words_of("scale", {"none"});
  const bool scaled = scale == std::vector<std::string>{"diagonal"};
  if (!scaled && scale.front() != "none") throw InputError("--scale is diagonal or none");
  std::printf(
      "tables 1 and 2: max |b - A x| on real matrices%s, b of ones, to max |r| <= 1e-5 (single), 1e-12 "
      "(double), at most 2000 iterations; *: not converged\n",
      scaled ? ", whose rows are divided by their diagonal" : "");
  for (bool single : {true, false}) {
    std::printf("table %d: %s precision\n%-36s %-6s", single ? 1 : 2, single ? "single" : "double", "matrix",
                "");
    const char* second = line.cuda ? "GPU" : "CPU";
    const std::string columns[] = {
        "GS CPU", std::string("Jacobi ") + second, "BiCG CPU", "BiCG GPU", "BiCG-S CPU", "BiCG-S GPU"};
    for (const std::string& c : columns) std::printf(" %15s", c.c_str());
    std::printf("\n");
    const auto print = [](const std::string& name, const char* who, const auto& cells) {
      std::printf("%-36s %-6s", name.c_str(), who);
      for (const auto& c : cells) std::printf(" %15s", std::string(c).c_str());
      std::printf("\n");
      std::fflush(stdout);
    };
    std::vector<std::string> seen;
    for (const auto& file : files) {
      const std::string name = matrix_name(file);
      for (const Published& p : published)
        if (p.matrix == name && p.single == single) print(name, "paper", p.error);
      try {
        const HostCsr stored = read_matrix_market(file), A = scaled ? over_diagonal(stored) : stored;
        const std::string gpu_bicg = line.cuda ? error_of(A, "bicg", true, single) : "-",
                          gpu_stab = line.cuda ? error_of(A, "bicgstab", true, single) : "-";
        print(name, "ours",
              std::vector<std::string>{error_of(A, "gauss-seidel", false, single),
                                       error_of(A, "jacobi", line.cuda, single),
                                       error_of(A, "bicg", false, single), gpu_bicg,
                                       error_of(A, "bicgstab", false, single), gpu_stab});
      } catch (const InputError& e) {
        std::printf("%-36s %s\n", name.c_str(), e.what());
      }
      seen.push_back(name);
    }
    for (const Published& p : published)
      if (p.single == single && std::find(seen.begin(), seen.end(), p.matrix) == seen.end())
        print(p.matrix, "paper", p.error);
  }
}

void compare(const CommandLine& line) {
  const Files files = line.matrices();
  if (files.empty())
    figures(line);
  else
    tables(line, files);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("bench_jost",
                     "[--rows N,N,...] [--repetitions N] [--scale none|diagonal] [FILE.mtx or FOLDER ...]",
                     {"rows", "repetitions", "scale"}, argc, argv, compare);
}
