// The pass that streams sweeps of the wave system.
#include "solvers/stationary/blocked_sweeps.hpp"

#include <stdexcept>

#include "kernels/backend/backend.hpp"
#ifdef __CUDACC__
#include "kernels/temporal/blocked_sweeps_cuda.hpp"
#else
#include "kernels/temporal/blocked_sweeps_host.hpp"
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
void StreamedSystem<B, T, VariableCoefficients<T>>::prepare(B& be, Extent e, const System& system,
                                                            long version) {
  if (version_ == version) return;
  if (east_.extent().nx == 0)
    for (Field<B, T>* f : {&east_, &north_, &root_}) *f = Field<B, T>(be, e);
  be.rows(
      "N = I - D^-1/2 A D^-1/2, D^1/2", e, (4 + 3) * sizeof(T),
      [=] HD(Row r, T & east, T & north, T & root) {
        const Topology& t = system.topology();
        const Point<T> at = system.coefficients.at(r);
        const auto diagonal = [&](int i) {
          Row other = r;
          other.i = i;
          return double(system.row(other).centre);
        };
        const double d = diagonal(r.i);
        east = at.east > 0 ? T(double(system.b * at.east) / sqrt(d * diagonal(t.east(r)))) : T(0);
        north = at.north > 0 ? T(double(system.b * at.north) / sqrt(d * diagonal(t.north(r)))) : T(0);
        root = T(sqrt(d));
      },
      east_.out(), north_.out(), root_.out());
  system_ = system;
  version_ = version;
}

template <class B, class T>
void StreamedSystem<B, T, VariableCoefficients<T>>::prepare_in_time(B& be, Extent e, const System& system,
                                                                    long version) {
  prepare(be, e, system, version);
  if (version_in_time_ == version) return;
  const bool damps = system.coefficients.damping != nullptr;
  if (inertia_.extent().nx == 0) {
    inertia_ = Field<B, T>(be, e);
    if (damps) heft_ = Field<B, T>(be, e);
  }
  be.rows(
      "D^-1/2 M", e, (4 + 1) * sizeof(T),
      [=] HD(Row r, T & inertia) {
        inertia = T(double(system.coefficients.mass[r.i]) / sqrt(double(system.row(r).centre)));
      },
      inertia_.out());
  if (damps)
    be.rows(
        "D^-1/2 (M + a D)", e, (4 + 1) * sizeof(T),
        [=] HD(Row r, T & heft) {
          const Point<T> at = system.coefficients.at(r);
          heft = T((double(at.mass) + double(system.a) * double(at.damping)) /
                   sqrt(double(system.row(r).centre)));
        },
        heft_.out());
  version_in_time_ = version;
}

namespace {

/// f(fields, system), where the fields bring their medium if it varies.
template <class B, class T, class Fields, class F>
void in_medium(const StreamedSystem<B, T, UniformCoefficients<T>>& A, const Fields& fields, bool, F f) {
  f(A.system(), fields);
}
template <class B, class T, class Fields, class F>
void in_medium(const StreamedSystem<B, T, VariableCoefficients<T>>& A, const Fields& fields, bool by_mass,
               F f) {
  FivePointSystem<T, UniformCoefficients<T>> place;
  place.coefficients.topology = A.system().topology();
  const auto in = [&](auto damps) {
    auto medium = A.template medium<decltype(damps)::value>();
    medium.by_mass = by_mass;
    f(place, InMedium<Fields, decltype(medium)>{medium, fields});
  };
  if (Fields::in_time && A.system().coefficients.damping)
    in(std::bool_constant<Fields::in_time>{});
  else
    in(std::false_type{});
}

}  // namespace

template <class B, class T, class Coefficients>
void stream_sweeps(B& backend, Extent e, const StreamedSystem<B, T, Coefficients>& A, const Field<B, T>& b,
                   From<B, T> from, To<B, T> to, const std::vector<ThreeTerm>& steps, Norms* norms,
                   Then then) {
  in_medium(A, MarchSolve<T>{b.data(), data(from.x), data(from.before), data(to.x), data(to.before)}, false,
            [&](const auto& system, const auto& fields) {
              backend.march("8 steps x += m (x - x_before) + w D^-1 (b - A x), |b - A x|", e, system, fields,
                            march_steps<T>(steps), norms, then);
            });
}

template <class B, class T, class Coefficients>
void stream_step(B& backend, Extent e, const StreamedSystem<B, T, Coefficients>& A, const InTime<B, T>& step,
                 const std::vector<ThreeTerm>& steps, StepNorms* norms, Then then) {
  const MarchInTime<T> fields{data(step.u),    data(step.p),    data(step.tried),
                              data(step.u_to), data(step.p_to), T(step.delta / double(A.system().b)),
                              T(step.carry),   step.whole};
  const MarchSteps<T, steps_of_a_pass> all_steps = march_steps<T>(steps);
  if (!all_steps.centred()) throw std::logic_error("steps in time are for a spectrum around 1");
  // two steps without momentum are for smooth fields (steps_in_time of chebyshev.hpp)
  const bool smooth =
      !step.tried && steps[0].momentum == 0 && steps[1].momentum == 0 && steps[0].weight == steps[1].weight;
  in_medium(A, fields, smooth, [&](const auto& system, const auto& all) {
    backend.march("u += d, p = carry d + (1 - carry) p, 8 steps on A d = M p - delta K u, |b - A d|", e,
                  system, all, all_steps, norms, then);
  });
}

#define WAVESIM_INSTANTIATE(T, C)                                                         \
  template class StreamedSystem<Backend, T, C<T>>;                                        \
  template void stream_sweeps(Backend&, Extent, const StreamedSystem<Backend, T, C<T>>&,  \
                              const Field<Backend, T>&, From<Backend, T>, To<Backend, T>, \
                              const std::vector<ThreeTerm>&, Norms*, Then);               \
  template void stream_step(Backend&, Extent, const StreamedSystem<Backend, T, C<T>>&,    \
                            const InTime<Backend, T>&, const std::vector<ThreeTerm>&, StepNorms*, Then);
WAVESIM_INSTANTIATE(double, UniformCoefficients)
WAVESIM_INSTANTIATE(float, UniformCoefficients)
WAVESIM_INSTANTIATE(double, VariableCoefficients)
WAVESIM_INSTANTIATE(float, VariableCoefficients)

}  // namespace wavesim
