#pragma once
// Work that stays on the chip: blocks of lanes that are all there at once go through turns together. What a
// lane keeps lies in its registers, what a block keeps in its shared memory; at the end of a turn, one number
// of each lane is joined over all of them and every block learns the sum. That is one wait for the others a
// turn, and no trip to memory.
//
// A program P, a struct of pointers and numbers that kernels take by value, says
//   Lane, Shared element, State     what lanes, blocks and all blocks alike keep
//   R                               what is joined
//   begin(at, lane, shared)         once
//   R measure(at, lane, shared, turn)
//   fetch(at, lane, turn)           looks for what others posted in `measure`, while the sums are on their
//   way bool next(state, sum, first)    in each block, the same in all; `first`: in the one that may write.
//                                   False: that was the last turn.
//   advance(at, lane, shared, state, turn)
//   end(at, lane, shared)           once
// and the lanes of a block wait for one another between any two of them but `fetch` and `next`. What blocks
// have for one another they post as letters (letter.hpp), the sums as well: there is no meeting at a counter,
// which takes two trips to memory more. What a block posts in `measure` must not lie where others may still
// look for what it posted a turn before: one place for odd turns, one for even ones.

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/backend.hpp"
#include "kernels/errors.hpp"
#include "kernels/letter.hpp"

namespace wavesim {

/// Which turn it is, and what letters of that turn are stamped with.
struct Turn {
  int number = 0;
  Stamp stamp = 0;
};
/// Of a run that begins with turn 0: runs of up to 2^32 turns have stamps of their own.
HD constexpr Stamp first_stamp(Stamp runs_before) { return (runs_before << 32) + 1; }

/// A lane of a block.
struct Place {
  int block = 0, lane = 0;
};

/// As sum_order.hpp says of the number of its blocks: constants, because the order of sums follows them. The
/// blocks are one for each of a Hopper's multiprocessors, but for four.
namespace resident {
inline constexpr int blocks = 128, lanes = 512;
/// Shared memory of a block in bytes: Hopper's 227 KiB, less what the kernel keeps for itself.
inline constexpr std::size_t shared_bytes = (227 << 10) - 2048;
}  // namespace resident

/// What a backend needs to run such programs.
template <class B>
class Resident;

#ifdef __CUDACC__

namespace cuda {

/// Where blocks leave their parts of a sum, in two sets (a block may still look for one while others post the
/// next), and how many runs there were.
struct Meeting {
  Letter* parts = nullptr;
  Stamp* runs = nullptr;
};

/// The sum of the blocks' parts, in lane 0: the loads of several parts before the first addition.
template <class R>
__device__ R sum_of_parts(const Letter* parts, int lane, Stamp stamp) {
  constexpr int words = sizeof(R) / sizeof(double), each = resident::blocks / 32, together = 2;
  R sum = {};
#pragma unroll
  for (int k = 0; k < each; k += together) {
    Letter seen[together][words];
#pragma unroll
    for (int j = 0; j < together; ++j)
#pragma unroll
      for (int d = 0; d < words; ++d)
        if (lane + 32 * (k + j) < int(gridDim.x))
          seen[j][d] = look(parts + (lane + 32 * (k + j)) * words + d);
#pragma unroll
    for (int j = 0; j < together; ++j) {
      const int block = lane + 32 * (k + j);
      if (block >= int(gridDim.x)) continue;
      R part;
#pragma unroll
      for (int d = 0; d < words; ++d)
        reinterpret_cast<double*>(&part)[d] = wait_for(seen[j][d], parts + block * words + d, stamp);
      if (k + j == 0)
        sum = part;
      else
        sum.join(part);
    }
  }
  return warp_sum(sum);
}

template <class P>
__global__ void __launch_bounds__(resident::lanes, 1)
    resident_kernel(Guard guard, Meeting meeting, P program) {
  using R = typename P::R;
  constexpr int warps = resident::lanes / 32, words = sizeof(R) / sizeof(double);
  extern __shared__ double memory[];
  __shared__ R warp[warps];
  __shared__ typename P::State state;
  __shared__ bool again;
  if (guard.closed()) return;
  const Place at{int(blockIdx.x), int(threadIdx.x)};
  auto* const shared = reinterpret_cast<typename P::Shared*>(memory);
  typename P::Lane lane;
  program.begin(at, lane, shared);
  if (at.lane == 0) state = program.state;
  __syncthreads();
  const Stamp runs = *meeting.runs;
  for (Turn turn{0, first_stamp(runs)};; ++turn.number, ++turn.stamp) {
    Letter* const parts = meeting.parts + (turn.number & 1) * resident::blocks * words;
    const R own = warp_sum(program.measure(at, lane, shared, turn));
    if (at.lane % 32 == 0) warp[at.lane / 32] = own;
    __syncthreads();
    if (at.lane < 32) {
      const R sum = warp_sum<warps>(warp[at.lane % warps]);
      if (at.lane == 0)
#pragma unroll
        for (int d = 0; d < words; ++d)
          post(parts + at.block * words + d, reinterpret_cast<const double*>(&sum)[d], turn.stamp);
    }
    program.fetch(at, lane, turn);
    if (at.lane < 32) {
      const R sum = sum_of_parts<R>(parts, at.lane, turn.stamp);
      if (at.lane == 0) again = program.next(state, sum, at.block == 0);
    }
    __syncthreads();
    if (!again) break;
    program.advance(at, lane, shared, state, turn);
    __syncthreads();
  }
  if (at.block == 0 && at.lane == 0) *meeting.runs = runs + 1;  // all have posted, and so have read it
  program.end(at, lane, shared);
}

}  // namespace cuda

template <>
class Resident<Cuda> {
 public:
  explicit Resident(Cuda& be)
      : be_(be), parts_(be, std::size_t(2) * resident::blocks * most_sums), runs_(be, 1) {}

  /// `blocks` of them, with `shared` elements each. `bytes`: read and written in memory.
  template <class P>
  void run(const char* label, int blocks, std::size_t shared, double bytes, P program) {
    static_assert(sizeof(typename P::R) <= most_sums * sizeof(double));
    be_.tally().add(label, bytes, true);
    const std::size_t size = shared * sizeof(typename P::Shared);
    const auto kernel = cuda::resident_kernel<P>;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(size)));
    cuda::Guard guard = be_.guarding();
    cuda::Meeting meeting{parts_.data(), runs_.data()};
    void* arguments[] = {&guard, &meeting, &program};
    const cudaError_t e =
        cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(unsigned(blocks)),
                                    dim3(resident::lanes), arguments, size, be_.stream());
    if (e == cudaErrorCooperativeLaunchTooLarge) {
      cudaGetLastError();
      throw DeviceError("this GPU has fewer than " + std::to_string(blocks) +
                        " multiprocessors with the shared memory of an H100; use method: cg");
    }
    check(e);
  }

 private:
  static constexpr int most_sums = 8;
  Cuda& be_;
  Buffer<Cuda, Letter> parts_;
  Buffer<Cuda, Stamp> runs_;
};

#else

/// The same on the CPU, block by block and lane by lane.
template <>
class Resident<Host> {
 public:
  explicit Resident(Host& be) : be_(be) {}

  template <class P>
  void run(const char* label, int blocks, std::size_t shared, double bytes, P program) {
    using namespace resident;
    using R = typename P::R;
    be_.tally().add(label, bytes, true);
    std::vector<typename P::Lane> lane(std::size_t(blocks) * lanes);
    std::vector<typename P::Shared> memory(std::size_t(blocks) * shared);
    std::vector<R> parts(blocks);
    const auto all = [&](auto f) {
#pragma omp parallel for schedule(static) if (std::size_t(blocks) * shared > 1 << 14)
      for (int b = 0; b < blocks; ++b)
        f(b, lane.data() + std::size_t(b) * lanes, memory.data() + std::size_t(b) * shared);
    };
    typename P::State state = program.state;
    all([&](int b, auto* own, auto* s) {
      for (int t = 0; t < lanes; ++t) program.begin({b, t}, own[t], s);
    });
    for (Turn turn{0, first_stamp(runs_++)};; ++turn.number, ++turn.stamp) {
      all([&](int b, auto* own, auto* s) {
        R sum[lanes];
        for (int t = 0; t < lanes; ++t) sum[t] = program.measure({b, t}, own[t], s, turn);
        for (int warp = 0; warp < lanes / 32; ++warp) {
          warp_sum<32>(sum + 32 * warp);
          sum[warp] = sum[32 * warp];
        }
        warp_sum<lanes / 32>(sum);
        parts[std::size_t(b)] = sum[0];
      });
      R sum[resident::blocks] = {};
      std::copy(parts.begin(), parts.end(), sum);
      for (int b = 32; b < resident::blocks; ++b) sum[b % 32].join(sum[b]);
      warp_sum<32>(sum);
      if (!program.next(state, sum[0], true)) break;
      all([&](int b, auto* own, auto* s) {
        for (int t = 0; t < lanes; ++t) {
          program.fetch({b, t}, own[t], turn);
          program.advance({b, t}, own[t], s, state, turn);
        }
      });
    }
    all([&](int b, auto* own, auto* s) {
      for (int t = 0; t < lanes; ++t) program.end({b, t}, own[t], s);
    });
  }

 private:
  template <int n, class R>
  static void warp_sum(R* lane) {
    for (int offset = n / 2; offset > 0; offset /= 2)
      for (int t = 0; t < offset; ++t) lane[t].join(lane[t + offset]);
  }
  Host& be_;
  Stamp runs_ = 0;
};

#endif

}  // namespace wavesim
