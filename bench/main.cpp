// wavesim_bench [--device cuda|cpu] [--precision double|single] [--parts NAME,...] [--formats NAME,...]
// [--faces A,...] [n ...]: roofs, kernels and solves, as a table. Parts: kernels, cg, bicgstab, cg-onchip,
// varying (the medium in arrays, too), peers (cuSPARSE and cuBLAS).

#include "bench/bench.hpp"

#include "bench/program.hpp"

namespace {

/// Those of a list that `known` has too. Throws InputError.
std::vector<std::string> chosen(const wavesim::CommandLine& line, const std::string& option,
                                const std::vector<std::string>& known) {
  std::vector<std::string> list = line.words_of(option, known);
  for (const std::string& word : list)
    if (!wavesim::SolverBench::holds(known, word)) {
      std::string names;
      for (const std::string& k : known) names += (names.empty() ? "" : ", ") + k;
      throw wavesim::InputError(std::string("--").append(option) + " has '" + word + "'; it takes " + names);
    }
  return list;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace wavesim;
  return run_program(
      "wavesim_bench",
      "[--precision double|single] [--parts NAME,...] [--formats NAME,...] [--faces A,...] [n ...]",
      {"precision", "parts", "formats", "faces"}, argc, argv, [](const CommandLine& line) {
        SolverBench bench;
        bench.single = chosen(line, "precision", {"double", "single"}) == std::vector<std::string>{"single"};
        bench.parts = chosen(line, "parts", bench.parts);
        bench.formats = chosen(line, "formats", bench.formats);
        if (line.options.count("faces")) {
          bench.faces.clear();
          for (const std::string& a : line.words_of("faces", {})) bench.faces.push_back(std::atof(a.c_str()));
        }
        std::vector<int> sizes;
        for (const std::string& word : line.words) sizes.push_back(CommandLine::whole(word, "n"));
        if (sizes.empty())
          sizes = line.cuda ? std::vector<int>{256, 1023, 4095, 8191} : std::vector<int>{255, 1023, 2047};
        for (int n : sizes) {
          bench.n = n;
#ifdef WAVESIM_HAVE_CUDA
          if (line.cuda) {
            bench_solvers_cuda(bench);
#ifdef WAVESIM_HAVE_CUSPARSE
            if (bench.wants("peers")) bench_cusparse(bench);
#endif
            continue;
          }
#endif
          bench_solvers_host(bench);
        }
      });
}
