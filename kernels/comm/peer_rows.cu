#include "kernels/comm/peer_rows.hpp"

#include <algorithm>
#include <cuda/atomic>
#include <stdexcept>
#include <vector>

#include "kernels/backend/cuda_check.hpp"
#include "kernels/comm/ghost_messages.hpp"
#include "kernels/comm/peer_memory.hpp"
#include "kernels/comm/row_share.hpp"

namespace wavesim {

namespace {

/// Counts exchanges, alike on all ranks.
using Turn = unsigned long long;

constexpr int most_parts = 16, most_blocks = 64,
              most_ranks = 64;  // of a neighbour: parts, and blocks of threads
constexpr int row_threads = 512, leaf_threads = 1024;
constexpr std::size_t most_bytes = 4 << 20;        // of a message to a neighbour
constexpr std::size_t most_leaf_bytes = 32 << 10;  // of all ranks

/// What others write to the memory of a rank. Two places for each message, in turns: a sender is at most one exchange ahead of
/// the receiver, since it waits for the receiver's own message of each.
struct Inbox {
  double2 rows[2][2][most_bytes / sizeof(double2)];  // of the neighbour below, and of the one above
  double leaves[2][most_leaf_bytes / sizeof(double)];
  Turn rows_came[2][most_blocks], leaves_came[most_ranks];
  // What only the rank itself uses.
  Turn rows_turn, leaves_turn;
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
  Inbox* inbox = nullptr;       // of the neighbour
  int mine_is = 0, its_is = 0;  // this rank's place there, and the neighbour's here: 0 below, 1 above
};
struct Neighbours {
  Neighbour all[2];
};

/// Whoever waits for it sees what the threads of this block wrote before their last barrier.
__device__ void raise(Turn& flag, Turn turn) {
  cuda::atomic_ref<Turn, cuda::thread_scope_system>(flag).store(turn, cuda::memory_order_release);
}
__device__ void wait_for(Turn& flag, Turn turn) {
  const cuda::atomic_ref<Turn, cuda::thread_scope_system> seen(flag);
  while (seen.load(cuda::memory_order_acquire) < turn) {
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
  copy_share<true>(n.sent, n.parts, gridDim.x, n.inbox->rows[n.mine_is][place]);
  __syncthreads();
  if (threadIdx.x == 0) {
    raise(n.inbox->rows_came[n.mine_is][block], turn);
    wait_for(own->rows_came[n.its_is][block], turn);
  }
  __syncthreads();
  copy_share<false>(n.received, n.parts, gridDim.x, own->rows[n.its_is][place]);
  if (threadIdx.x == 0) {  // the last block begins the next turn
    const unsigned last = gridDim.x * gridDim.y - 1;
    if (atomicInc(&own->ticket, last) == last) own->rows_turn = turn;
  }
}

struct Inboxes {
  Inbox* of[most_ranks];
};
struct LeafPlaces {
  int first[most_ranks + 1];  // doubles
};

__global__ void __launch_bounds__(leaf_threads)
    gather_leaves_kernel(const __grid_constant__ Inboxes inboxes, int rank, int ranks,
                         const __grid_constant__ LeafPlaces places, double* leaves) {
  Inbox* const own = inboxes.of[rank];
  const Turn turn = own->leaves_turn + 1;
  const int place = int(turn % 2), first = places.first[rank], end = places.first[rank + 1];
  for (int k = first + threadIdx.x; k < end; k += leaf_threads) {
    const double leaf = leaves[k];
    for (int r = 0; r < ranks; ++r)
      if (r != rank) inboxes.of[r]->leaves[place][k] = leaf;
  }
  __syncthreads();
  const int other = threadIdx.x;
  if (other < ranks && other != rank) {
    raise(inboxes.of[other]->leaves_came[rank], turn);
    wait_for(own->leaves_came[other], turn);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < places.first[ranks]; k += leaf_threads)
    if (k < first || k >= end) leaves[k] = __ldcg(&own->leaves[place][k]);
  if (threadIdx.x == 0) own->leaves_turn = turn;
}

class PeerRows final : public SharedRows {
 public:
  PeerRows(int rank, int count, std::unique_ptr<PeerMemory> memory, cudaStream_t stream)
      : rank_(rank), count_(count), memory_(std::move(memory)), stream_(stream) {
    for (int k = 0; k < count_; ++k) inboxes_.of[k] = reinterpret_cast<Inbox*>(memory_->of(k));
  }
  PeerRows(const PeerRows&) = delete;
  ~PeerRows() override { cudaStreamSynchronize(stream_); }

  void gather(double* leaves, const Bands& bands, int doubles) override {
    const auto start = bytes_of_leaves(bands, doubles, count_);
    if (start.back() > most_leaf_bytes)
      throw std::logic_error("more leaves of a sum than ranks make room for");
    LeafPlaces places{};
    for (int k = 0; k <= count_; ++k) places.first[k] = int(start[std::size_t(k)] / sizeof(double));
    gather_leaves_kernel<<<1, leaf_threads, 0, stream_>>>(inboxes_, rank_, count_, places, leaves);
    check(cudaGetLastError());
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
      n.inbox = inboxes_.of[with];
      n.its_is = with == (rank_ + 1) % count_;
      n.mine_is = rank_ == (with + 1) % count_;
      ++count;
      if (count_ == 2) break;  // both neighbours are one
    }
    exchange_rows_kernel<<<dim3(unsigned(blocks), unsigned(count)), row_threads, 0, stream_>>>(
        neighbours, inboxes_.of[rank_]);
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
  Inboxes inboxes_{};
};

}  // namespace

std::unique_ptr<SharedRows> make_peer_rows(Ranks& ranks, cudaStream_t stream) {
  const bool on_one_host = ranks.on_host().count == ranks.count() && ranks.count() <= most_ranks;
  if (ranks.any<1>({!on_one_host})[0]) return nullptr;
  auto memory = PeerMemory::allocate(ranks, sizeof(Inbox));
  if (!memory) return nullptr;
  return std::make_unique<PeerRows>(ranks.rank(), ranks.count(), std::move(memory), stream);
}

}  // namespace wavesim
