#pragma once
// The coefficients in a backend's memory and precision.

#include <type_traits>

#include "kernels/memory/field.hpp"
#include "kernels/numbers/in_precision.hpp"
#include "sim/model/coefficients.hpp"

namespace wavesim {

/// A field with ghost rows, from the host's doubles: this rank's rows, and those beyond the ends of the grid, where faces of
/// edges stand.
template <class B, class T>
Field<B, T> field_of(B& backend, Extent e, const Array<double>& v) {
  Field<B, T> f(backend, e);
  const auto upload = [&](int from, int to) {  // rows
    const std::size_t pitch = std::size_t(e.pitch), first = std::size_t(from + 1) * pitch,
                      end = std::size_t(to + 1) * pitch;
    if constexpr (std::is_same_v<T, double>) {
      f.memory().upload(first, end - first, v.data() + first);
    } else {
      Array<T> converted(end - first);
#pragma omp parallel for simd schedule(static)
      for (std::size_t i = first; i < end; ++i) converted[i - first] = T(v[i]);
      f.memory().upload(first, end - first, converted.data());
    }
  };
  if (e.whole()) {
    upload(-1, e.ny + 1);
    return f;
  }
  upload(-1, 0);
  upload(e.first_own, e.end_own());
  upload(e.ny, e.ny + 1);
  backend.fetch_ghosts(most_ghosts, f);
  return f;
}

/// Any kind of coefficients, made from the host's. Kernels take `view()`.
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
class MediumOn<B, T, UniformNinePointCoefficients<T>> {
 public:
  MediumOn(B&, const Unknowns&, const HostCoefficients& host)
      : view_(in_precision<T>(*host.uniform_nine_points)) {}
  const UniformNinePointCoefficients<T>& view() const { return view_; }

 private:
  UniformNinePointCoefficients<T> view_;
};

template <class B, class T>
class MediumOn<B, T, VariableCoefficients<T>> {
 public:
  MediumOn(B& backend, const Unknowns& unknowns, const HostCoefficients& host)
      : mass_(field_of<B, T>(backend, unknowns.extent, host.mass)),
        damping_(host.damping.empty() ? Field<B, T>()
                                      : field_of<B, T>(backend, unknowns.extent, host.damping)),
        east_(field_of<B, T>(backend, unknowns.extent, host.east)),
        north_(field_of<B, T>(backend, unknowns.extent, host.north)),
        view_{unknowns.topology, mass_.data(), host.damping.empty() ? nullptr : damping_.data(), east_.data(),
              north_.data()} {}
  const VariableCoefficients<T>& view() const { return view_; }

 private:
  Field<B, T> mass_, damping_, east_, north_;
  VariableCoefficients<T> view_;
};

/// A matrix of nine points.
template <class B, class T>
class NinePointMatrixOn {
 public:
  NinePointMatrixOn(B& backend, Extent e, const HostNinePointMatrix& host) {
    if (host.centre.empty()) return;
    const Array<double>* from[] = {&host.south_west, &host.south, &host.south_east, &host.west, &host.centre};
    for (int k = 0; k < 5; ++k) entries_[k] = field_of<B, T>(backend, e, *from[k]);
  }
  NinePointMatrix<T> view() const {
    return {entries_[0].data(), entries_[1].data(), entries_[2].data(), entries_[3].data(),
            entries_[4].data()};
  }

 private:
  Field<B, T> entries_[5];
};

template <class B, class T>
class MediumOn<B, T, NinePointCoefficients<T>> {
 public:
  MediumOn(B& backend, const Unknowns& unknowns, const HostCoefficients& host)
      : mass_(backend, unknowns.extent, host.nine_points->mass),
        damping_(backend, unknowns.extent, host.nine_points->damping),
        stiffness_(backend, unknowns.extent, host.nine_points->stiffness) {
    const NinePointMatrix<T> damping = damping_.view();
    const bool damped = !host.nine_points->damping.centre.empty();
    view_ = {unknowns.topology, mass_.view(), damped ? &damping : nullptr, stiffness_.view()};
  }
  const NinePointCoefficients<T>& view() const { return view_; }

 private:
  NinePointMatrixOn<B, T> mass_, damping_, stiffness_;
  NinePointCoefficients<T> view_;
};

}  // namespace wavesim
