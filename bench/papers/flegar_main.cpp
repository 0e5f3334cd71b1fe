// bench_flegar [--device cuda|cpu] [--largest N] [FILE.mtx or FOLDER ...]: batches of blocks; with files,
// iterations.

#include "bench/papers/flegar.hpp"

int main(int argc, char** argv) {
  using namespace wavesim;
  return run_program("bench_flegar", "[--largest N] [FILE.mtx or FOLDER ...]", {"largest"}, argc, argv,
                     [](const CommandLine& line) {
                       const Files files = line.matrices();
                       const int largest = std::min(line.number("largest", 32), 32);
#ifdef WAVESIM_HAVE_CUBLAS
                       if (line.cuda) {
                         if (!files.empty()) return flegar::iterations_cuda(files);
                         flegar::batches_cuda(largest);
                         return flegar::batches_cublas(largest);
                       }
#else
                       if (line.cuda) throw DeviceError("built without CUDA and cuBLAS");
#endif
                       if (!files.empty()) return flegar::iterations_host(files);
                       flegar::batches_host(largest);
                     });
}
