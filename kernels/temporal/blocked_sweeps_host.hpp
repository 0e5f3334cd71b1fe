#pragma once
// Blocked sweeps on a CPU (blocked_sweeps.hpp): a block's rows of all iterates stay in a core's caches, and a sweep
// goes along a row of them (host_front.hpp).

#include <vector>

#include "kernels/backend/host.hpp"
#include "kernels/numbers/subnormals.hpp"
#include "kernels/temporal/host_front.hpp"
#include "kernels/temporal/host_nine_point_front.hpp"
#include "kernels/temporal/host_shares.hpp"

namespace wavesim {

namespace temporal {

template <class T, int K, class Medium, class Fields>
struct FrontIn {
  using type = HostFront<T, K, Medium, Fields>;
};
template <class T, int K, class Fields>
struct FrontIn<T, K, UniformNinePoints<T>, Fields> {
  using type = NinePointHostFront<T, K, UniformNinePoints<T>, Fields>;
};
template <class T, int K, class Fields>
struct FrontIn<T, K, NinePointMedium<T>, Fields> {
  using type = NinePointHostFront<T, K, NinePointMedium<T>, Fields>;
};

}  // namespace temporal

template <class T, int K, class System, class Fields, class Epilogue>
void Host::blocked_sweeps(const char* label, Extent e, const System& system, const Fields& all,
                          const SweepCoefficients<T, K>& steps, typename Fields::Result* out,
                          Epilogue epilogue) {
  using Result = typename Fields::Result;
  counts_.add(label, double(e.own_points()) * all.vectors() * sizeof(T), true);
  const SweepPlan plan = plan_sweeps<T>(e, K);
  const int first = plan.first_own_slice, end = plan.end_own_slice;
  std::vector<Result> partial(std::size_t(plan.parts()));
  const bool several_threads = e.own_points() > small;
  const bool past_caches = double(e.own_points()) * all.vectors() * sizeof(T) > more_than_caches;
  const int together = slices_together(plan, end - first, K, several_threads ? omp_get_max_threads() : 1);
  const auto with_medium = [&](const auto& medium, const auto& fields) {
    using Medium = std::decay_t<decltype(medium)>;
    using Some = std::decay_t<decltype(fields)>;
#pragma omp parallel if (several_threads)
    {
      const SubnormalsAreZero guard;
      typename temporal::FrontIn<T, K, Medium, Some>::type front(plan, e.starts(), medium, fields, steps,
                                                                 past_caches);
#pragma omp for schedule(dynamic) collapse(2)
      for (int slice = first; slice < end; slice += together)
        for (int strip = 0; strip < plan.strips; ++strip)
          front.go_up(strip, slice, std::min(slice + together, end), partial.data());
      stream_fence();
    }
  };
  if constexpr (requires { all.medium; })
    with_medium(all.medium, all.fields);
  else
    with_medium(system, all);
  Result leaf[temporal::lanes];
  for (int slice = first; slice < end; ++slice)
    for (int strip = 0; strip < plan.strips; ++strip)
      leaf[plan.leaf(strip, slice)].join(partial[std::size_t(plan.part(strip, slice))]);
  if (e.shared) gather(leaf, plan.bands, plan.leaves_of_band());
  *out = host::block_sum<temporal::lanes>(leaf);
  epilogue(*out);
}

}  // namespace wavesim
