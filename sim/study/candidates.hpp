#pragma once
// How the solvers that a study compares are written: candidates: all | {method: ...} | {methods: [...]}, or a
// list of these.

#include "sim/config/section.hpp"
#include "solvers/catalogue/catalogue.hpp"

namespace wavesim {

struct Config;
struct Candidate;

/// One entry of `candidates`: one solver or several.
struct Candidates : Configured {
  /// Appends them. What is not given is that of the run; `matrix` is what the run's systems are.
  virtual void add(const Config& run, const MatrixFacts& matrix, std::vector<Candidate>& to) const = 0;
};

}  // namespace wavesim
