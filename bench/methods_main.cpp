// bench_methods [--device cuda|cpu] [--precision single] [--a A] [--only NAME,NAME] [n ...]: which method
// wins.

#include <cstdlib>

#include "bench/methods.hpp"
#include "bench/program.hpp"

int main(int argc, char** argv) {
  using namespace wavesim;
  return run_program("bench_methods", "[--precision double|single] [--a A] [--only NAME,NAME] [n ...]",
                     {"precision", "a", "only"}, argc, argv, [](const CommandLine& line) {
                       const auto option = [&](const char* name) {
                         const auto at = line.options.find(name);
                         return at == line.options.end() ? std::string() : at->second;
                       };
                       MethodStudy study;
                       study.single = option("precision") == "single";
                       study.only = line.words_of("only", {});
                       std::vector<int> sizes;
                       for (const std::string& word : line.words)
                         sizes.push_back(CommandLine::whole(word, "n"));
                       if (sizes.empty()) sizes = {line.cuda ? 1023 : 255};
                       std::vector<double> as{0.5, 50};
                       if (const std::string a = option("a"); !a.empty()) as = {std::atof(a.c_str())};
                       for (int n : sizes)
                         for (double a : as) {
                           study.n = n;
                           study.a = a;
#ifdef WAVESIM_HAVE_CUDA
                           if (line.cuda) {
                             bench_methods_cuda(study);
                             continue;
                           }
#endif
                           bench_methods_host(study);
                         }
                     });
}
