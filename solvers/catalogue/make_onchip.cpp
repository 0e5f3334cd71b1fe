// Methods whose vectors stay on the chip.
#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/krylov/cg_onchip.hpp"

namespace wavesim {

template <class B, class T>
Methods<B, T> onchip_methods() {
  return {
      {{.name = "cg-onchip",
        .text = "conjugate gradients with all vectors on the chip; up to a million unknowns on a GPU",
        .work = {.kept = 1, .moved = 1, .kernels = 1},
        .structure = Structure::wave_system,
        .symmetric = true,
        .preconditioned = false,
        .reads_rows = true,
        .best_for = "a million unknowns on a GPU",
        .for_wave = {{2, CostModel::on_chip}}},
       make_method<CgOnChip<B, T>>},
  };
}

WAVESIM_METHODS(onchip_methods)

}  // namespace wavesim
