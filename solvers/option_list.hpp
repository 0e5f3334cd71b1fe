#pragma once
// The options of methods and preconditioners, each stated once.

#include "solvers/options.hpp"

namespace wavesim::option {

inline const Option relaxation{"relaxation", "weight of an update", 1, 0.001, 2, false};

inline const Option block{"block", "rows of a diagonal block, at most", 32, 1, 32};
inline const Option blocks{"blocks",
                           "blocks of that many rows, or of neighbouring rows with the same pattern",
                           0,
                           0,
                           0,
                           false,
                           {"fixed", "supervariable"}};
inline const Option block_variant{"variant", "explicit inverses of the blocks, or factors", 0, 0, 0,
                                  false,     {"gauss-jordan", "lu", "gauss-huard"}};
inline const Option block_storage{
    "storage",
    "precision of the inverses in memory; adaptive: each as its condition number allows",
    0,
    0,
    0,
    false,
    {"double", "single", "half", "adaptive"}};

}  // namespace wavesim::option
