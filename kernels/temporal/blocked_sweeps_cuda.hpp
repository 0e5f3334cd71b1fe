#pragma once
// Blocked sweeps on a GPU (blocked_sweeps.hpp). A lane has V neighbouring columns; two rows of every iterate and
// K + 2 of g = D^-1 b are in its registers, and it sees the columns of its neighbours through shared memory:
// one barrier for each row of the front (cuda_front.hpp). In a varying medium there are as many rows of faces, and a
// lane shows its last column as the product with its east face: so it needs no face but its own (cuda_rows.hpp).
// Where chunks are low, a block has all rows of its chunk at once (cuda_resident_rows.hpp).

#include "kernels/temporal/cuda_pass.hpp"
#include "kernels/temporal/cuda_resident_kernel.hpp"

namespace wavesim {
namespace cuda {

template <class T, int K, bool from_zero, bool centred, class Medium, class Fields, class Epilogue>
__global__ void __launch_bounds__(temporal::lanes, 2)
    blocked_kernel(SweepPlan plan, RowStarts starts, Medium medium, Fields fields,
                   SweepCoefficients<T, K> steps,
                   const __grid_constant__ typename Pass<T, K, Medium>::Inside inside, Guard guard,
                   double* parts, unsigned* ticket, Conclusion<typename Fields::Result> conclusion,
                   Epilogue epilogue) {
  if (guard.closed()) return;
  using Shape = typename Pass<T, K, Medium>::template Plan<Fields, from_zero>;
  extern __shared__ __align__(128) unsigned char shared[];
  Pass<T, K, Medium>::template norms<Shape, centred>(shared, LeaveSlice<typename Fields::Result>{parts}, plan,
                                                     starts, medium, fields, steps, inside);
  join_slices(plan, parts, ticket, conclusion, epilogue);
}

}  // namespace cuda

template <class T, int K, class System, class Fields, class Epilogue>
void Cuda::blocked_sweeps(const char* label, Extent e, const System& system, const Fields& all,
                          const SweepCoefficients<T, K>& steps, typename Fields::Result* out,
                          Epilogue epilogue) {
  counts_.add(label, double(e.own_points()) * all.vectors() * sizeof(T), true);
  using Result = typename Fields::Result;
  const SweepPlan slices = plan_sweeps<T>(e, K);
  const cuda::Conclusion<Result> conclusion = conclusion_of(e.shared, out);
  const auto launch = [&](const auto& medium, const auto& fields, auto from_zero, auto centred) {
    constexpr bool zero = decltype(from_zero)::value;
    using Medium = std::decay_t<decltype(medium)>;
    using Some = std::decay_t<decltype(fields)>;
    using Pass = cuda::Pass<T, K, Medium>;
    using Shape = typename Pass::template Plan<Some, zero>;
    constexpr int most = sum_order::most_blocks * most_sums / int(sizeof(Result) / sizeof(double));
    if (slices.parts() > most)
      throw DeviceError("a pass of several sweeps has room for " + std::to_string(most) +
                        " parts of sums, and a grid as wide as this has " + std::to_string(slices.parts()) +
                        "; use method: cg");
    const typename Pass::Inside inside(medium, steps);
    if constexpr (cuda::may_be_resident<Shape>) {
      const int multiprocessors = blocks_at_once_ / 2;
      SweepPlan plan = slices;
      plan.group_for(multiprocessors);
      const auto resident = [&](auto rows) {
        using Plan = cuda::ResidentPlan<Shape, decltype(rows)::value>;
        if (!cuda::allows_shared_memory(Plan::most_bytes)) return false;
        const auto threads = Plan::of_one_round(plan, medium.topology().wrap_y != 0, multiprocessors);
        if (!threads) return false;
        const auto kernel =
            cuda::resident_kernel<T, K, Plan::N, zero, decltype(centred)::value, Medium, Some, Epilogue>;
        [[maybe_unused]] static const bool allowed = cuda::allow_shared_memory(kernel, Plan::most_bytes);
        kernel<<<plan.blocks(), threads->count(), Plan::bytes(plan, *threads), stream_>>>(
            plan, *threads, e.starts(), medium, fields, steps, inside, guard_, parts_, tickets_ + 1,
            conclusion, epilogue);
        return true;
      };
      if (resident(std::integral_constant<int, 5>{}) || resident(std::integral_constant<int, 7>{})) return;
    }
    const auto kernel = cuda::blocked_kernel<T, K, zero, decltype(centred)::value, Medium, Some, Epilogue>;
    [[maybe_unused]] static const bool allowed = cuda::allow_shared_memory(kernel, Shape::bytes);
    SweepPlan plan = slices;
    plan.group_for(blocks_at_once_);
    kernel<<<plan.blocks(), temporal::lanes, Shape::bytes, stream_>>>(
        plan, e.starts(), medium, fields, steps, inside, guard_, parts_, tickets_ + 1, conclusion, epilogue);
  };
  const auto with_medium = [&](const auto& medium, const auto& fields) {
    const auto from = [&](auto zero) {
      if constexpr (!std::decay_t<decltype(fields)>::is_step)
        if (!steps.centred()) return launch(medium, fields, zero, std::false_type{});
      launch(medium, fields, zero, std::true_type{});
    };
    if (fields.from_zero())
      from(std::true_type{});
    else
      from(std::false_type{});
  };
  if constexpr (requires { all.medium; })
    with_medium(all.medium, all.fields);
  else
    with_medium(system, all);
  check(cudaGetLastError());
  if (conclusion.when == cuda::Conclusion<Result>::at_once) return;
  shared()->gather(leaves_, slices.bands, slices.leaves_of_band() * int(sizeof(Result) / sizeof(double)));
  cuda::join_leaves_kernel<<<1, temporal::lanes, 0, stream_>>>(guard_, leaves_, out, epilogue);
  check(cudaGetLastError());
}

}  // namespace wavesim
