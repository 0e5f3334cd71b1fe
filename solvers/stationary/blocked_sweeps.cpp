// Blocked sweeps of the wave system.
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

template <class T, class Coefficients>
auto sweep_coefficients(const std::vector<ThreeTerm>& steps) {
  constexpr int K = sweeps_of_a_pass<typename Coefficients::Stencil>;
  SweepCoefficients<T, K> s;
  for (int k = 0; k < K; ++k) s.set(k, steps[k].momentum, steps[k].weight);
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
void BlockedSystem<B, T, VariableCoefficients<T>>::prepare(B& be, Extent e, const System& system,
                                                           long version) {
  if (version_ == version) return;
  if (east_.extent().nx == 0)
    for (Field<B, T>* f : {&east_, &north_, &sqrt_diagonal_}) *f = Field<B, T>(be, e);
  be.rows(
      "N = I - D^-1/2 A D^-1/2, D^1/2", e, (4 + 3) * sizeof(T),
      [=] KERNEL(Row r, T & east, T & north, T & sqrt_diagonal) {
        const Topology& t = system.topology();
        const Point<T> at = system.coefficients.at(r);
        const auto diagonal = [&](int i) {
          Row other = r;
          other.i = i;
          return double(system.row(other)[FivePoint::centre]);
        };
        const double d = diagonal(r.i);
        east = at.east > 0 ? T(double(system.b * at.east) / sqrt(d * diagonal(t.east(r)))) : T(0);
        north = at.north > 0 ? T(double(system.b * at.north) / sqrt(d * diagonal(t.north(r)))) : T(0);
        sqrt_diagonal = T(sqrt(d));
      },
      east_.out(), north_.out(), sqrt_diagonal_.out());
  be.fetch_ghosts(ghosts_of_a_pass<FivePoint>, east_, north_, sqrt_diagonal_);
  system_ = system;
  version_ = version;
}

template <class B, class T>
void BlockedSystem<B, T, VariableCoefficients<T>>::prepare_fused_steps(B& be, Extent e, const System& system,
                                                                       long version) {
  prepare(be, e, system, version);
  if (fused_version_ == version) return;
  const bool damps = system.coefficients.damped();
  if (scaled_mass_.extent().nx == 0) {
    scaled_mass_ = Field<B, T>(be, e);
    if (damps) scaled_damped_mass_ = Field<B, T>(be, e);
  }
  be.rows(
      "D^-1/2 M", e, (4 + 1) * sizeof(T),
      [=] KERNEL(Row r, T & scaled_mass) {
        scaled_mass =
            T(double(system.coefficients.mass[r.i]) / sqrt(double(system.row(r)[FivePoint::centre])));
      },
      scaled_mass_.out());
  be.fetch_ghosts(ghosts_of_a_pass<FivePoint>, scaled_mass_);
  if (damps) {
    be.rows(
        "D^-1/2 (M + a D)", e, (4 + 1) * sizeof(T),
        [=] KERNEL(Row r, T & scaled_damped_mass) {
          const Point<T> at = system.coefficients.at(r);
          scaled_damped_mass = T((double(at.mass) + double(system.a) * double(at.damping)) /
                                 sqrt(double(system.row(r)[FivePoint::centre])));
        },
        scaled_damped_mass_.out());
    be.fetch_ghosts(ghosts_of_a_pass<FivePoint>, scaled_damped_mass_);
  }
  fused_version_ = version;
}

template <class B, class T>
void BlockedSystem<B, T, NinePointCoefficients<T>>::prepare(B& be, Extent e, const System& system,
                                                            long version) {
  if (version_ == version) return;
  const NinePointMatrix<T> A = system.A;
  if (inverse_.extent().nx == 0) {
    inverse_ = Field<B, T>(be, e);
    if constexpr (B::asynchronous) composed_ = ComposedSweeps<B, T>(be, e);
  }
  be.rows(
      "D^-1", e, sizeof(T), [=] KERNEL(Row r, T & inverse) { inverse = T(1) / A.centre[r.i]; },
      inverse_.out());
  be.fetch_ghosts(ghosts_of_a_pass<NinePoint>, inverse_);
  medium_.topology_ = system.topology();
  medium_.A = A;
  medium_.b = T(system.b);
  medium_.inverse = inverse_.data();
  if (!searched_) find_constant_stiffness(be, e, system.coefficients);
  searched_ = true;
  version_ = version;
}

template <class B, class T>
void BlockedSystem<B, T, NinePointCoefficients<T>>::find_constant_stiffness(
    B& be, Extent e, const NinePointCoefficients<T>& c) {
  constant_ = Buffer<B, ConstantStiffness<T>>(be, std::size_t(e.ny));
  be.template groups<32>("columns where K is constant", e.ny,
                         double(e.own_points()) * (c.damped() ? 15 : 10) * sizeof(T),
                         FindConstantStiffness<T>{c, e, ghosts_of_a_pass<NinePoint>, constant_.data()});
  long columns = 0, own_columns = 0;
  const std::vector<ConstantStiffness<T>> found = constant_.download();
  for (int row = 0; row < e.ny; ++row) {
    columns += found[std::size_t(row)].columns();
    if (row >= e.first_own && row < e.end_own()) own_columns += found[std::size_t(row)].columns();
  }
  if (columns == 0) return;
  mass_ = Field<B, T>(be, e);
  const NinePointMatrix<T> M = c.mass;
  // In ghost rows, too, of which other ranks send nothing: those without such columns have left this.
  be.rows_with_ghosts(
      "m / 288", Rows{e}, ghosts_of_a_pass<NinePoint>, sizeof(T),
      [=] KERNEL(Row r, T & mass) { mass = mass_over_288(M.centre[r.i]); }, mass_.out());
  medium_.mass = mass_.data();
  medium_.constant = constant_.data();
  medium_.constant_part = double(own_columns) / double(e.own_points());
}

template <class B, class T>
void BlockedSystem<B, T, NinePointCoefficients<T>>::prepare_fused_steps(B& be, Extent e, const System& system,
                                                                        long version) {
  prepare(be, e, system, version);
  if (fused_version_ == version) return;
  const NinePointCoefficients<T>& c = system.coefficients;
  if (weight_.extent().nx == 0) weight_ = Field<B, T>(be, e);
  const NinePointMatrix<T> A = system.A, M = c.mass;
  be.rows(
      "D / sum of M", Rows{e}, 6 * sizeof(T),
      [=] KERNEL(Row r, T & weight) {
        const StencilRow<T, NinePoint> mass = M.row(r);
        T sum = 0;
        UNROLL for (int k = 0; k < NinePoint::points; ++k) sum += mass[k];
        weight = A.centre[r.i] / sum;
      },
      weight_.out());
  be.fetch_ghosts(ghosts_of_a_pass<NinePoint>, weight_);
  medium_.K = c.stiffness;
  if (c.damped()) medium_.damping = c.damping;
  damping_ = c.damped() ? 2 * system.a : 0;
  medium_.weight = weight_.data();
  fused_version_ = version;
}

namespace {

/// f(fields, system), where the fields bring their medium if it varies.
template <class B, class T, class Coefficients, class Fields, class F>
void in_medium(const BlockedSystem<B, T, Coefficients>& A, const Fields& fields, bool, F f) {
  f(A.system(), fields);
}
template <class B, class T, class Fields, class F>
void in_medium(const BlockedSystem<B, T, VariableCoefficients<T>>& A, const Fields& fields, bool by_mass,
               F f) {
  WaveSystem<T, UniformCoefficients<T>> place;
  place.coefficients.topology = A.system().topology();
  const auto in = [&](auto damps) {
    auto medium = A.template medium<decltype(damps)::value>();
    medium.by_mass = by_mass;
    f(place, InMedium<Fields, decltype(medium)>{medium, fields});
  };
  if (Fields::is_step && A.system().coefficients.damped())
    in(std::bool_constant<Fields::is_step>{});
  else
    in(std::false_type{});
}

template <class B, class T, class Fields, class F>
void in_medium(const BlockedSystem<B, T, NinePointCoefficients<T>>& A, const Fields& fields, bool by_mass,
               F f) {
  WaveSystem<T, UniformCoefficients<T>> place;
  place.coefficients.topology = A.medium().topology();
  NinePointMedium<T> medium = A.medium();
  medium.by_mass = by_mass;
  f(place, InMedium<Fields, NinePointMedium<T>>{medium, fields});
}

/// Whether passes are taken sweep by sweep: on a GPU there is no front for a varying medium of nine points.
template <class B, class Coefficients>
inline constexpr bool composes = false;
template <class B, class T>
inline constexpr bool composes<B, NinePointCoefficients<T>> = B::asynchronous;

}  // namespace

template <class B, class T, class Coefficients>
void run_blocked_sweeps(B& backend, Extent e, const BlockedSystem<B, T, Coefficients>& A,
                        const Field<B, T>& b, From<B, T> from, To<B, T> to,
                        const std::vector<ThreeTerm>& steps, Norms* norms, Epilogue then) {
  const auto all_steps = sweep_coefficients<T, Coefficients>(steps);
  backend.template fetch_ghosts<T>(ghosts_of_a_pass<typename Coefficients::Stencil>,
                                   {&b, from.x, from.before});
  const BlockedSolve<T> solve{b.data(), data(from.x), data(from.before), data(to.x), data(to.before)};
  if constexpr (composes<B, Coefficients>)
    A.composed().solve(A.medium(), solve, all_steps, norms, then);
  else
    in_medium(A, solve, false, [&](const auto& system, const auto& fields) {
      backend.blocked_sweeps("steps x += m (x - x_before) + w D^-1 (b - A x), |b - A x|", e, system, fields,
                             all_steps, norms, then);
    });
}

template <class B, class T, class Coefficients>
void run_fused_step(B& backend, Extent e, const BlockedSystem<B, T, Coefficients>& A,
                    const FusedStep<B, T>& step, const std::vector<ThreeTerm>& steps, StepNorms* norms,
                    Epilogue then) {
  const auto all_steps = sweep_coefficients<T, Coefficients>(steps);
  backend.template fetch_ghosts<T>(ghosts_of_a_pass<typename Coefficients::Stencil>,
                                   {step.u, step.p, step.force, step.tried});
  if (!all_steps.centred()) throw std::logic_error("steps in time are for a spectrum around 1");
  // two steps without momentum are for smooth fields (fused_step_sweeps of chebyshev.hpp)
  const bool smooth =
      !step.tried && steps[0].momentum == 0 && steps[1].momentum == 0 && steps[0].weight == steps[1].weight;
  const auto pass = [&](const char* label, const auto& fields) {
    if constexpr (composes<B, Coefficients>) {
      NinePointMedium<T> medium = A.medium();
      medium.by_mass = smooth;
      A.composed().step(medium, fields, all_steps, norms, then);
    } else {
      in_medium(A, fields, smooth, [&](const auto& system, const auto& all) {
        backend.blocked_sweeps(label, e, system, all, all_steps, norms, then);
      });
    }
  };
  if constexpr (std::is_same_v<typename Coefficients::Stencil, NinePoint>)
    pass("p += e, u += p, steps on A e = -delta K u + force, |b - A e|",
         BlockedThreeLevelStep<T>{data(step.u), data(step.p), data(step.force), data(step.tried),
                                  data(step.u_to), data(step.p_to), T(step.delta), step.whole,
                                  T(A.damping())});
  else
    pass("u += d, p = carry d + (1 - carry) p, steps on A d = M p - delta K u, |b - A d|",
         BlockedStep<T>{data(step.u), data(step.p), data(step.tried), data(step.u_to), data(step.p_to),
                        T(step.delta / double(A.system().b)), T(step.carry), step.whole});
}

#define WAVESIM_INSTANTIATE(T, C)                                                                       \
  template class BlockedSystem<Backend, T, C<T>>;                                                       \
  template void run_blocked_sweeps(Backend&, Extent, const BlockedSystem<Backend, T, C<T>>&,            \
                                   const Field<Backend, T>&, From<Backend, T>, To<Backend, T>,          \
                                   const std::vector<ThreeTerm>&, Norms*, Epilogue);                    \
  template void run_fused_step(Backend&, Extent, const BlockedSystem<Backend, T, C<T>>&,                \
                               const FusedStep<Backend, T>&, const std::vector<ThreeTerm>&, StepNorms*, \
                               Epilogue);
WAVESIM_INSTANTIATE(double, UniformCoefficients)
WAVESIM_INSTANTIATE(float, UniformCoefficients)
WAVESIM_INSTANTIATE(double, VariableCoefficients)
WAVESIM_INSTANTIATE(float, VariableCoefficients)
WAVESIM_INSTANTIATE(double, UniformNinePointCoefficients)
WAVESIM_INSTANTIATE(float, UniformNinePointCoefficients)
WAVESIM_INSTANTIATE(double, NinePointCoefficients)
WAVESIM_INSTANTIATE(float, NinePointCoefficients)

}  // namespace wavesim
