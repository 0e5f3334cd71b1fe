#pragma once
// The four ways a run can fail. Each has its own exit status, printed by apps/ as one sentence.

#include <stdexcept>
#include <string>

namespace wavesim {

/// Anything wrong that is found before the first step in the command line, the config or the files it
/// names. Exit status 2. The text is one sentence: where, what, what to do.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A solve failed or the state is not finite. Exit status 3.
struct SolveError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reading or writing failed after the first step began. Exit status 4.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The device failed (out of memory, no kernel image, lost). Exit status 5.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace wavesim
