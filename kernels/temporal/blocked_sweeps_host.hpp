#pragma once
// Blocked sweeps on a CPU (blocked_sweeps.hpp): a block's rows of all iterates stay in a core's caches, and a sweep
// goes along a row of them (host_front.hpp).

#include <vector>

#include "kernels/backend/host.hpp"
#include "kernels/numbers/subnormals.hpp"
#include "kernels/temporal/host_chunks.hpp"
#include "kernels/temporal/host_front.hpp"
#include "kernels/temporal/host_nine_point_front.hpp"

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
  counts_.add(label, double(e.points()) * all.vectors() * sizeof(T), true);
  const BlockPlan plan = plan_blocks<T>(e, K);
  std::vector<Result> partial(plan.blocks());
  const bool shared = e.points() > small;
  const bool past_caches = double(e.points()) * all.vectors() * sizeof(T) > more_than_caches;
  const int together = chunks_together(plan, K, shared ? omp_get_max_threads() : 1);
  const auto with_medium = [&](const auto& medium, const auto& fields) {
    using Medium = std::decay_t<decltype(medium)>;
    using Some = std::decay_t<decltype(fields)>;
#pragma omp parallel if (shared)
    {
      const SubnormalsAreZero guard;
      typename temporal::FrontIn<T, K, Medium, Some>::type front(plan, e.pitch, medium, fields, steps,
                                                                 past_caches);
#pragma omp for schedule(dynamic) collapse(2)
      for (int chunk = 0; chunk < plan.chunks; chunk += together)
        for (int strip = 0; strip < plan.strips; ++strip)
          front.go_up(strip, chunk, std::min(chunk + together, plan.chunks), partial.data());
      stream_fence();
    }
  };
  if constexpr (requires { all.medium; })
    with_medium(all.medium, all.fields);
  else
    with_medium(system, all);
  Result lane[32];
  for (std::size_t b = 0; b < partial.size(); ++b) lane[b % 32].join(partial[b]);
  tree(lane);
  *out = lane[0];
  epilogue(*out);
}

}  // namespace wavesim
