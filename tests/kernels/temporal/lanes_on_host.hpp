#pragma once
// The threads of one block of a GPU, run on a CPU one after the other from barrier to barrier, so that device code without
// atomics can be tested without a GPU. Warps may shuffle; all threads of a warp do so together. To find what a missing barrier or a missing wait would
// do, lanes run in ascending or descending order, and asynchronous copies arrive as late or as early as they may.

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <vector>

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's names
#define __device__
#define __forceinline__

struct EmulatedIndex {
  int x = 0;
};
inline EmulatedIndex threadIdx, blockIdx, blockDim;
using std::max;
using std::min;

struct __attribute__((may_alias)) uint4 {
  unsigned x, y, z, w;
};
inline void __stcs(uint4* to, const uint4& value) { *to = value; }

class LanesOnHost {
 public:
  struct Order {
    bool descending, copies_arrive_early;
  };
  LanesOnHost(int lanes, Order order) : order_(order), lanes_(std::size_t(lanes)) {
    for (Lane& lane : lanes_) lane.stack.resize(std::size_t(256) * 1024);
  }

  /// f(lane) in each.
  void run(const std::function<void(int)>& f) {
    now() = this;
    blockDim.x = int(lanes_.size());
    f_ = &f;
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      Lane& lane = lanes_[k];
      lane.groups.assign(1, {});
      lane.ended = lane.at_barrier = false;
      getcontext(&lane.context);
      lane.context.uc_stack.ss_sp = lane.stack.data();
      lane.context.uc_stack.ss_size = lane.stack.size();
      lane.context.uc_link = &main_;
      makecontext(&lane.context, &LanesOnHost::begin, 0);
    }
    bool open = true;  // whether those at the barrier go on
    all_ = true;
    do {
      for (std::size_t n = 0; n < lanes_.size(); ++n) {
        at_ = order_.descending ? lanes_.size() - 1 - n : n;
        if (lanes_[at_].ended || (lanes_[at_].at_barrier && !open)) continue;
        lanes_[at_].at_barrier = false;
        threadIdx.x = int(at_);
        swapcontext(&main_, &lanes_[at_].context);
      }
      open = std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& l) { return l.ended || l.at_barrier; });
      if (open) all_before_ = all_, all_ = true;
    } while (std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& l) { return !l.ended; }));
  }

  static LanesOnHost*& now() {
    static LanesOnHost* lanes = nullptr;
    return lanes;
  }
  /// Whether all lanes said so.
  bool barrier(bool mine) {
    all_ = all_ && mine;
    lanes_[at_].at_barrier = true;
    swapcontext(&lanes_[at_].context, &main_);
    return all_before_;
  }
  /// What the lane `from` of the same warp passes; its own where there is none. All lanes of a warp come as often.
  template <class T>
  T shuffle(T value, int offset) {
    const std::size_t mine = at_;
    Lane& lane = lanes_[mine];
    const std::size_t turn = lane.shuffles++ % 2;  // nobody is more than one shuffle ahead
    std::memcpy(lane.shuffled[turn].data(), &value, sizeof(T));
    swapcontext(&lane.context, &main_);
    const int in_warp = int(mine % 32) + offset;
    const std::size_t other = in_warp < 0 || in_warp > 31 ? mine : mine + std::size_t(std::ptrdiff_t(offset));
    std::memcpy(&value, lanes_[other].shuffled[turn].data(), sizeof(T));
    return value;
  }
  void copy(void* to, const void* from, std::size_t bytes) {
    if (order_.copies_arrive_early)
      std::memcpy(to, from, bytes);
    else
      lanes_[at_].groups.back().push_back({to, from, bytes});
  }
  void commit() { lanes_[at_].groups.emplace_back(); }
  void wait(std::size_t pending) {
    auto& groups = lanes_[at_].groups;  // the last of which is open
    for (; groups.size() > pending + 1; groups.pop_front())
      for (const Copy& c : groups.front()) std::memcpy(c.to, c.from, c.bytes);
  }

 private:
  struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
  };
  struct Lane {
    ucontext_t context;
    std::vector<char> stack;
    std::deque<std::vector<Copy>> groups;
    bool ended = false, at_barrier = false;
    std::size_t shuffles = 0;
    std::array<std::array<char, 8>, 2> shuffled;
  };
  static void begin() {
    LanesOnHost& all = *now();
    (*all.f_)(int(all.at_));
    all.lanes_[all.at_].ended = true;
  }

  Order order_;
  ucontext_t main_;
  std::vector<Lane> lanes_;
  const std::function<void(int)>* f_ = nullptr;
  std::size_t at_ = 0;
  bool all_ = true, all_before_ = true;
};

inline void __syncthreads() { LanesOnHost::now()->barrier(true); }
template <class T>
T __shfl_up_sync(unsigned, T value, int offset) {
  return LanesOnHost::now()->shuffle(value, -offset);
}
template <class T>
T __shfl_down_sync(unsigned, T value, int offset) {
  return LanesOnHost::now()->shuffle(value, offset);
}
inline int __syncthreads_and(int mine) { return LanesOnHost::now()->barrier(mine != 0); }
inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes) {
  LanesOnHost::now()->copy(to, from, bytes);
}
inline void __pipeline_commit() { LanesOnHost::now()->commit(); }
inline void __pipeline_wait_prior(std::size_t pending) { LanesOnHost::now()->wait(pending); }
// NOLINTEND(bugprone-reserved-identifier)
