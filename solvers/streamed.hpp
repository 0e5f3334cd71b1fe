#pragma once
// Several sweeps of a three-term recurrence in one pass over memory (kernels/march.hpp), for operators that
// compute their rows. Defined in registry/streamed.cpp: the kernels are long, and compiled once.

#include "solvers/operator.hpp"

namespace wavesim {

/// As many as registers hold.
inline constexpr int steps_of_a_pass = 8;

/// `steps_of_a_pass` steps x <- x + m (x - x_before) + w D^-1 (b - A x), with the norms of b - A x after the
/// last; A = M + a D + b K in a uniform medium.
template <class B, class T>
void stream_sweeps(B& backend, Extent e, const FivePointSystem<T, UniformCoefficients<T>>& system,
                   const Field<B, T>& b, From<B, T> from, To<B, T> to, const std::vector<ThreeTerm>& steps,
                   Norms* norms, Then then);

/// The same for a step in time, whose right-hand side is made in the pass.
template <class B, class T>
void stream_step(B& backend, Extent e, const FivePointSystem<T, UniformCoefficients<T>>& system,
                 const InTime<B, T>& step, const std::vector<ThreeTerm>& steps, StepNorms* norms, Then then);

}  // namespace wavesim
