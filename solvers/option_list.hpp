#pragma once
// The options of methods and preconditioners, each stated once.

#include "solvers/options.hpp"

namespace wavesim::option {

inline const Option relaxation{"relaxation", "weight of an update", 1, 0.001, 2, false};
inline const Option restart{"restart", "columns that gmres and fgmres keep before they start again", 30, 1,
                            1000};
inline const Option subspace{"subspace", "shadow vectors of idr", 4, 1, 8};
inline const Option directions{"directions", "that fcg makes a new one orthogonal to", 4, 1, 8};

}  // namespace wavesim::option
