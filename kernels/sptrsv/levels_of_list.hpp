#pragma once
// Level analysis of a list (level scheduling: Saad, Iterative Methods, 11.6.3): an element that depends on no
// other has level 0; any other element has one level more than the highest level that it depends on.

#include "kernels/backend/access.hpp"

namespace wavesim {

class Host;
class Cuda;

/// level[i] for i = 0 .. n - 1. An element depends on those of its neighbours that have a lower index, or a
/// higher one if not `forward`.
void levels_of(Host& be, int n, bool forward, Dependencies on, int* level);
void levels_of(Cuda& be, int n, bool forward, Dependencies on, int* level);

}  // namespace wavesim
