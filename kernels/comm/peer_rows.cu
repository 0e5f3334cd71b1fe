#include "kernels/comm/peer_rows.hpp"

#include <algorithm>
#include <cuda/atomic>
#include <stdexcept>
#include <vector>

#include "kernels/backend/cuda_check.hpp"
#include "kernels/comm/peer_leaves.hpp"
#include "kernels/comm/peer_memory.hpp"
#include "kernels/comm/row_messages.hpp"

namespace wavesim {

namespace {

/// Counts the exchanges of two ranks, alike on both.
using Turn = unsigned long long;

constexpr int most_parts = 16;                   // of a message
constexpr int most_blocks = 64;                  // of threads, for a partner
constexpr int blocks_at_once = 2 * most_blocks;  // all of them wait: there has to be room for all on the GPU
constexpr int row_threads = 512;
constexpr std::size_t most_bytes = 4 << 20;  // of a message to a partner

/// What others write to the memory of a rank. Behind it is room for two messages of each rank, in turns: a sender is at most
/// one exchange ahead of the receiver, since it waits for the receiver's own message of each.
struct alignas(16) Inbox {
  Turn rows_came[LeafPeers::most][most_blocks];  // of each rank
  LeafInbox leaves;
  // What only the rank itself uses.
  LeafPeers peers;
  Turn turn[LeafPeers::most];  // with each rank
  unsigned ticket;

  static std::size_t bytes(int ranks) { return sizeof(Inbox) + 2 * std::size_t(ranks) * most_bytes; }
  __device__ double2* message(int from, int place) {
    constexpr std::size_t packs = most_bytes / sizeof(double2);
    return reinterpret_cast<double2*>(this + 1) + std::size_t(2 * from + place) * packs;
  }
};

/// Rows that go to a partner, or come from it.
struct Part {
  double2* at;
  int packs;
};
struct Partner {
  int rank = 0;
  Inbox* inbox = nullptr;  // of the partner
  int sent_parts = 0, received_parts = 0;
  Part sent[most_parts], received[most_parts];
};
template <int n>
struct Partners {
  static constexpr int most = n;
  Partner all[n];
};

/// Whoever waits for it sees what the threads of this block wrote before their last barrier.
__device__ void raise(Turn& flag, Turn turn) {
  ::cuda::atomic_ref<Turn, ::cuda::thread_scope_system>(flag).store(turn, ::cuda::memory_order_release);
}
__device__ void wait_for(Turn& flag, Turn turn) {
  const ::cuda::atomic_ref<Turn, ::cuda::thread_scope_system> seen(flag);
  while (seen.load(::cuda::memory_order_acquire) < turn) {
  }
}

/// Copies this block's share of each part to the message, or from it: all loads of a few packs before the first store.
template <bool out>
__device__ void copy_share(const Part (&parts)[most_parts], int count, int blocks, double2* message) {
  constexpr int together = 4;
  for (int p = 0; p < count; ++p) {
    const Part part = parts[p];
    const int each = (part.packs + blocks - 1) / blocks, end = min(part.packs, (int(blockIdx.x) + 1) * each);
    for (int first = blockIdx.x * each + threadIdx.x; first < end; first += together * row_threads) {
      double2 packs[together];
#pragma unroll
      for (int k = 0; k < together; ++k) {
        const int at = first + k * row_threads;
        if (at < end)
          packs[k] =
              out ? part.at[at] : __ldcg(message + at);  // not from L1, which may have an older message
      }
#pragma unroll
      for (int k = 0; k < together; ++k) {
        const int at = first + k * row_threads;
        if (at < end) (out ? message : part.at)[at] = packs[k];
      }
    }
    message += part.packs;
  }
}

/// A block writes its share of what goes to a partner, and reads the share that the same block there has written.
template <class Partners>
__global__ void __launch_bounds__(row_threads)
    exchange_rows_kernel(const __grid_constant__ Partners partners, int rank, Inbox* own) {
  const Partner& p = partners.all[blockIdx.y];
  const Turn turn = own->turn[p.rank] + 1;
  const int place = int(turn % 2), block = blockIdx.x;
  copy_share<true>(p.sent, p.sent_parts, gridDim.x, p.inbox->message(rank, place));
  __syncthreads();
  if (threadIdx.x == 0) {
    raise(p.inbox->rows_came[rank][block], turn);
    wait_for(own->rows_came[p.rank][block], turn);
  }
  __syncthreads();
  copy_share<false>(p.received, p.received_parts, gridDim.x, own->message(p.rank, place));
  if (threadIdx.x == 0) {  // the last block begins the next turn
    const unsigned last = gridDim.x * gridDim.y - 1;
    if (atomicInc(&own->ticket, last) == last)
      for (unsigned k = 0; k < gridDim.y; ++k) ++own->turn[partners.all[k].rank];
  }
}

__global__ void clear_leaves_kernel(LeafInbox* inbox) {
  for (auto& place : inbox->leaves)
    for (int k = int(threadIdx.x); k < sum_order::lanes * LeafInbox::most_doubles; k += int(blockDim.x))
      place[k] = cuda::Sentinel<double>::bits;
}

class PeerRows final : public SharedRows {
 public:
  PeerRows(int rank, int count, std::unique_ptr<PeerMemory> memory, cudaStream_t stream)
      : rank_(rank), count_(count), memory_(std::move(memory)), stream_(stream) {
    LeafPeers peers{rank_, count_, {}};
    for (int k = 0; k < count_; ++k) peers.of[k] = &inbox(k)->leaves;
    check(cudaMemcpy(&own()->peers, &peers, sizeof peers, cudaMemcpyHostToDevice));
    clear_leaves_kernel<<<1, 1024, 0, stream_>>>(&own()->leaves);
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream_));
  }
  PeerRows(const PeerRows&) = delete;
  ~PeerRows() override { cudaStreamSynchronize(stream_); }

  const LeafPeers* leaf_peers() const override { return &own()->peers; }
  void gather(double*, const Bands&, int) override {
    throw std::logic_error("kernels bring each other the leaves of sums here");
  }
  void fetch_ghosts(const Extent& e, int depth, std::span<const RowsInMemory> fields) override {
    const std::size_t bytes =
        fields.size() * std::size_t(depth) * fields[0].pitch * (e.ring && count_ == 2 ? 2 : 1);
    exchange<Partners<2>>(ghost_messages(e, depth, fields, rank_, count_), 1, 1, bytes);
  }
  void fetch_all(std::span<const int> start, std::span<const RowsInMemory> fields) override {
    using Some = Partners<6>;
    std::size_t rows = 0;
    for (std::size_t k = 0; k + 1 < start.size(); ++k)
      rows = std::max(rows, std::size_t(start[k + 1] - start[k]));
    const RowMessages all = messages_to_all(start, fields, rank_);
    for (int near = 1; near <= count_ / 2; near += Some::most / 2)
      exchange<Some>(all, near, near + Some::most / 2 - 1, fields.size() * rows * fields[0].pitch);
  }
  int ranks() const override { return count_; }
  bool can_be_recorded() const override { return true; }

 private:
  Inbox* inbox(int k) const { return reinterpret_cast<Inbox*>(memory_->of(k)); }
  Inbox* own() const { return inbox(rank_); }
  /// With the ranks that are `near` to `far` places before and after this one. Each message has `most` bytes at most; those
  /// that are longer than the room for one go in pieces.
  template <class P>
  void exchange(const RowMessages& all, int near, int far, std::size_t most) {
    std::vector<int> with;
    for (int d = near; d <= std::min(far, count_ / 2); ++d)
      for (const int k : {(rank_ + count_ - d) % count_, (rank_ + d) % count_})
        if (std::find(with.begin(), with.end(), k) == with.end() && has(all.sends, k)) with.push_back(k);
    if (with.empty()) return;
    for (std::size_t from = 0; from < most; from += most_bytes)
      exchange<P>(all, with, from, std::min(from + most_bytes, most));
  }
  static bool has(const std::vector<Ranks::Message>& messages, int with) {
    return std::any_of(messages.begin(), messages.end(), [&](const auto& m) { return m.rank == with; });
  }
  /// Bytes `from` to `end` - 1 of what goes to each of those ranks.
  template <class P>
  void exchange(const RowMessages& all, const std::vector<int>& with, std::size_t from, std::size_t end) {
    const int packs = int((end - from) / sizeof(double2)),
              blocks = std::clamp(packs / (2 * row_threads), 1, blocks_at_once / P::most);
    P partners;
    for (std::size_t k = 0; k < with.size(); ++k) {
      Partner& p = partners.all[k];
      p.rank = with[k];
      p.inbox = inbox(p.rank);
      p.sent_parts = cut(all.sends, p.rank, from, end, p.sent);
      p.received_parts = cut(all.receives, p.rank, from, end, p.received);
    }
    exchange_rows_kernel<<<dim3(unsigned(blocks), unsigned(with.size())), row_threads, 0, stream_>>>(
        partners, rank_, own());
    check(cudaGetLastError());
  }
  /// The parts of bytes `from` to `end` - 1 of all messages with one rank; returns how many.
  static int cut(const std::vector<Ranks::Message>& messages, int with, std::size_t from, std::size_t end,
                 Part (&parts)[most_parts]) {
    int count = 0;
    std::size_t at = 0;
    for (const Ranks::Message& m : messages) {
      if (m.rank != with) continue;
      const std::size_t first = std::max(at, from), last = std::min(at + m.bytes, end);
      if (first < last) {
        if (count == most_parts) throw std::logic_error("more fields than an exchange of rows has room for");
        char* const p = static_cast<char*>(m.at) + (first - at);
        parts[count++] = {reinterpret_cast<double2*>(p), int((last - first) / sizeof(double2))};
      }
      at += m.bytes;
    }
    return count;
  }

  const int rank_, count_;
  const std::unique_ptr<PeerMemory> memory_;
  const cudaStream_t stream_;
};

}  // namespace

std::unique_ptr<SharedRows> make_peer_rows(Ranks& ranks, cudaStream_t stream) {
  const bool on_one_host = ranks.on_host().count == ranks.count() && ranks.count() <= LeafPeers::most;
  if (ranks.any<1>({!on_one_host})[0]) return nullptr;
  auto memory = PeerMemory::allocate(ranks, Inbox::bytes(ranks.count()));
  if (!memory) return nullptr;
  auto rows = std::make_unique<PeerRows>(ranks.rank(), ranks.count(), std::move(memory), stream);
  ranks.all_of(0);  // none writes before all are ready
  return rows;
}

}  // namespace wavesim
