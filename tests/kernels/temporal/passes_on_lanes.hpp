#pragma once
// A GPU's blocked sweeps, lane by lane on the CPU, and beside them the CPU's own: for tests that both give the same bits.

#include "tests/kernels/temporal/lanes_on_host.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

#include "kernels/temporal/blocked_sweeps_host.hpp"
#include "kernels/temporal/cuda_pass.hpp"
#include "kernels/temporal/cuda_resident_block.hpp"
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

/// The sum over slices: of the norms of lanes by part.
template <class Result>
Result sum_of_parts(const SweepPlan& plan, const std::vector<Result>& part) {
  constexpr int lanes = temporal::lanes;
  Result leaf[lanes];
  for (int l = 0; l < lanes; ++l)
    for (int k = 0; k < plan.parts_of_leaf(l); ++k)
      leaf[l].join(part[std::size_t(l) + std::size_t(k) * lanes]);
  return host::block_sum<lanes>(leaf);
}
struct alignas(128) LineOfMemory {
  unsigned char bytes[128];
};

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
  std::vector<LineOfMemory> shared(Shape::bytes / sizeof(LineOfMemory) + 1);
  LanesOnHost threads(lanes, order);
  std::vector<Result> part(std::size_t(plan.parts()));
  for (int block = 0; block < plan.blocks(); ++block) {
    blockIdx.x = block;
    std::memset(shared.data(), 0xff, shared.size() * sizeof(LineOfMemory));  // NaN
    std::map<int, std::array<Result, lanes>> of_lanes;                       // by part
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
  return sum_of_parts(plan, part);
}

/// The same where a block has all rows of its chunk at once, N of each thread.
template <int N, class T, int K, class Shape, bool centred>
typename Shape::Fields::Result resident_on_lanes(Extent e, const typename Shape::Medium& medium,
                                                 const typename Shape::Fields& fields,
                                                 const SweepCoefficients<T, K>& steps,
                                                 LanesOnHost::Order order, int slices_of_chunk) {
  using Pass = cuda::Pass<T, K, typename Shape::Medium>;
  using Plan = cuda::ResidentPlan<Shape, N>;
  using Result = typename Shape::Fields::Result;
  SweepPlan plan = plan_sweeps<T>(e, K);
  if (slices_of_chunk > 0) plan.group(slices_of_chunk);
  const cuda::ResidentThreads count = Plan::threads(plan, medium.topology().wrap_y != 0);
  const typename Pass::Inside inside(medium, steps);
  std::vector<LineOfMemory> shared(std::size_t(Plan::bytes(plan, count)) / sizeof(LineOfMemory) + 1);
  EXPECT_GE(count.count(), temporal::lanes);  // which add up the parts of blocks
  LanesOnHost threads(count.count(), order);
  std::vector<Result> part(std::size_t(plan.parts()));
  struct Leave {
    std::map<int, std::array<Result, temporal::lanes>>& of_lanes;  // by part
    void lane(int, int part, int lane, const Norms& norms, int half) const {
      keep_norms(of_lanes[part][std::size_t(lane)], norms, half);
    }
    void slice(int, int, int, int) const {}
  };
  for (int block = 0; block < plan.blocks(); ++block) {
    blockIdx.x = block;
    std::memset(shared.data(), 0xff, shared.size() * sizeof(LineOfMemory));  // NaN
    std::map<int, std::array<Result, temporal::lanes>> of_lanes;
    threads.run([&](int) {
      cuda::resident_norms<Plan, centred>(Leave{of_lanes}, plan, count, e.starts(), medium, fields, steps,
                                          inside, shared.data()->bytes);
    });
    for (auto& [k, of_lane] : of_lanes)
      part[std::size_t(k)] = host::block_sum<temporal::lanes>(of_lane.data());
  }
  return sum_of_parts(plan, part);
}

/// In how many rows a thread may have the columns of a pass: 0 where a front goes through them, or N where it has them at once.
template <class T, int K, class Medium>
std::vector<int> rows_of_threads(Extent e, bool ring, int slices_of_chunk = 0) {
  std::vector<int> rows{0};
  using Shape = typename cuda::Pass<T, K, Medium>::template Plan<BlockedSolve<T>, true>;
  if constexpr (cuda::may_be_resident<Shape>) {
    SweepPlan plan = plan_sweeps<T>(e, K);
    if (slices_of_chunk > 0) plan.group(slices_of_chunk);
    const auto add = [&](auto n) {
      using Plan = cuda::ResidentPlan<Shape, decltype(n)::value>;
      if (Plan::fits(plan, Plan::threads(plan, ring))) rows.push_back(Plan::N);
    };
    add(std::integral_constant<int, 5>{});
    add(std::integral_constant<int, 7>{});
  }
  return rows;
}

/// `rows`: of those.
template <class T, int K, class Medium, class Fields>
typename Fields::Result on_lanes(Extent e, const Medium& medium, const Fields& fields,
                                 const SweepCoefficients<T, K>& steps, LanesOnHost::Order order,
                                 int slices_of_chunk = 0, int rows = 0) {
  const auto from = [&](auto zero) {
    using Shape = typename cuda::Pass<T, K, Medium>::template Plan<Fields, decltype(zero)::value>;
    const auto pass = [&](auto centred) {
      constexpr bool is = decltype(centred)::value;
      if constexpr (cuda::may_be_resident<Shape>) {
        if (rows == 5)
          return resident_on_lanes<5, T, K, Shape, is>(e, medium, fields, steps, order, slices_of_chunk);
        if (rows == 7)
          return resident_on_lanes<7, T, K, Shape, is>(e, medium, fields, steps, order, slices_of_chunk);
      }
      return blocks_on_lanes<T, K, Shape, is>(e, medium, fields, steps, order, slices_of_chunk);
    };
    if constexpr (!Fields::is_step)
      if (!steps.centred()) return pass(std::false_type{});
    return pass(std::true_type{});
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
