#ifdef WAVESIM_HAVE_CUDA

#include "kernels/comm/nccl_rows.hpp"

#ifdef WAVESIM_HAVE_NCCL

#include <nccl.h>

#include <cstdlib>
#include <exception>
#include <string>

#include "kernels/backend/errors.hpp"
#include "kernels/comm/row_messages.hpp"
#include "kernels/comm/row_share.hpp"

namespace wavesim {

namespace {

void check(ncclResult_t result) {
  if (result != ncclSuccess)
    throw DeviceError(std::string("NCCL, which connects GPUs: ") + ncclGetErrorString(result) +
                      "; NCCL_DEBUG=INFO says more");
}

/// What NCCL does between its start and end is one kernel.
class Group {
 public:
  Group() { check(ncclGroupStart()); }
  Group(const Group&) = delete;
  ~Group() {
    if (!ended_) ncclGroupEnd();
  }
  void end() {
    ended_ = true;
    check(ncclGroupEnd());
  }

 private:
  bool ended_ = false;
};

class NcclRows final : public SharedRows {
 public:
  NcclRows(Ranks& ranks, cudaStream_t stream) : rank_(ranks.rank()), count_(ranks.count()), stream_(stream) {
    // The body of a recorded loop may hold no event, and with mixing each call brings one.
    setenv("NCCL_GRAPH_MIXING_SUPPORT", "0", 0);
    setenv("NCCL_NVLS_ENABLE", "0", 0);  // multicast is for more than a few kilobytes
    ncclUniqueId id{};
    if (rank_ == 0) check(ncclGetUniqueId(&id));
    ranks.broadcast(&id, sizeof id);
    check(ncclCommInitRank(&comm_, count_, id, rank_));
  }
  NcclRows(const NcclRows&) = delete;
  ~NcclRows() override {
    if (std::uncaught_exceptions() > 0) {
      ncclCommAbort(comm_);  // others may not come to destroy it
    } else {
      cudaStreamSynchronize(stream_);
      ncclCommDestroy(comm_);
    }
  }

  void gather(double* leaves, const Bands& bands, int doubles) override {
    const auto start = bytes_of_leaves(bands, doubles, count_);
    const auto part = [&](int k) { return start[std::size_t(k) + 1] - start[std::size_t(k)]; };
    const auto at = [&](int k) { return reinterpret_cast<char*>(leaves) + start[std::size_t(k)]; };
    bool alike = true;
    for (int k = 1; k < count_; ++k) alike = alike && part(k) == part(0);
    if (alike) return check(ncclAllGather(at(rank_), leaves, part(0), ncclChar, comm_, stream_));
    Group group;
    for (int k = 0; k < count_; ++k) check(ncclBroadcast(at(k), at(k), part(k), ncclChar, k, comm_, stream_));
    group.end();
  }
  void fetch_ghosts(const Extent& e, int depth, std::span<const RowsInMemory> fields) override {
    exchange(ghost_messages(e, depth, fields, rank_, count_));
  }
  void fetch_all(std::span<const int> start, std::span<const RowsInMemory> fields) override {
    exchange(messages_to_all(start, fields, rank_));
  }
  int ranks() const override { return count_; }
  bool can_be_recorded() const override { return true; }

 private:
  void exchange(const RowMessages& all) {
    Group group;
    for (const Ranks::Message& m : all.sends)
      check(ncclSend(m.at, m.bytes, ncclChar, m.rank, comm_, stream_));
    for (const Ranks::Message& m : all.receives)
      check(ncclRecv(m.at, m.bytes, ncclChar, m.rank, comm_, stream_));
    group.end();
  }

  const int rank_, count_;
  const cudaStream_t stream_;
  ncclComm_t comm_ = nullptr;
};

}  // namespace

std::unique_ptr<SharedRows> make_nccl_rows(Ranks& ranks, cudaStream_t stream) {
  return std::make_unique<NcclRows>(ranks, stream);
}

}  // namespace wavesim

#else

namespace wavesim {

std::unique_ptr<SharedRows> make_nccl_rows(Ranks&, cudaStream_t) { return nullptr; }

}  // namespace wavesim

#endif
#endif
