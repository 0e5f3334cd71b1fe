#pragma once
// The four cases of Pozzo, Idagawa et al. (2010), Table 1: which device makes the system, which takes it over,
// and in which order both solve it.

#include <vector>

#include "bench/papers/pozzo.hpp"
#include "bench/timing.hpp"
#include "kernels/backend/errors.hpp"

namespace wavesim::pozzo {

constexpr int cases = 4, largest_size = 16000;  // of which a matrix has fewer entries than an int counts

/// None in a run on the CPU.
inline std::unique_ptr<Device> make_gpu([[maybe_unused]] bool cuda, [[maybe_unused]] int n) {
#ifdef WAVESIM_HAVE_CUDA
  if (cuda) return make_cuda(n);
#endif
  return nullptr;
}

/// What a case consists of; what it lacks has no runs.
struct Parts {
  Runs made_cpu, made_gpu, copied, on_cpu, on_gpu;

  /// Milliseconds, by the means.
  double total() const {
    double sum = 0;
    for (const Runs* part : {&made_cpu, &made_gpu, &copied, &on_cpu, &on_gpu})
      if (!part->seconds.empty()) sum += 1e3 * spread(part->seconds).mean;
    return sum;
  }
};

class Cases {
 public:
  Cases(Device& cpu, Device* gpu, int repetitions) : cpu_(cpu), gpu_(gpu), repetitions_(repetitions) {}

  /// Case 1, 2, 3 or 4, without what needs a GPU where there is none: of case 2 nothing is left.
  Parts run(int number) {
    Parts p;
    const auto make_on_cpu = [&] { p.made_cpu = cpu_.generate(repetitions_); };
    const auto make_on_gpu = [&] { p.made_gpu = gpu_ ? gpu_->generate(repetitions_) : Runs{}; };
    const auto on_cpu = [&] { p.on_cpu = solved(cpu_); };
    const auto on_gpu = [&] { p.on_gpu = gpu_ ? solved(*gpu_) : Runs{}; };
    if (number == 1) {
      make_on_cpu(), on_cpu();
      if (gpu_) p.copied = gpu_->copy_from_host(cpu_.system(), repetitions_);
      on_gpu();
    } else if (number == 2 && gpu_) {
      make_on_gpu(), on_gpu();
      p.copied = gpu_->copy_to_host(cpu_.system(), repetitions_);
      on_cpu();
    } else if (number == 3) {
      make_on_gpu(), on_gpu(), make_on_cpu(), on_cpu();
    } else if (number == 4) {
      make_on_cpu(), on_cpu(), make_on_gpu(), on_gpu();
    }
    return p;
  }
  const Solve& last() const { return last_; }

 private:
  Runs solved(Device& device) {
    last_ = device.execute(repetitions_);
    if (!last_.converged) throw SolveError("conjugate gradients did not converge");
    return last_.runs;
  }
  Device& cpu_;
  Device* gpu_;
  int repetitions_;
  Solve last_;
};

/// Figure 8: a line of times for each size of the grid.
void print_times_over_sizes(bool cuda, const std::vector<int>& sizes, int repetitions);

}  // namespace wavesim::pozzo
