#ifdef WAVESIM_HAVE_CUDA

#include "kernels/comm/shared_device_rows.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "kernels/backend/cuda_check.hpp"
#include "kernels/backend/errors.hpp"
#include "kernels/comm/nccl_rows.hpp"
#include "kernels/comm/peer_rows.hpp"
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

/// The ways, the fastest first. WAVESIM_EXCHANGE in the environment of the first rank names the first one to try, so that they
/// can be compared.
enum class Way { kernels, nccl, host, unknown };
Way first_to_try(Ranks& ranks) {
  const char* const value = std::getenv("WAVESIM_EXCHANGE");
  const std::string named = value ? value : "";
  Way way = named.empty() || named == "kernels" ? Way::kernels
            : named == "nccl"                   ? Way::nccl
            : named == "host"                   ? Way::host
                                                : Way::unknown;
  ranks.broadcast(&way, sizeof way);
  if (way == Way::unknown)
    throw InputError("WAVESIM_EXCHANGE in the environment is " + named +
                     "; it may be one of: kernels, nccl, host");
  return way;
}

}  // namespace

std::unique_ptr<SharedRows> make_shared_device_rows(Ranks& ranks, cudaStream_t stream) {
  const Way way = first_to_try(ranks);
  if (way != Way::host && each_has_its_own(ranks)) {
    if (way == Way::kernels)
      if (auto by_kernels = make_peer_rows(ranks, stream)) return by_kernels;
    if (auto through_nccl = make_nccl_rows(ranks, stream)) return through_nccl;
  }
  return std::make_unique<StagedDeviceRows>(ranks, stream);
}

}  // namespace wavesim

#endif
