// The pass that streams sweeps of the wave system.
#include "solvers/streamed.hpp"

#include "kernels/backend.hpp"
#ifdef __CUDACC__
#include "kernels/march_cuda.hpp"
#else
#include "kernels/march_host.hpp"
#endif

namespace wavesim {

namespace {

template <class T>
MarchSteps<T, steps_of_a_pass> march_steps(const std::vector<ThreeTerm>& steps) {
  MarchSteps<T, steps_of_a_pass> s;
  for (int k = 0; k < steps_of_a_pass; ++k) s.set(k, steps[k].momentum, steps[k].weight);
  return s;
}

template <class B, class T>
T* data(Field<B, T>* f) {
  return f ? f->data() : nullptr;
}
template <class B, class T>
const T* data(const Field<B, T>* f) {
  return f ? f->data() : nullptr;
}

}  // namespace

template <class B, class T>
void stream_sweeps(B& backend, Extent e, const FivePointSystem<T, UniformCoefficients<T>>& system,
                   const Field<B, T>& b, From<B, T> from, To<B, T> to, const std::vector<ThreeTerm>& steps,
                   Norms* norms, Then then) {
  const MarchSolve<T> fields{b.data(), data(from.x), data(from.before), data(to.x), data(to.before)};
  backend.march("8 steps x += m (x - x_before) + w D^-1 (b - A x), |b - A x|", e, system, fields,
                march_steps<T>(steps), norms, then);
}

template <class B, class T>
void stream_step(B& backend, Extent e, const FivePointSystem<T, UniformCoefficients<T>>& system,
                 const InTime<B, T>& step, const std::vector<ThreeTerm>& steps, StepNorms* norms, Then then) {
  const MarchInTime<T> fields{data(step.u),    data(step.p),    data(step.tried),
                              data(step.u_to), data(step.p_to), T(step.delta / double(system.b)),
                              T(step.carry),   step.whole};
  backend.march("u += d, p = carry d + (1 - carry) p, 8 steps on A d = M p - delta K u, |b - A d|", e, system,
                fields, march_steps<T>(steps), norms, then);
}

#define WAVESIM_INSTANTIATE(T)                                                                     \
  template void stream_sweeps(Backend&, Extent, const FivePointSystem<T, UniformCoefficients<T>>&, \
                              const Field<Backend, T>&, From<Backend, T>, To<Backend, T>,          \
                              const std::vector<ThreeTerm>&, Norms*, Then);                        \
  template void stream_step(Backend&, Extent, const FivePointSystem<T, UniformCoefficients<T>>&,   \
                            const InTime<Backend, T>&, const std::vector<ThreeTerm>&, StepNorms*, Then);
WAVESIM_INSTANTIATE(double)
WAVESIM_INSTANTIATE(float)

}  // namespace wavesim
