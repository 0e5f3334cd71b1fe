#ifdef WAVESIM_HAVE_CUDA

#include "kernels/comm/shared_device_rows.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "kernels/backend/cuda_check.hpp"
#include "kernels/comm/nccl_rows.hpp"
#include "kernels/comm/staged_device_rows.hpp"

namespace wavesim {

namespace {

/// Which GPU it is, among those of all hosts.
struct Gpu {
  std::array<char, 256> host{};
  std::array<char, 32> bus{};
  auto operator<=>(const Gpu&) const = default;
};
Gpu current_gpu() {
  Gpu gpu;
  gethostname(gpu.host.data(), gpu.host.size() - 1);
  int device = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetPCIBusId(gpu.bus.data(), int(gpu.bus.size()), device));
  return gpu;
}
bool each_has_its_own(Ranks& ranks) {
  std::vector<Gpu> all = ranks.all_of(current_gpu());
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) == all.end();
}

}  // namespace

std::unique_ptr<SharedRows> make_shared_device_rows(Ranks& ranks, cudaStream_t stream) {
  if (each_has_its_own(ranks))
    if (auto through_nccl = make_nccl_rows(ranks, stream)) return through_nccl;
  return std::make_unique<StagedDeviceRows>(ranks, stream);
}

}  // namespace wavesim

#endif
