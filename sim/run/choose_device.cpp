#include "sim/run/choose_device.hpp"

#include "kernels/backend/errors.hpp"

namespace wavesim {

DeviceFacts choose_device(const std::string& wanted) {
  if (wanted == "cpu") return cpu_facts();
  const std::vector<DeviceFacts> gpus = cuda_facts();
  if (!gpus.empty()) return gpus.front();
  if (wanted == "cuda")
    throw DeviceError("device cuda was asked for, but " + why_no_cuda() + "; or run with --device cpu");
  return cpu_facts();
}

void require_format(const SolverConfig& solver, const DeviceFacts& device) {
  const std::string why = device.kind == "cpu" ? unavailable_on_cpu(solver.format) : "";
  if (!why.empty()) solver.where.fail(why);
}

}  // namespace wavesim
