// bench_pozzo [--device cuda|cpu] [--size N] [--sizes N,N,...] [--repetitions N]: where a system is made and
// where it is solved. --size: table 2 alone; --sizes: figure 8 alone; neither or both: both.

#include <omp.h>

#include <optional>

#include "bench/papers/pozzo_cases.hpp"
#include "bench/program.hpp"

namespace {

using namespace wavesim;
using pozzo::Cases;
using pozzo::Device;
using pozzo::Parts;
using Cell = std::optional<Spread>;  // milliseconds

/// Table 2 of the paper, on a Core 2 Duo E8400 and a GeForce 8800 GT.
struct Published {
  const char *name, *order;
  Cell made_cpu, made_gpu, on_cpu, on_gpu;
  double total;
};
constexpr Cell none;
const Published published[pozzo::cases] = {
    {"case 1", "made on CPU, solved there; copied, solved on GPU", Spread{717.3399, 0.0511}, none,
     Spread{814.2865, 0.1076}, Spread{262.5792, 0.1584}, 1794.2056},
    {"case 2", "made on GPU, solved there; copied, solved on CPU", none, Spread{0.0323, 0.0003},
     Spread{901.3375, 0.7197}, Spread{639.2529, 0.2234}, 1540.6227},
    {"case 3", "made and solved on GPU, then on CPU", Spread{406.4061, 0.3489}, Spread{0.0269, 0.0002},
     Spread{865.1089, 1.0797}, Spread{452.6854, 0.2589}, 1724.4694},
    {"case 4", "made and solved on CPU, then on GPU", Spread{403.1616, 0.0247}, Spread{0.0269, 0.0002},
     Spread{893.0198, 0.0868}, Spread{448.8870, 0.0799}, 1745.0953}};

Cell cell(const pozzo::Runs& runs) {
  if (runs.seconds.empty()) return none;
  const Spread s = spread(runs.seconds);
  return Spread{1e3 * s.mean, 1e3 * s.deviation};
}

void row(const char* name, const char* who, const std::vector<Cell>& cells, double total) {
  std::printf("%-7s %-6s", name, who);
  for (const Cell& c : cells)
    if (c) {
      char text[80];
      std::snprintf(text, sizeof text, "%.4f±%.4f", c->mean, c->deviation);
      std::printf(" %18s", text);  // 17 characters: printf counts bytes, and ± has two
    } else {
      std::printf(" %17s", "-");
    }
  std::printf(" %11.4f\n", total);
  std::fflush(stdout);
}

void compare(int n, int repetitions, bool cuda) {
  const int all = omp_get_max_threads();
  std::printf(
      "table 2: %d x %d points, single precision, ELLPACK-R, cg to 1e-5 of |b|; milliseconds, mean ± "
      "standard deviation of %d run%s\n",
      n, n, repetitions, repetitions > 1 ? "s" : "");
  for (const Published& p : published) std::printf("%s: %s\n", p.name, p.order);
  for (int cores : all > 1 ? std::vector<int>{1, all} : std::vector<int>{1}) {
    omp_set_num_threads(cores);
    const std::unique_ptr<Device> cpu = pozzo::make_host(n), gpu = pozzo::make_gpu(cuda, n);
    Cases cases(*cpu, gpu.get(), repetitions);
    std::printf("CPU with %d thread%s%s\n", cores, cores > 1 ? "s" : "", cores > 1 ? "; paper: serial" : "");
    std::printf("%-7s %-6s %17s %17s %17s %17s %17s %11s\n", "", "", "made, CPU", "made, GPU", "copied",
                "solve, CPU", "solve, GPU", "total");
    for (int k = 0; k < pozzo::cases; ++k) {
      const Published& p = published[k];
      row(p.name, "paper", {p.made_cpu, p.made_gpu, none, p.on_cpu, p.on_gpu}, p.total);
      if (!gpu && k == 1) continue;
      const Parts t = cases.run(k + 1);
      row("", "ours", {cell(t.made_cpu), cell(t.made_gpu), cell(t.copied), cell(t.on_cpu), cell(t.on_gpu)},
          t.total());
    }
    std::printf("%d iterations, true residual %.2g of |b|\n", cases.last().iterations, cases.last().residual);
  }
  omp_set_num_threads(all);
}

void run(const CommandLine& line) {
  const int n = line.number("size", 2048), repetitions = line.number("repetitions", 7);
  const std::vector<int> sizes = line.numbers("sizes", {256, 512, 1024, 2048, 4096, 8192});
  const auto allowed = [](int size, const char* option) {
    if (size > pozzo::largest_size)
      throw InputError(std::string(option) + " is at most " + std::to_string(pozzo::largest_size));
  };
  allowed(n, "--size");
  for (int size : sizes) allowed(size, "--sizes");
  const bool table = line.options.count("size"), figure = line.options.count("sizes");
  if (table || !figure) compare(n, repetitions, line.cuda);
  if (figure || !table) pozzo::print_times_over_sizes(line.cuda, sizes, repetitions);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("bench_pozzo", "[--size N] [--sizes N,N,...] [--repetitions N]",
                     {"size", "sizes", "repetitions"}, argc, argv, run);
}
