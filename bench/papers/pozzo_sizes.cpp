// Figure 8 of Pozzo, Idagawa et al. (2010): the cases of table 1 over the size of the grid.

#include <omp.h>

#include <algorithm>
#include <cstdio>

#include "bench/papers/pozzo_cases.hpp"

namespace wavesim::pozzo {

namespace {

constexpr int large = 4096;  // of which a solve takes tenths of a second on a CPU

/// The runs of a part in all cases: what it costs does not depend on the case, but for what the caches hold.
struct Part {
  Runs runs;
  void add(const Runs& more) {
    runs.seconds.insert(runs.seconds.end(), more.seconds.begin(), more.seconds.end());
    if (!more.seconds.empty()) runs.bytes = more.bytes;
  }
  void print() const {
    if (runs.seconds.empty())
      std::printf(" %11s", "-");
    else
      std::printf(" %11.4f", 1e3 * spread(runs.seconds).mean);
  }
  /// Of the bandwidth of copying, in percent.
  void print_share(double copy) const {
    if (runs.seconds.empty())
      std::printf(" %9s", "-");
    else
      std::printf(" %9.1f", 100 * runs.bytes / spread(runs.seconds).mean / copy);
  }
};

void print_size(bool cuda, int n, int repetitions, double copy) {
  const std::unique_ptr<Device> cpu = make_host(n), gpu = make_gpu(cuda, n);
  Cases table(*cpu, gpu.get(), repetitions);
  Part made_cpu, made_gpu, to_gpu, to_cpu, on_cpu, on_gpu;
  std::vector<double> totals;
  for (int number = gpu ? 1 : cases; number <= cases; ++number) {  // each part on the CPU is in the last
    const Parts p = table.run(number);
    made_cpu.add(p.made_cpu), made_gpu.add(p.made_gpu);
    on_cpu.add(p.on_cpu), on_gpu.add(p.on_gpu);
    (number == 1 ? to_gpu : to_cpu).add(p.copied);
    totals.push_back(p.total());
  }
  std::printf("%6d", n);
  made_cpu.print(), made_gpu.print(), made_gpu.print_share(copy);
  on_cpu.print(), on_gpu.print(), on_gpu.print_share(copy);
  to_gpu.print(), to_cpu.print();
  for (int k = 0; k < cases; ++k)
    if (gpu)
      std::printf(" %11.4f", totals[std::size_t(k)]);
    else
      std::printf(" %11s", "-");  // no case is without a GPU
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

void print_times_over_sizes(bool cuda, const std::vector<int>& sizes, int repetitions) {
  const int few = std::min(repetitions, 3), threads = omp_get_max_threads();
  std::printf(
      "figure 8: cases of table 1 over the size of the grid; milliseconds, means of %d run%s a case, of %d "
      "from "
      "size %d on; parts: of all cases together\npaper: curves, without numbers\nCPU with %d thread%s\n",
      repetitions, repetitions > 1 ? "s" : "", few, large, threads, threads > 1 ? "s" : "");
  double copy = 0;
#ifdef WAVESIM_HAVE_CUDA
  if (cuda) {
    copy = copy_bandwidth_cuda();
    std::printf("copy of %d x %d points on the GPU: %.0f GB/s\n", copied_points, copied_points, 1e-9 * copy);
  }
#endif
  std::printf("%6s %11s %11s %9s %11s %11s %9s %11s %11s %11s %11s %11s %11s\n", "size", "made, CPU",
              "made, GPU", "% of copy", "solve, CPU", "solve, GPU", "% of copy", "to GPU", "to CPU", "case 1",
              "case 2", "case 3", "case 4");
  for (int n : sizes) print_size(cuda, n, n < large ? repetitions : few, copy);
}

}  // namespace wavesim::pozzo
