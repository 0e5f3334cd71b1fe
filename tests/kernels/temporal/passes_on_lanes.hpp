#pragma once
// A GPU's blocked sweeps, lane by lane on the CPU, and beside them the CPU's own: for tests that both give the same bits.

#include "tests/kernels/temporal/lanes_on_host.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

#include "kernels/temporal/blocked_sweeps_host.hpp"
#include "kernels/temporal/cuda_pass.hpp"
#include "tests/kernels/random_fields.hpp"

namespace wavesim {

/// What a lane leaves of a slice: all of it, or a half.
template <class R>
void keep_norms(R& own, const R& norms, int) {
  own = norms;
}
inline void keep_norms(StepNorms& own, const Norms& norms, int half) {
  (half == 0 ? own.residual : own.reference) = norms;
}

/// As Cuda::blocked_sweeps (blocked_sweeps_cuda.hpp), with its sums in the order of the CPU; with other chunks than it has if
/// `slices_of_chunk` is not 0.
template <class T, int K, class Shape, bool centred>
typename Shape::Fields::Result blocks_on_lanes(Extent e, const typename Shape::Medium& medium,
                                               const typename Shape::Fields& fields,
                                               const SweepCoefficients<T, K>& steps, LanesOnHost::Order order,
                                               int slices_of_chunk) {
  using Pass = cuda::Pass<T, K, typename Shape::Medium>;
  using Result = typename Shape::Fields::Result;
  constexpr int lanes = temporal::lanes;
  SweepPlan plan = plan_sweeps<T>(e, K);
  if (slices_of_chunk > 0) plan.group(slices_of_chunk);
  const typename Pass::Inside inside(medium, steps);
  struct alignas(128) Line {
    unsigned char bytes[128];
  };
  std::vector<Line> shared(Shape::bytes / sizeof(Line) + 1);
  LanesOnHost threads(lanes, order);
  std::vector<Result> part(std::size_t(plan.parts()));
  for (int block = 0; block < plan.blocks(); ++block) {
    blockIdx.x = block;
    std::memset(shared.data(), 0xff, shared.size() * sizeof(Line));  // NaN
    std::map<int, std::array<Result, lanes>> of_lanes;               // by part
    threads.run([&](int lane) {
      const auto leave = [&](int k, const auto& norms, int half = 0) {
        Result& own = of_lanes[k][std::size_t(lane)];
        keep_norms(own, norms, half);
      };
      Pass::template norms<Shape, centred>(shared.data()->bytes, leave, plan, e.starts(), medium, fields,
                                           steps, inside);
    });
    for (auto& [k, of_lane] : of_lanes) part[std::size_t(k)] = host::block_sum<lanes>(of_lane.data());
  }
  Result leaf[lanes];
  for (int l = 0; l < lanes; ++l)
    for (int k = 0; k < plan.parts_of_leaf(l); ++k)
      leaf[l].join(part[std::size_t(l) + std::size_t(k) * lanes]);
  return host::block_sum<lanes>(leaf);
}

template <class T, int K, class Medium, class Fields>
typename Fields::Result on_lanes(Extent e, const Medium& medium, const Fields& fields,
                                 const SweepCoefficients<T, K>& steps, LanesOnHost::Order order,
                                 int slices_of_chunk = 0) {
  const auto from = [&](auto zero) {
    using Shape = typename cuda::Pass<T, K, Medium>::template Plan<Fields, decltype(zero)::value>;
    if constexpr (!Fields::is_step)
      if (!steps.centred())
        return blocks_on_lanes<T, K, Shape, false>(e, medium, fields, steps, order, slices_of_chunk);
    return blocks_on_lanes<T, K, Shape, true>(e, medium, fields, steps, order, slices_of_chunk);
  };
  return fields.from_zero() ? from(std::true_type{}) : from(std::false_type{});
}

template <class T, int K, class Medium, class Fields>
typename Fields::Result on_host(Extent e, const Medium& medium, const Fields& fields,
                                const SweepCoefficients<T, K>& steps) {
  Host be;
  typename Fields::Result norms;
  be.blocked_sweeps("", e, medium, fields, steps, &norms, NoEpilogue{});
  return norms;
}
template <class T, int K, bool damped, class Fields>
typename Fields::Result on_host(Extent e, const ScaledMedium<T, damped>& medium, const Fields& fields,
                                const SweepCoefficients<T, K>& steps) {
  WaveSystem<T, UniformCoefficients<T>> place;
  place.coefficients.topology = medium.topology();
  return on_host(e, place, InMedium<Fields, ScaledMedium<T, damped>>{medium, fields}, steps);
}

inline void expect_same(const Norms& a, const Norms& b) {
  EXPECT_EQ(a.squares, b.squares);
  EXPECT_EQ(a.largest, b.largest);
}
inline void expect_same(const StepNorms& a, const StepNorms& b) {
  expect_same(a.residual, b.residual);
  expect_same(a.reference, b.reference);
}

template <class T, int K>
SweepCoefficients<T, K> coefficients(bool centred) {
  SweepCoefficients<T, K> steps;
  for (int k = 0; k < K; ++k) {
    const double m = k < 2 ? 0.25 * k : 0.1 + 0.03 * k;
    steps.set(k, m, k >= 2 && centred ? 1 + m : 0.9 + 0.05 * k);
  }
  return steps;
}

constexpr LanesOnHost::Order orders[] = {{false, false}, {true, true}};

}  // namespace wavesim
