#pragma once
// The coefficients in a backend's memory and precision.

#include <type_traits>

#include "kernels/memory/field.hpp"
#include "kernels/numbers/in_precision.hpp"
#include "sim/model/coefficients.hpp"

namespace wavesim {

/// Either kind of coefficients, made from the host's. Kernels take `view()`.
template <class B, class T, class Coefficients>
class MediumOn;

template <class B, class T>
class MediumOn<B, T, UniformCoefficients<T>> {
 public:
  MediumOn(B&, const Unknowns&, const HostCoefficients& host) : view_(in_precision<T>(host.uniform)) {}
  const UniformCoefficients<T>& view() const { return view_; }

 private:
  UniformCoefficients<T> view_;
};

template <class B, class T>
class MediumOn<B, T, VariableCoefficients<T>> {
 public:
  MediumOn(B& backend, const Unknowns& unknowns, const HostCoefficients& host)
      : mass_(field(backend, unknowns.extent, host.mass)),
        damping_(host.damping.empty() ? Field<B, T>() : field(backend, unknowns.extent, host.damping)),
        east_(field(backend, unknowns.extent, host.east)),
        north_(field(backend, unknowns.extent, host.north)),
        view_{unknowns.topology, mass_.data(), host.damping.empty() ? nullptr : damping_.data(), east_.data(),
              north_.data()} {}
  const VariableCoefficients<T>& view() const { return view_; }

 private:
  static Field<B, T> field(B& backend, Extent e, const Array<double>& v) {
    Field<B, T> f(backend, e);
    if constexpr (std::is_same_v<T, double>) {
      backend.upload(f.memory().data(), v.data(), v.size());
    } else {
      const std::size_t n = v.size();
      Array<T> converted(n);
#pragma omp parallel for simd schedule(static)
      for (std::size_t i = 0; i < n; ++i) converted[i] = T(v[i]);
      backend.upload(f.memory().data(), converted.data(), n);
    }
    return f;
  }

  Field<B, T> mass_, damping_, east_, north_;
  VariableCoefficients<T> view_;
};

}  // namespace wavesim
