#pragma once
// Blocked sweeps on a GPU (blocked_sweeps.hpp). A lane has V neighbouring columns; two rows of every iterate and
// K + 2 of g = D^-1 b are in its registers, and it sees the columns of its neighbours through shared memory:
// one barrier for each row of the front (cuda_front.hpp). In a varying medium there are as many rows of faces, and a
// lane shows its last column as the product with its east face: so it needs no face but its own (cuda_rows.hpp).

#include "kernels/backend/cuda.hpp"
#include "kernels/temporal/cuda_pass.hpp"

namespace wavesim {
namespace cuda {

/// Adds the lanes of each warp in a tree, and warps one after the other: the part of a slice of a block. `Result` is of two
/// of R where halves come one by one.
template <class Result>
struct LeaveSlice {
  double* parts;
  template <class R>
  __device__ void operator()(int part, const R& of_lane, int half = 0) const {
    constexpr int halves = int(sizeof(Result) / sizeof(R)), warps = temporal::lanes / 32;
    __shared__ R of_warps[halves][warps];  // the next slice ends some barriers later
    R r = warp_sum(of_lane);
    if (threadIdx.x % 32 == 0) of_warps[half][threadIdx.x / 32] = r;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < warps; ++w) r.join(of_warps[half][w]);
    leave_part(r, parts, part * halves + half);
  }
};

/// Adds leaves like the lanes of a block.
template <class R, class Epilogue>
__device__ void join_leaves(const R& leaf, R* out, const Epilogue& epilogue) {
  const R sum = block_sum<temporal::lanes>(leaf, threadIdx.x);
  if (threadIdx.x != 0) return;
  *out = sum;
  epilogue(sum);
}
/// Adds the parts of each leaf strip by strip, and leaves: by the block that ends last. Mostly all are resident at once, and
/// one that waited for the parts of others while they work would take a fifth of a pass.
template <class R, class Epilogue>
__device__ void join_slices(const SweepPlan& plan, double* parts, unsigned* ticket,
                            const Conclusion<R>& conclusion, const Epilogue& epilogue) {
  const int thread = threadIdx.x;
  __shared__ bool last;
  // parts may arrive after the ticket: they are waited for
  if (thread == 0) last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  R leaf = join_parts<R, temporal::lanes, 16>(parts, thread, plan.parts_of_leaf(thread),
                                              plan.most_parts_of_leaf());
  if (conclusion.when == Conclusion<R>::later) {
    reinterpret_cast<R*>(conclusion.leaves)[thread] = leaf;
    return;
  }
  if (conclusion.peers)
    leaf = leaf_of_all_ranks(*conclusion.peers, leaf, thread, plan.band_of(thread), plan.bands.count);
  join_leaves(leaf, conclusion.out, epilogue);
}
/// After the leaves of all ranks were gathered.
template <class R, class Epilogue>
__global__ void __launch_bounds__(temporal::lanes)
    join_leaves_kernel(Guard guard, const double* leaves, R* out, Epilogue epilogue) {
  if (guard.closed()) return;
  join_leaves(reinterpret_cast<const R*>(leaves)[threadIdx.x], out, epilogue);
}

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
  SweepPlan plan = plan_sweeps<T>(e, K);
  plan.group_for(blocks_at_once_);
  const cuda::Conclusion<Result> conclusion = conclusion_of(e.shared, out);
  const auto launch = [&](const auto& medium, const auto& fields, auto from_zero, auto centred) {
    constexpr bool zero = decltype(from_zero)::value;
    using Medium = std::decay_t<decltype(medium)>;
    using Some = std::decay_t<decltype(fields)>;
    const auto kernel = cuda::blocked_kernel<T, K, zero, decltype(centred)::value, Medium, Some, Epilogue>;
    using Pass = cuda::Pass<T, K, Medium>;
    const int shared = Pass::template Plan<Some, zero>::bytes;
    [[maybe_unused]] static const bool allowed = cuda::allow_shared_memory(kernel, shared);
    constexpr int most = sum_order::most_blocks * most_sums / int(sizeof(Result) / sizeof(double));
    if (plan.parts() > most)
      throw DeviceError("a pass of several sweeps has room for " + std::to_string(most) +
                        " parts of sums, and a grid as wide as this has " + std::to_string(plan.parts()) +
                        "; use method: cg");
    kernel<<<plan.blocks(), temporal::lanes, shared, stream_>>>(plan, e.starts(), medium, fields, steps,
                                                                typename Pass::Inside(medium, steps), guard_,
                                                                parts_, tickets_ + 1, conclusion, epilogue);
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
  shared()->gather(leaves_, plan.bands, plan.leaves_of_band() * int(sizeof(Result) / sizeof(double)));
  cuda::join_leaves_kernel<<<1, temporal::lanes, 0, stream_>>>(guard_, leaves_, out, epilogue);
  check(cudaGetLastError());
}

}  // namespace wavesim
