// bench_flegar [--device cuda|cpu] [FILE.mtx or FOLDER ...]: batches of blocks; with files, iterations.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "bench/papers/flegar.hpp"
#include "build_facts.hpp"
#include "kernels/device.hpp"
#include "kernels/errors.hpp"

int main(int argc, char** argv) try {
  using namespace wavesim;
  namespace fs = std::filesystem;
  const std::vector<DeviceFacts> gpus = cuda_facts();
  bool cuda = !gpus.empty();
  flegar::Files files;
  for (int k = 1; k < argc; ++k) {
    if (!std::strcmp(argv[k], "--device") && k + 1 < argc)
      cuda = !std::strcmp(argv[++k], "cuda");
    else if (fs::is_directory(argv[k]))
      for (const auto& entry : fs::directory_iterator(argv[k])) {
        if (entry.path().extension() == ".mtx") files.push_back(entry.path());
      }
    else if (fs::exists(argv[k]))
      files.push_back(argv[k]);
    else
      return std::fprintf(stderr, "usage: bench_flegar [--device cuda|cpu] [FILE.mtx or FOLDER ...]\n"), 2;
  }
  std::sort(files.begin(), files.end());
  if (cuda && gpus.empty()) return std::fprintf(stderr, "bench_flegar: %s\n", why_no_cuda().c_str()), 5;
  const DeviceFacts device = cuda ? gpus.front() : cpu_facts();
  char today[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(today, sizeof today, "%Y-%m-%d", std::gmtime(&now));
  std::printf("wavesim %s (%s), %s, %s, %s\n", version, commit, today, device.name.c_str(),
              device.detail.c_str());
#ifdef WAVESIM_HAVE_CUBLAS
  if (cuda) {
    if (!files.empty()) return flegar::iterations_cuda(files), 0;
    flegar::batches_cuda();
    flegar::batches_cublas();
    return 0;
  }
#else
  if (cuda) return std::fprintf(stderr, "bench_flegar: built without CUDA and cuBLAS\n"), 5;
#endif
  if (!files.empty()) return flegar::iterations_host(files), 0;
  flegar::batches_host();
} catch (const wavesim::InputError& e) {
  return std::fprintf(stderr, "bench_flegar: %s\n", e.what()), 2;
}
