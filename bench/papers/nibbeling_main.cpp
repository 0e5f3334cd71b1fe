// bench_nibbeling [--device cuda|cpu] [--grids N,N,...] [--vectors N,N,...] [--repetitions N] [FILE.mtx or
// FOLDER ...]: products, analysis and solves with U factors of ILU(0), on grids or on the given matrices.

#include "bench/papers/nibbeling.hpp"
#include "bench/papers/nibbeling_published.hpp"
#include "bench/program.hpp"
#include "solvers/matrices/matrix_market.hpp"
#include "solvers/triangular/ordering.hpp"

namespace {

using namespace wavesim;

using nibbeling::paper_vectors, nibbeling::published, nibbeling::Measured, nibbeling::Published;

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
         t.bytes > 0 ? t.bytes * 1e-9 / t.solve : -1, t.one_by_one > 0 ? t.one_by_one * 1e3 : -1,
         t.in_tiles > 0 ? t.in_tiles * 1e3 : -1});
}

void print_paper(const Published& p, int k) {
  const auto line = [&](const char* who, const Measured& m) {
    std::printf("%8d  %-18s", paper_vectors[k], who);
    cells({m.product[k], m.analysis, -1, m.both[k], -1, -1, -1});
  };
  line("paper, GTX 980 Ti", p.gtx_980_ti.solver);
  line("  its cuSPARSE", p.gtx_980_ti.cusparse);
  line("paper, GTX 480", p.gtx_480.solver);
  line("  its cuSPARSE", p.gtx_480.cusparse);
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
      "at once (ellpack-r), one by one, and at once by csr-merge. The paper's: rows by level, analysis and "
      "solve together\n"
      "%8s  %-18s %11s %11s %11s %11s %11s %11s %11s\n",
      "vectors", "", "product", "analysis", "solve", "both", "GB/s", "one-by-one", "csr-merge");
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
