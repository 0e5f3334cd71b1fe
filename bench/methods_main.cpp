// bench_methods [--device cuda|cpu] [--single] [--a A] [--only NAME,NAME] [n ...]: which method wins.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "bench/heading.hpp"
#include "bench/methods.hpp"
#include "kernels/device.hpp"

int main(int argc, char** argv) {
  using namespace wavesim;
  bool cuda = !cuda_facts().empty();
  MethodStudy study;
  std::vector<int> sizes;
  std::vector<double> as;
  for (int k = 1; k < argc; ++k) {
    if (!std::strcmp(argv[k], "--single"))
      study.single = true;
    else if (!std::strcmp(argv[k], "--device") && k + 1 < argc)
      cuda = !std::strcmp(argv[++k], "cuda");
    else if (!std::strcmp(argv[k], "--a") && k + 1 < argc)
      as.push_back(std::atof(argv[++k]));
    else if (!std::strcmp(argv[k], "--only") && k + 1 < argc) {
      std::istringstream names(argv[++k]);
      for (std::string name; std::getline(names, name, ',');) study.only.push_back(name);
    } else if (const int n = std::atoi(argv[k]); n > 0)
      sizes.push_back(n);
    else
      return std::fprintf(
                 stderr,
                 "usage: bench_methods [--device cuda|cpu] [--single] [--a A] [--only NAME,NAME] [n ...]\n"),
             2;
  }
  if (cuda && cuda_facts().empty())
    return std::fprintf(stderr, "bench_methods: %s\n", why_no_cuda().c_str()), 5;
  if (sizes.empty()) sizes = {cuda ? 1023 : 255};
  if (as.empty()) as = {0.5, 50};
  print_heading(cuda ? cuda_facts().front() : cpu_facts());
  for (int n : sizes)
    for (double a : as) {
      study.n = n;
      study.a = a;
#ifdef WAVESIM_HAVE_CUDA
      if (cuda) {
        bench_methods_cuda(study);
        continue;
      }
#endif
      bench_methods_host(study);
    }
}
