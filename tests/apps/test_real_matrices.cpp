// `wavesim solve` on matrices of collections, read here a second time by other means.

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "tests/apps/program.hpp"
#include "tests/apps/system_files.hpp"

namespace wavesim {
namespace {

namespace fs = std::filesystem;

struct Entry {
  int i, j;
  double v;
};
struct RealMatrix {
  int rows = 0;
  bool symmetric = false;  // stored as a triangle
  std::vector<Entry> entries;
};

RealMatrix read_again(const fs::path& file) {
  RealMatrix A;
  char line[1024];
  const gzFile gz = gzopen(file.c_str(), "rb");
  gzgets(gz, line, sizeof line);
  A.symmetric = std::string(line).find("symmetric") != std::string::npos;
  while (gzgets(gz, line, sizeof line) && line[0] == '%') {
  }
  A.rows = std::atoi(line);
  Entry e{};
  while (gzgets(gz, line, sizeof line))
    if (std::sscanf(line, "%d %d %lf", &e.i, &e.j, &e.v) == 3) A.entries.push_back(e);
  gzclose(gz);
  return A;
}

double relative_residual(const RealMatrix& A, const std::vector<double>& x) {
  std::vector<long double> b(A.rows, 0), y(A.rows, 0);
  for (const Entry& e : A.entries) {
    b[e.i - 1] += e.v;
    y[e.i - 1] += (long double)e.v * x[e.j - 1];
    if (A.symmetric && e.i != e.j) {
      b[e.j - 1] += e.v;
      y[e.j - 1] += (long double)e.v * x[e.i - 1];
    }
  }
  long double rr = 0, bb = 0;
  for (int i = 0; i < A.rows; ++i) {
    rr += (b[i] - y[i]) * (b[i] - y[i]);
    bb += b[i] * b[i];
  }
  return bb > 0 ? double(std::sqrt(rr / bb)) : double(std::sqrt(rr));
}

std::vector<double> read_solution(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  std::getline(in, line);
  std::vector<double> x;
  while (std::getline(in, line)) x.push_back(std::strtod(line.c_str(), nullptr));
  return x;
}

fs::path real_matrices() {
  const char* given = std::getenv("WAVESIM_MATRICES");
  return given ? fs::path(given) : fs::path(WAVESIM_SOURCE_DIR) / "../shared/matrices";
}

TEST(SolveCommand, OfRealMatricesEndsWithAStatusAndConvergedIsTrue) {
  if (!fs::exists(real_matrices()))
    GTEST_SKIP() << "needs the matrices of ../shared/matrices, or of the folder that WAVESIM_MATRICES names";
  // Symmetric, and by the collection's account not positive definite.
  const std::vector<std::string> not_definite{"bcsstm10", "bcsstm13", "e05r0000", "nopoly",
                                              "pyamg_unit_square"};
  const std::vector<std::string> unsymmetric_that_converge{"arc130", "orsirr_1", "pyamg_recirc_flow"};
  const auto in = [](const std::string& name, const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  int solved = 0, tried = 0;
  for (const auto& entry : fs::directory_iterator(real_matrices())) {
    const std::string file = entry.path().filename(), name = file.substr(0, file.find('.'));
    if (file.find(".mtx") == std::string::npos) continue;
    const RealMatrix A = read_again(entry.path());
    for (const char* method : {"cg", "bicgstab"}) {
      Workplace here;
      const Outcome run =
          here.run({"solve", entry.path(), "--method", method, "--json", "--solution", "x.mtx"});
      if (run.status == 2) {
        EXPECT_STREQ(method, "cg") << run.err;
        EXPECT_FALSE(A.symmetric) << run.err;
        continue;
      }
      ++tried;
      const Tree t = load_tree(run.out, "json");
      const std::string status = word_of(t, "status"), what = name + " " + method + ": " + status;
      EXPECT_EQ(number_of(t, "rows"), A.rows) << what;
      EXPECT_EQ(run.status, status == "converged" ? 0 : 3) << what << run.err;
      if (std::string(method) == "cg" ? !in(name, not_definite) : in(name, unsymmetric_that_converge)) {
        EXPECT_EQ(status, "converged") << what;
      }
      if (status != "converged") continue;
      ++solved;
      const std::vector<double> x = read_solution(here.folder() / "x.mtx");
      ASSERT_EQ(x.size(), std::size_t(A.rows)) << what;
      EXPECT_LE(relative_residual(A, x), 1.001e-6) << what;
      EXPECT_NEAR(relative_residual(A, x), number_of(t, "residual-relative-2"), 1e-9) << what;
    }
  }
  EXPECT_GT(solved, tried / 2);
}

}  // namespace
}  // namespace wavesim
