// bench_pozzo [--device cuda|cpu] [--size N] [--repetitions N]: where a system is made and where it is
// solved.

#include <omp.h>

#include <functional>

#include "bench/papers/pozzo.hpp"
#include "bench/program.hpp"

namespace {

using namespace wavesim;
using pozzo::Device;

/// Table 2 of the paper, in milliseconds on a Core 2 Duo E8400 and a GeForce 8800 GT; negative: none.
struct Published {
  const char *name, *order;
  double made_cpu, made_gpu, on_cpu, on_gpu, total;
};
constexpr Published published[] = {
    {"case 1", "made on CPU, solved there; copied, solved on GPU", 717.3399, -1, 814.2865, 262.5792,
     1794.2056},
    {"case 2", "made on GPU, solved there; copied, solved on CPU", -1, 0.0323, 901.3375, 639.2529, 1540.6227},
    {"case 3", "made and solved on GPU, then on CPU", 406.4061, 0.0269, 865.1089, 452.6854, 1724.4694},
    {"case 4", "made and solved on CPU, then on GPU", 403.1616, 0.0269, 893.0198, 448.8870, 1745.0953}};

struct Times {
  double made_cpu = -1, made_gpu = -1, copied = -1, on_cpu = -1, on_gpu = -1;
  double total() const {
    double sum = 0;
    for (double t : {made_cpu, made_gpu, copied, on_cpu, on_gpu}) sum += t > 0 ? t : 0;
    return sum;
  }
};

void cell(double ms) {
  if (ms < 0)
    std::printf(" %11s", "-");
  else
    std::printf(" %11.4f", ms);
}

void row(const char* name, const char* who, const Times& t, double total) {
  std::printf("%-7s %-6s", name, who);
  for (double ms : {t.made_cpu, t.made_gpu, t.copied, t.on_cpu, t.on_gpu, total}) cell(ms);
  std::printf("\n");
  std::fflush(stdout);
}

class Cases {
 public:
  Cases(Device& cpu, Device* gpu, int repetitions) : cpu_(cpu), gpu_(gpu), repetitions_(repetitions) {}

  Times run(int number) {
    Times t;
    const auto make_on_cpu = [&] { t.made_cpu = 1e3 * cpu_.generate(on_cpu_); };
    const auto make_on_gpu = [&] { t.made_gpu = gpu_ ? 1e3 * gpu_->generate(repetitions_) : -1; };
    const auto on_cpu = [&] { t.on_cpu = 1e3 * solved(cpu_); };
    const auto on_gpu = [&] { t.on_gpu = gpu_ ? 1e3 * solved(*gpu_) : -1; };
    if (number == 0) {
      make_on_cpu(), on_cpu();
      if (gpu_) t.copied = 1e3 * gpu_->copy_from_host(cpu_.system(), repetitions_);
      on_gpu();
    } else if (number == 1 && gpu_) {
      make_on_gpu(), on_gpu();
      t.copied = 1e3 * gpu_->copy_to_host(cpu_.system(), repetitions_);
      on_cpu();
    } else if (number == 2) {
      make_on_gpu(), on_gpu(), make_on_cpu(), on_cpu();
    } else if (number == 3) {
      make_on_cpu(), on_cpu(), make_on_gpu(), on_gpu();
    }
    return t;
  }
  const pozzo::Solve& last() const { return last_; }

 private:
  double solved(Device& device) {
    last_ = device.execute(&device == &cpu_ ? on_cpu_ : repetitions_);
    if (!last_.converged) throw SolveError("conjugate gradients did not converge");
    return last_.seconds;
  }
  Device& cpu_;
  Device* gpu_;
  int repetitions_, on_cpu_ = std::min(repetitions_, 3);  // which takes long
  pozzo::Solve last_;
};

void compare(const CommandLine& line) {
  const int n = line.number("size", 2048), repetitions = line.number("repetitions", 7);
  if (n > 16000) throw InputError("--size is at most 16000");
  const int all = omp_get_max_threads();
  std::printf("%d x %d points, single precision, ELLPACK-R, cg to 1e-5 of |b|; milliseconds\n", n, n);
  for (const Published& p : published) std::printf("%s: %s\n", p.name, p.order);
  for (int cores : all > 1 ? std::vector<int>{1, all} : std::vector<int>{1}) {
    omp_set_num_threads(cores);
    const std::unique_ptr<Device> cpu = pozzo::make_host(n);
    std::unique_ptr<Device> gpu;
#ifdef WAVESIM_HAVE_CUDA
    if (line.cuda) gpu = pozzo::make_cuda(n);
#endif
    Cases cases(*cpu, gpu.get(), repetitions);
    std::printf("CPU with %d thread%s%s\n", cores, cores > 1 ? "s" : "", cores > 1 ? "; paper: serial" : "");
    std::printf("%-7s %-6s %11s %11s %11s %11s %11s %11s\n", "", "", "made, CPU", "made, GPU", "copied",
                "solve, CPU", "solve, GPU", "total");
    for (int k = 0; k < 4; ++k) {
      const Published& p = published[k];
      row(p.name, "paper", {p.made_cpu, p.made_gpu, -1, p.on_cpu, p.on_gpu}, p.total);
      if (gpu || k != 1) {
        const Times t = cases.run(k);
        row("", "ours", t, t.total());
      }
    }
    std::printf("%d iterations, true residual %.2g of |b|\n", cases.last().iterations, cases.last().residual);
  }
  omp_set_num_threads(all);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("bench_pozzo", "[--size N] [--repetitions N]", {"size", "repetitions"}, argc, argv,
                     compare);
}
