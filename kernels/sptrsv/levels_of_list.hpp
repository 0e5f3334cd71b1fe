#pragma once
// The depth of each element of a list in the order of its dependencies: 0 for one that waits for nobody, else
// one more than the deepest that it waits for (level scheduling: Saad, Iterative Methods, 11.6.3).

#include "kernels/backend/access.hpp"

namespace wavesim {

class Host;
class Cuda;

/// depth[i] for i = 0 .. n - 1, which wait for those among their neighbours with a lower index, with a higher
/// one if not `forward`.
void levels_of(Host& be, int n, bool forward, Dependencies on, int* depth);
void levels_of(Cuda& be, int n, bool forward, Dependencies on, int* depth);

}  // namespace wavesim
