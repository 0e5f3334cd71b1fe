// bench_nibbeling [--device cuda|cpu] [--grids N,N,...] [--vectors N,N,...] [--repetitions N] [FILE.mtx or
// FOLDER ...]: products, analysis and solves with U factors of ILU(0), on grids or on the given matrices.

#include "bench/papers/nibbeling.hpp"
#include "bench/program.hpp"
#include "solvers/matrix_market.hpp"
#include "solvers/ordering.hpp"

namespace {

using namespace wavesim;

/// Milliseconds on a GTX 980 Ti: analysis and solve together (section 4.4.2), and the product (4.4.1; none:
/// negative), by the paper's solver and by cuSPARSE.
struct Published {
  const char* matrix;
  int vectors;
  double product, cusparse_product, both, cusparse_both;
};
constexpr Published published[] = {{"1138_bus", 1, 0.033, 0.055, 0.390, 2.95},
                                   {"1138_bus", 5, 0.054, 0.103, 0.764, 3.09},
                                   {"1138_bus", 50, 0.239, 0.540, 6.94, 5.12},
                                   {"1138_bus", 100, 0.375, 1.01, 13.4, 7.41},
                                   {"nopoly", 1, -1, -1, 14.4, 18.1},
                                   {"nopoly", 5, -1, -1, 27.3, 18.5},
                                   {"nopoly", 50, -1, -1, 272, 33.3},
                                   {"nopoly", 100, -1, -1, 545, 48.5},
                                   {"mess_rail1357_K", 1, -1, -1, 0.110, 2.66},
                                   {"mess_rail1357_K", 5, -1, -1, 0.268, 2.84},
                                   {"mess_rail1357_K", 50, -1, -1, 2.16, 4.84},
                                   {"mess_rail1357_K", 100, -1, -1, 4.24, 5.31},
                                   {"bodyy6", 1, -1, -1, 5.35, 14.4},
                                   {"bodyy6", 5, -1, -1, 9.96, 14.1},
                                   {"bodyy6", 50, -1, -1, 176, 22.2},
                                   {"bodyy6", 100, -1, -1, 368, 23.0},
                                   {"parabolic_fem", 1, 0.165, 0.202, 1.19, 14.8},
                                   {"parabolic_fem", 5, 0.571, 0.788, 1.57, 15.8},
                                   {"parabolic_fem", 50, 5.02, 7.36, 6.5, 32.5},
                                   {"parabolic_fem", 100, 9.98, 14.6, 12.0, 50.3}};

void cells(std::initializer_list<double> milliseconds) {
  for (double ms : milliseconds)
    if (ms < 0)
      std::printf(" %11s", "-");
    else
      std::printf(" %11.4f", ms);
  std::printf("\n");
  std::fflush(stdout);
}

void print(const char* who, const nibbeling::Times& t) {
  std::printf("%8d  %-18s", t.vectors, who);
  cells({t.product * 1e3, t.analysis * 1e3, t.solve * 1e3, (t.analysis + t.solve) * 1e3});
}

void compare(const std::string& name, const HostCsr& A, const std::vector<int>& vectors, int repetitions,
             bool cuda) try {
  const HostCsr U = nibbeling::factor_by_levels(A);
  int longest = 0;
  for (int i = 0; i < U.rows; ++i) longest = std::max(longest, U.start[std::size_t(i) + 1] - U.start[i]);
  std::printf("%s: %d rows, %zu entries of U, %d levels, longest row %d\n", name.c_str(), U.rows,
              U.column.size(), levels_of(U, Depends::upper).count(), longest);
  nibbeling::Result peer, ours;
#ifdef WAVESIM_HAVE_CUDA
  ours = cuda ? nibbeling::measure_cuda(U, vectors, repetitions)
              : nibbeling::measure_host(U, vectors, repetitions);
#else
  ours = nibbeling::measure_host(U, vectors, repetitions);
#endif
#ifdef WAVESIM_HAVE_CUSPARSE
  if (cuda) peer = nibbeling::measure_cusparse(U, vectors, repetitions);
#endif
  (void)cuda;
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    print("ours", ours.times[k]);
    if (!peer.times.empty()) print("cuSPARSE", peer.times[k]);
    for (const Published& p : published)
      if (name == p.matrix && vectors[k] == p.vectors) {
        std::printf("%8d  %-18s", p.vectors, "Nibbeling 2016");
        cells({p.product, -1, -1, p.both});
        std::printf("%8d  %-18s", p.vectors, "its cuSPARSE");
        cells({p.cusparse_product, -1, -1, p.cusparse_both});
      }
  }
  std::printf("          max |b - U x| / max |b|: %.2g", ours.residual);
  if (!peer.times.empty()) std::printf(", cuSPARSE %.2g", peer.residual);
  std::printf("\n");
} catch (const InputError& e) {
  std::printf("%s: %s\n", name.c_str(), e.what());
} catch (const SolveError& e) {
  std::printf("%s: %s\n", name.c_str(), e.what());
}

void all(const CommandLine& line) {
  const std::vector<int> grids = line.numbers("grids", {512, 1024, 2048}),
                         vectors = line.numbers("vectors", {1, 5, 50, 100});
  const int repetitions = line.number("repetitions", 7);
  const Files files = line.matrices();
  std::printf(
      "U of ILU(0), rows by level, double precision; milliseconds. The paper's: on a GTX 980 Ti, analysis "
      "and "
      "solve together\n%8s  %-18s %11s %11s %11s %11s\n",
      "vectors", "", "product", "analysis", "solve", "both");
  if (files.empty())
    for (int n : grids) {
      if (n > 20000) throw InputError("--grids are at most 20000: entries are counted in an int");
      compare("grid " + std::to_string(n) + "^2", nibbeling::five_point_grid(n), vectors, repetitions,
              line.cuda);
    }
  for (const auto& file : files) try {
      compare(matrix_name(file), read_matrix_market(file), vectors, repetitions, line.cuda);
    } catch (const InputError& e) {
      std::printf("%s: %s\n", matrix_name(file).c_str(), e.what());
    }
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("bench_nibbeling",
                     "[--grids N,N,...] [--vectors N,N,...] [--repetitions N] [FILE.mtx or FOLDER ...]",
                     {"grids", "vectors", "repetitions"}, argc, argv, all);
}
