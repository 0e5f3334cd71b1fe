// The pass that streams sweeps of the wave system.
#include "solvers/streamed.hpp"

#include "kernels/backend.hpp"
#include "kernels/march.hpp"

namespace wavesim {

template <class B, class T>
void stream_sweeps(B& backend, Extent e, const FivePointSystem<T, UniformCoefficients<T>>& system,
                   const Field<B, T>& b, From<B, T> from, To<B, T> to, const std::vector<ThreeTerm>& steps,
                   Norms* norms, Then then) {
  MarchFields<T> fields;
  fields.b = b.data();
  fields.x = from.x ? from.x->data() : nullptr;
  fields.before = from.before ? from.before->data() : nullptr;
  fields.x_to = to.x->data();
  fields.before_to = to.before ? to.before->data() : nullptr;
  MarchSteps<T, steps_of_a_pass> s;
  for (int k = 0; k < steps_of_a_pass; ++k) {
    s.momentum[k] = T(steps[k].momentum);
    s.weight[k] = T(steps[k].weight);
  }
  backend.march("8 steps x += m (x - x_before) + w D^-1 (b - A x), |b - A x|", e, system, fields, s, norms,
                then);
}

#define WAVESIM_INSTANTIATE(T)                                                                     \
  template void stream_sweeps(Backend&, Extent, const FivePointSystem<T, UniformCoefficients<T>>&, \
                              const Field<Backend, T>&, From<Backend, T>, To<Backend, T>,          \
                              const std::vector<ThreeTerm>&, Norms*, Then);
WAVESIM_INSTANTIATE(double)
WAVESIM_INSTANTIATE(float)

}  // namespace wavesim
