#include "kernels/comm/peer_rows.hpp"

#include <algorithm>
#include <cuda/atomic>
#include <stdexcept>
#include <vector>

#include "kernels/backend/cuda_check.hpp"
#include "kernels/comm/ghost_messages.hpp"
#include "kernels/comm/peer_leaves.hpp"
#include "kernels/comm/peer_memory.hpp"

namespace wavesim {

namespace {

/// Counts exchanges, alike on all ranks.
using Turn = unsigned long long;

constexpr int most_parts = 16;   // of a message
constexpr int most_blocks = 64;  // of threads, for a neighbour
constexpr int row_threads = 512;
constexpr std::size_t most_bytes = 4 << 20;  // of a message to a neighbour

/// What others write to the memory of a rank. Two places for each message, in turns: a sender is at most one exchange ahead of
/// the receiver, since it waits for the receiver's own message of each.
struct Inbox {
  double2 rows[2][2][most_bytes / sizeof(double2)];  // of the neighbour below, and of the one above
  Turn rows_came[2][most_blocks];
  LeafInbox leaves;
  // What only the rank itself uses.
  LeafPeers peers;
  Turn rows_turn;
  unsigned ticket;
};

/// Rows that go to a neighbour, or come from it.
struct Part {
  double2* at;
  int packs;
};
struct Neighbour {
  Part sent[most_parts], received[most_parts];
  int parts = 0;
  Inbox* inbox = nullptr;  // of the neighbour
  int place_there = 0,
      place_here = 0;  // of this rank in its inbox, and of it in this rank's: 0 below, 1 above
};
struct Neighbours {
  Neighbour all[2];
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

/// A block writes its share of what goes to a neighbour, and reads the share that the same block there has written.
__global__ void __launch_bounds__(row_threads)
    exchange_rows_kernel(const __grid_constant__ Neighbours neighbours, Inbox* own) {
  const Neighbour& n = neighbours.all[blockIdx.y];
  const Turn turn = own->rows_turn + 1;
  const int place = int(turn % 2), block = blockIdx.x;
  copy_share<true>(n.sent, n.parts, gridDim.x, n.inbox->rows[n.place_there][place]);
  __syncthreads();
  if (threadIdx.x == 0) {
    raise(n.inbox->rows_came[n.place_there][block], turn);
    wait_for(own->rows_came[n.place_here][block], turn);
  }
  __syncthreads();
  copy_share<false>(n.received, n.parts, gridDim.x, own->rows[n.place_here][place]);
  if (threadIdx.x == 0) {  // the last block begins the next turn
    const unsigned last = gridDim.x * gridDim.y - 1;
    if (atomicInc(&own->ticket, last) == last) own->rows_turn = turn;
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
  /// Messages that are longer than the room for one go in pieces.
  void fetch_ghosts(const Extent& e, int depth, std::span<const RowsInMemory> fields) override {
    const GhostMessages all = ghost_messages(e, depth, fields, rank_, count_);
    const std::size_t in_all =
        fields.size() * std::size_t(depth) * fields[0].pitch * (e.ring && count_ == 2 ? 2 : 1);
    for (std::size_t from = 0; from < in_all; from += most_bytes)
      exchange(all, from, std::min(from + most_bytes, in_all));
  }
  bool can_be_recorded() const override { return true; }

 private:
  Inbox* inbox(int k) const { return reinterpret_cast<Inbox*>(memory_->of(k)); }
  Inbox* own() const { return inbox(rank_); }
  /// Bytes `from` to `end` - 1 of what goes to each neighbour.
  void exchange(const GhostMessages& all, std::size_t from, std::size_t end) {
    const int packs = int((end - from) / sizeof(double2)),
              blocks = std::clamp(packs / (2 * row_threads), 1, most_blocks);
    Neighbours neighbours;
    int count = 0;
    for (const int with : {(rank_ + count_ - 1) % count_, (rank_ + 1) % count_}) {
      Neighbour& n = neighbours.all[count];
      n.parts = cut(all.sends, with, from, end, n.sent);
      if (cut(all.receives, with, from, end, n.received) != n.parts)
        throw std::logic_error("ranks exchange as many rows as they get");
      if (n.parts == 0) continue;
      n.inbox = inbox(with);
      n.place_here = with == (rank_ + 1) % count_;
      n.place_there = rank_ == (with + 1) % count_;
      ++count;
      if (count_ == 2) break;  // both neighbours are one
    }
    exchange_rows_kernel<<<dim3(unsigned(blocks), unsigned(count)), row_threads, 0, stream_>>>(neighbours,
                                                                                               own());
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
  auto memory = PeerMemory::allocate(ranks, sizeof(Inbox));
  if (!memory) return nullptr;
  auto rows = std::make_unique<PeerRows>(ranks.rank(), ranks.count(), std::move(memory), stream);
  ranks.all_of(0);  // none writes before all are ready
  return rows;
}

}  // namespace wavesim
