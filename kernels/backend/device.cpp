#include "kernels/backend/device.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <utility>

#ifdef WAVESIM_HAVE_CUDA
#include <cuda_runtime_api.h>
#endif

namespace wavesim {

namespace {

/// What programs can have without swapping; caches of files count as free.
std::size_t available_memory(std::size_t otherwise) {
  std::ifstream info("/proc/meminfo");
  std::size_t kilobytes = 0;
  for (std::string key, rest; info >> key; std::getline(info, rest))
    if (key == "MemAvailable:" && info >> kilobytes) return kilobytes * 1024;
  return otherwise;
}

/// What the limit of this process' control group leaves: containers and batch systems set one.
std::size_t left_to_group() {
  constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  std::ifstream groups("/proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line) && line.rfind("0::", 0) != 0) {
  }
  if (line.size() < 3) return no_limit;
  const std::string folder = "/sys/fs/cgroup" + line.substr(3);
  const auto number = [&](const char* file) {
    std::ifstream in(folder + "/" + file);
    std::size_t bytes = 0;
    return in >> bytes ? bytes : no_limit;
  };
  const std::size_t limit = number("memory.max"), used = number("memory.current");
  if (limit == no_limit || used == no_limit) return no_limit;
  std::ifstream kinds(folder + "/memory.stat");
  std::size_t cached = 0;
  for (std::string key; kinds >> key;) {
    std::size_t bytes = 0;
    kinds >> bytes;
    if (key == "inactive_file") cached = bytes;
  }
  const std::size_t held = used > cached ? used - cached : 0;
  return limit > held ? limit - held : 0;
}

}  // namespace

DeviceFacts cpu_facts() {
  DeviceFacts facts;
  facts.kind = "cpu";
  facts.name = "CPU";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
      facts.name = line.substr(line.find(": ") + 2);
      break;
    }
  facts.units = omp_get_max_threads();
  const long page = sysconf(_SC_PAGESIZE);
  facts.memory = std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(page);
  facts.free = std::min(available_memory(facts.memory), left_to_group());
  facts.detail = std::to_string(facts.units) + (facts.units == 1 ? " thread" : " threads");
  return facts;
}

void expect_many_streams() {
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", std::to_string(most_streams_at_once).c_str(), 0);
#ifdef WAVESIM_HAVE_CUDA
  cudaSetDeviceFlags(
      cudaDeviceScheduleBlockingSync);  // threads that spin would take the cores from each other
#endif
}

bool nccl_is_built() {
#ifdef WAVESIM_HAVE_NCCL
  return true;
#else
  return false;
#endif
}

#ifdef WAVESIM_HAVE_CUDA

namespace {
std::string dotted(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}
}  // namespace

int cuda_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

DeviceFacts use_cuda_device(int k) {
  DeviceFacts facts;
  cudaDeviceProp p{};
  if (cudaGetDeviceProperties(&p, k) != cudaSuccess) return facts;
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  facts.name = p.name;
  facts.kind = "cuda";
  facts.units = p.multiProcessorCount;
  facts.memory = p.totalGlobalMem;
  if (cudaSetDevice(k) == cudaSuccess) cudaMemGetInfo(&facts.free, &facts.memory);
  facts.detail = "compute capability " + std::to_string(p.major) + "." + std::to_string(p.minor) +
                 ", driver " + dotted(driver) + ", runtime " + dotted(runtime);
  return facts;
}

std::vector<DeviceFacts> cuda_facts() {
  std::vector<DeviceFacts> all;
  for (int k = 0, count = cuda_count(); k < count; ++k)
    if (DeviceFacts facts = use_cuda_device(k); !facts.kind.empty()) all.push_back(std::move(facts));
  if (!all.empty()) cudaSetDevice(0);
  return all;
}

std::string why_no_cuda() {
  int count = 0;
  const cudaError_t e = cudaGetDeviceCount(&count);
  if (e == cudaSuccess && count > 0) return "";
  return std::string("no CUDA device answers: ") + (e == cudaSuccess ? "none found" : cudaGetErrorString(e));
}

#else

std::vector<DeviceFacts> cuda_facts() { return {}; }
int cuda_count() { return 0; }
DeviceFacts use_cuda_device(int) { return {}; }
std::string why_no_cuda() { return "this build of wavesim has no CUDA; build it with ./dev build --cuda"; }

#endif

}  // namespace wavesim
