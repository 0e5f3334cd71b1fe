// bench_flegar [--device cuda|cpu] [--sizes N,N,...] [FILE.mtx or FOLDER ...]: batches of blocks; with files,
// iterations.

#include <numeric>

#include "bench/papers/flegar.hpp"

int main(int argc, char** argv) {
  using namespace wavesim;
  return run_program("bench_flegar", "[--sizes N,N,...] [FILE.mtx or FOLDER ...]", {"sizes"}, argc, argv,
                     [](const CommandLine& line) {
                       const Files files = line.matrices();
                       std::vector<int> every(32);
                       std::iota(every.begin(), every.end(), 1);
                       const std::vector<int> sizes = line.numbers("sizes", every);
                       if (*std::max_element(sizes.begin(), sizes.end()) > 32)
                         throw InputError("--sizes are at most 32");
#ifdef WAVESIM_HAVE_CUBLAS
                       if (line.cuda) {
                         if (!files.empty()) return flegar::iterations_cuda(files);
                         flegar::batches_cuda(sizes);
                         return flegar::batches_cublas(sizes);
                       }
#else
                       if (line.cuda) throw DeviceError("built without CUDA and cuBLAS");
#endif
                       if (!files.empty()) return flegar::iterations_host(files);
                       flegar::batches_host(sizes);
                     });
}
