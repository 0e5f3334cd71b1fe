#pragma once

#include <string>

namespace wavesim {

inline constexpr int most_solutions = 7;  // and one more sum: what a reduction of a backend may hold

/// How the guess of a solve is made, and from how much.
struct GuessOptions {
  std::string kind = "previous";  // extrapolate | projection
  int degree = 0;                 // of the extrapolation in time
  int solutions = 4;              // that the projection keeps
  bool operator==(const GuessOptions&) const = default;
};

}  // namespace wavesim
