// bench_flegar [--device cuda|cpu] [--sizes N,N,...] [--megabytes M] [FILE.mtx or FOLDER ...]: batches of
// blocks; with files, iterations.

#include <numeric>

#include "bench/papers/flegar.hpp"

int main(int argc, char** argv) {
  using namespace wavesim;
  return run_program("bench_flegar", "[--sizes N,N,...] [--megabytes M] [FILE.mtx or FOLDER ...]",
                     {"sizes", "megabytes"}, argc, argv, [](const CommandLine& line) {
                       const Files files = line.matrices();
                       std::vector<int> every(32);
                       std::iota(every.begin(), every.end(), 1);
                       flegar::Batches batches{line.numbers("sizes", every)};
                       if (*std::max_element(batches.sizes.begin(), batches.sizes.end()) > 32)
                         throw InputError("--sizes are at most 32");
                       if (line.options.count("megabytes")) {
                         batches.megabytes = line.number("megabytes", 0);
                         if (batches.megabytes > 8000)  // entries are counted in an int
                           throw InputError("--megabytes are at most 8000");
                       }
#ifdef WAVESIM_HAVE_CUBLAS
                       if (line.cuda) {
                         if (!files.empty()) return flegar::iterations_cuda(files);
                         flegar::batches_cuda(batches);
                         return flegar::batches_cublas(batches);
                       }
#else
                       if (line.cuda) throw DeviceError("built without CUDA and cuBLAS");
#endif
                       if (!files.empty()) return flegar::iterations_host(files);
                       flegar::batches_host(batches);
                     });
}
