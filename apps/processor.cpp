// A program that was built for other machines says in a sentence that this processor is too old for it, where it would
// else die of an instruction. This file alone is compiled for every x86-64 (cmake/WavesimProcessor.cmake).

#ifdef WAVESIM_BASELINE

#include <unistd.h>

namespace {

/// The status of a device that fails, as in wavesim.cpp.
constexpr int device_failed = 5;

/// Before the constructors of other files, which may use such instructions.
[[gnu::constructor(101)]] void refuse_older_processors() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports(WAVESIM_BASELINE)) return;
  constexpr char sentence[] = "wavesim: this processor does not know all instructions of " WAVESIM_BASELINE
                              ", for which this program was built; build it on this machine, as "
                              "docs/install.md of its sources says\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, sentence, sizeof sentence - 1);
  _exit(device_failed);
}

}  // namespace

#endif
