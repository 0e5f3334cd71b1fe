#pragma once
#include <string>

namespace wavesim {

/// What a user chooses about a solve; names as in catalogue.hpp.
struct SolverOptions {
  std::string method = "cg";
  std::string preconditioner = "none";
  double tolerance = 1e-6;
  std::string norm = "increment";  // relative-2 | max
  int max_iterations = 500;
  double relaxation = 1;  // weight of jacobi's update
};

}  // namespace wavesim
