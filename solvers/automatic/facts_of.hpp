#pragma once
#include <algorithm>

#include "solvers/automatic/cost_model.hpp"
#include "solvers/direct/rectangle.hpp"
#include "solvers/krylov/cg_onchip.hpp"

namespace wavesim {

/// What estimates need to know of an operator; its bounds are those of Gershgorin.
template <class B, class T>
SystemFacts facts_of(B& be, const Operator<B, T>& A, bool fused_steps) {
  SystemFacts f;
  const Extent e = A.extent();
  f.gpu = B::asynchronous;
  f.on_ranks = !e.whole();
  f.matrix = A.facts();
  f.points = double(e.nx) * e.ny;
  f.nx = e.nx;
  f.ny = e.ny;
  f.word = sizeof(T);
  f.stored = A.stores_product();
  f.blocked_sweeps = A.blocked_sweep_count();
  f.fused_steps = fused_steps;
  const WaveSystemFacts<T>* system = A.wave_system();
  if (f.matrix.rectangle) {
    f.transforms_loaded = Dft<B, T>::loaded();
    const AxisModes modes(rectangle_of(be, A).x);
    for (const auto& piece : modes.pieces()) f.transformed = std::max(f.transformed, double(piece.length));
  }
  if (f.matrix.structure != Structure::any) {
    Buffer<B, Bounds> bounds(be, 1);
    A.gershgorin(bounds.data());
    f.bounds = bounds.download()[0];
  }
  if (!system) {
    f.row_bytes = A.matrix_bytes() / f.points;
    return f;
  }
  f.row_bytes = f.stored          ? A.matrix_bytes() / f.points
                : system->uniform ? 0
                                  : VariableCoefficients<T>::words * sizeof(T);
  f.on_chip = Slabs(e).fit<T>(e);
  return f;
}

}  // namespace wavesim
