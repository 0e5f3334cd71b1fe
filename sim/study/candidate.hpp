#pragma once
// One solver of a study.

#include "sim/config/config.hpp"

namespace wavesim {

struct Candidate {
  std::string name;  // "cg+jacobi csr": what tells it from the others
  SolverConfig solver;
  std::string precision;  // double | single | mixed
  SolverOptions options() const;
  /// The name of the guess with its number: "extrapolate 1".
  std::string guess() const;
};

/// The candidates of the config's study, each with a name of its own. `matrix`: what the systems of the run
/// are. Those that do not fit are among them, for the study to say so, unless `all` stands for them.
std::vector<Candidate> expand_candidates(const Config&, const MatrixFacts& matrix);

/// The candidate as a piece of config to paste: `solver: {...}` in YAML, and `precision: ...` before it if
/// that is not the run's.
std::string candidate_yaml(const Candidate&, const Config& run);

}  // namespace wavesim
