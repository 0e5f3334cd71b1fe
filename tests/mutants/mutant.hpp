#pragma once
// Included before every source of a build with mutants (mutants.py): which of them this process runs with.

#include <cstdlib>

namespace wavesim_mutants {

/// The number of the mutant, 0: none. From the environment, so that one program serves all of them.
inline const int chosen = [] {
  const char* const number = std::getenv("WAVESIM_MUTANT");
  return number ? std::atoi(number) : 0;
}();

/// A symbol of each program that mutant's code is in.
template <int number>
inline const bool linked = chosen == number;

template <int number>
bool mutant() {
  return linked<number>;
}

}  // namespace wavesim_mutants
