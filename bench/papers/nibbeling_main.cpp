// bench_nibbeling [--device cuda|cpu] [--grids N,N,...] [--vectors N,N,...] [--repetitions N] [FILE.mtx or
// FOLDER ...]: products, analysis and solves with U factors of ILU(0), on grids or on the given matrices.

#include "bench/papers/nibbeling.hpp"
#include "bench/program.hpp"
#include "solvers/matrices/matrix_market.hpp"
#include "solvers/triangular/ordering.hpp"

namespace {

using namespace wavesim;

/// One matrix of the paper: tables 4.1 and 5.1, and milliseconds on a GTX 980 Ti (sections 4.4.1 to 4.4.3)
/// with 1, 5, 50 and 100 vectors, by its solver and by cuSPARSE. `both`: analysis and solve together.
/// Negative: not given.
struct Measured {
  double analysis, product[4], both[4];
};
struct Published {
  const char* matrix;
  int rows, levels, longest;
  Measured solver, cusparse;
};
constexpr int paper_vectors[4] = {1, 5, 50, 100};
constexpr Published published[] = {{"1138_bus",
                                    1138,
                                    21,
                                    17,
                                    {0.027, {0.033, 0.054, 0.239, 0.375}, {0.390, 0.764, 6.94, 13.4}},
                                    {2.49, {0.055, 0.103, 0.540, 1.01}, {2.95, 3.09, 5.12, 7.41}}},
                                   {"bodyy6",
                                    19366,
                                    552,
                                    8,
                                    {0.208, {-1, -1, -1, -1}, {5.35, 9.96, 176, 368}},
                                    {30, {-1, -1, -1, -1}, {14.4, 14.1, 22.2, 23.0}}},
                                   {"nopoly",
                                    10774,
                                    875,
                                    11,
                                    {0.056, {-1, -1, -1, -1}, {14.4, 27.3, 272, 545}},
                                    {10.4, {-1, -1, -1, -1}, {18.1, 18.5, 33.3, 48.5}}},
                                   {"swang2",
                                    3169,
                                    164,
                                    10,
                                    {0.068, {-1, -1, -1, -1}, {2.75, 4.91, 53.6, 105}},
                                    {4.53, {-1, -1, -1, -1}, {4.84, 4.17, 7.80, 7.63}}},
                                   {"t2dal",
                                    4257,
                                    296,
                                    8,
                                    {0.0728, {-1, -1, -1, -1}, {4.12, 9.29, 91.6, 184}},
                                    {6.33, {-1, -1, -1, -1}, {7.91, 7.93, 9.19, 10.1}}},
                                   {"bcsstm39",
                                    46772,
                                    1,
                                    1,
                                    {0.146, {0.027, 0.041, 0.194, 0.365}, {0.167, 0.142, 0.175, 0.269}},
                                    {2.53, {0.065, 0.118, 0.609, 1.15}, {1.79, 1.77, 4.39, 6.07}}},
                                   {"nemeth10",
                                    9506,
                                    9505,
                                    35,
                                    {0.405, {0.046, 0.076, 0.406, 0.771}, {766, 404, 1950, 4100}},
                                    {108, {0.062, 0.107, 0.549, 1.02}, {190, 18.4, 349, 40.9}}},
                                   {"parabolic_fem",
                                    528825,
                                    7,
                                    7,
                                    {3.27, {0.165, 0.571, 5.02, 9.98}, {1.19, 1.57, 6.50, 12.0}},
                                    {49.8, {0.202, 0.788, 7.36, 14.6}, {14.8, 15.8, 32.5, 50.3}}},
                                   {"rail_1357",
                                    1357,
                                    7,
                                    11,
                                    {0.0155, {-1, -1, -1, -1}, {0.110, 0.268, 2.16, 4.24}},
                                    {2.29, {-1, -1, -1, -1}, {2.66, 2.84, 4.84, 5.31}}},
                                   {"shallow_water1",
                                    81920,
                                    1016,
                                    4,
                                    {0.341, {-1, -1, -1, -1}, {11.3, 31.2, 366, 550}},
                                    {30.3, {-1, -1, -1, -1}, {26.2, 31.2, 90.3, 28.9}}},
                                   {"ASIC_320ks",
                                    312671,
                                    35,
                                    190,
                                    {3.32, {1.59, 7.18, 53.3, 100}, {4.46, 9.93, 55.2, 107}},
                                    {21.3, {0.201, 0.603, 5.02, 9.98}, {14.7, 15.9, 21.4, 32.5}}}};

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
  cells({t.product * 1e3, t.analysis * 1e3, t.solve * 1e3, (t.analysis + t.solve) * 1e3,
         t.bytes > 0 ? t.bytes * 1e-9 / t.solve : -1, t.one_by_one > 0 ? t.one_by_one * 1e3 : -1});
}

void print_paper(const Published& p, int k) {
  const auto line = [&](const char* who, const Measured& m) {
    std::printf("%8d  %-18s", paper_vectors[k], who);
    cells({m.product[k], m.analysis, -1, m.both[k], -1, -1});
  };
  line("Nibbeling 2016", p.solver);
  line("its cuSPARSE", p.cusparse);
}

/// The paper's rows for matrices that are not among the files.
void print_rest(const Files& files) {
  for (const Published& p : published) {
    const auto same = [&](const auto& file) { return matrix_name(file) == p.matrix; };
    if (std::any_of(files.begin(), files.end(), same)) continue;
    std::printf("%s (not here): %d rows, %d levels, longest row %d\n", p.matrix, p.rows, p.levels, p.longest);
    for (int k = 0; k < 4; ++k) print_paper(p, k);
  }
}

/// `by_levels`: the rows and columns of A are sorted before it is factorised, as in the paper.
void compare(const std::string& name, const HostCsr& A, bool by_levels, const std::vector<int>& vectors,
             int repetitions, bool cuda) try {
  const HostCsr U = by_levels ? nibbeling::factor_by_levels(A) : nibbeling::factor(A);
  int longest = 0;
  for (int i = 0; i < U.rows; ++i) longest = std::max(longest, U.start[std::size_t(i) + 1] - U.start[i]);
  std::printf("%s, %s: %d rows, %zu entries of U, %d levels, longest row %d\n", name.c_str(),
              by_levels ? "by level" : "natural order", U.rows, U.column.size(),
              levels_of(U, Depends::upper).count(), longest);
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
      for (int v = 0; v < 4; ++v)
        if (by_levels && name == p.matrix && vectors[k] == paper_vectors[v]) print_paper(p, v);
  }
  std::printf("          %d band%s; max |b - U x| / max |b|: %.2g", ours.bands, ours.bands == 1 ? "" : "s",
              ours.residual);
  if (!peer.times.empty()) std::printf(", cuSPARSE %.2g", peer.residual);
  std::printf("\n");
} catch (const InputError& e) {
  std::printf("%s: %s\n", name.c_str(), e.what());
} catch (const SolveError& e) {
  std::printf("%s: %s\n", name.c_str(), e.what());
}

void all(const CommandLine& line) {
  const std::vector<int> grids = line.numbers("grids", {512, 1024, 2048, 4096}),
                         vectors = line.numbers("vectors", {1, 5, 50, 100});
  const int repetitions = line.number("repetitions", 7);
  const Files files = line.matrices();
  std::printf(
      "U of ILU(0), double precision; milliseconds, and GB/s of what our solve has to move; the products "
      "with all vectors "
      "at once, and one by one. The paper's: rows by level, on a GTX 980 Ti, analysis and solve together\n"
      "%8s  %-18s %11s %11s %11s %11s %11s %11s\n",
      "vectors", "", "product", "analysis", "solve", "both", "GB/s", "one-by-one");
  if (files.empty())
    for (int n : grids) {
      if (n > 20000) throw InputError("--grids are at most 20000: entries are counted in an int");
      for (const bool by_levels : {false, true})
        compare("grid " + std::to_string(n) + "^2", nibbeling::five_point_grid(n), by_levels,
                n < 3000 ? vectors : std::vector<int>{1}, repetitions, line.cuda);
    }
  for (const auto& file : files) try {
      compare(matrix_name(file), read_matrix_market(file), true, vectors, repetitions, line.cuda);
    } catch (const InputError& e) {
      std::printf("%s: %s\n", matrix_name(file).c_str(), e.what());
    }
  if (!files.empty()) print_rest(files);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("bench_nibbeling",
                     "[--grids N,N,...] [--vectors N,N,...] [--repetitions N] [FILE.mtx or FOLDER ...]",
                     {"grids", "vectors", "repetitions"}, argc, argv, all);
}
