// wavesim_bench [--device cuda|cpu] [--single] [n ...]: roofs, kernels and solves, as a table.

#include "bench/bench.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "bench/program.hpp"

int main(int argc, char** argv) {
  using namespace wavesim;
  const std::vector<DeviceFacts> gpus = cuda_facts();
  bool cuda = !gpus.empty(), single = false;
  std::vector<int> sizes;
  for (int k = 1; k < argc; ++k) {
    if (!std::strcmp(argv[k], "--single"))
      single = true;
    else if (!std::strcmp(argv[k], "--device") && k + 1 < argc)
      cuda = !std::strcmp(argv[++k], "cuda");
    else if (const int n = std::atoi(argv[k]); n > 0)
      sizes.push_back(n);
    else
      return std::fprintf(stderr, "usage: wavesim_bench [--device cuda|cpu] [--single] [n ...]\n"), 2;
  }
  if (cuda && gpus.empty()) return std::fprintf(stderr, "wavesim_bench: %s\n", why_no_cuda().c_str()), 5;
  if (sizes.empty())
    sizes = cuda ? std::vector<int>{256, 1023, 4095, 8191} : std::vector<int>{255, 1023, 2047};
  const DeviceFacts device = cuda ? gpus.front() : cpu_facts();
  print_heading(device);
  for (int n : sizes) {
#ifdef WAVESIM_HAVE_CUDA
    if (cuda) {
      bench_solvers_cuda(n, single);
#ifdef WAVESIM_HAVE_CUSPARSE
      bench_cusparse(n, single);
#endif
      continue;
    }
#endif
    bench_solvers_host(n, single);
  }
}
