#ifdef WAVESIM_HAVE_CUDA

#include "kernels/comm/staged_device_rows.hpp"

#include "kernels/backend/cuda_check.hpp"
#include "kernels/comm/row_messages.hpp"
#include "kernels/comm/row_share.hpp"

namespace wavesim {

void StagedDeviceRows::gather(double* leaves, const Bands& bands, int doubles) {
  const auto start = bytes_of_leaves(bands, doubles, ranks_.count());
  const std::size_t first = start[std::size_t(ranks_.rank())], end = start[std::size_t(ranks_.rank()) + 1];
  received_.resize(start.back());
  check(cudaMemcpyAsync(received_.data() + first, reinterpret_cast<char*>(leaves) + first, end - first,
                        cudaMemcpyDeviceToHost, stream_));
  check(cudaStreamSynchronize(stream_));
  ranks_.all_gather(received_.data(), start);
  check(cudaMemcpyAsync(leaves, received_.data(), start.back(), cudaMemcpyHostToDevice, stream_));
  check(cudaStreamSynchronize(stream_));
}

void StagedDeviceRows::fetch_ghosts(const Extent& e, int depth, std::span<const RowsInMemory> fields) {
  exchange(ghost_messages(e, depth, fields, ranks_.rank(), ranks_.count()));
}

void StagedDeviceRows::fetch_all(std::span<const int> start, std::span<const RowsInMemory> fields) {
  exchange(messages_to_all(start, fields, ranks_.rank()));
}

void StagedDeviceRows::exchange(const RowMessages& all) {
  /// The same messages from and to memory of the host, and copies between that and the GPU's.
  const auto staged = [](const std::vector<Ranks::Message>& messages, std::vector<char>& memory) {
    std::size_t bytes = 0;
    for (const Ranks::Message& m : messages) bytes += m.bytes;
    memory.resize(bytes);
    std::vector<Ranks::Message> here = messages;
    char* at = memory.data();
    for (Ranks::Message& m : here) m.at = at, at += m.bytes;
    return here;
  };
  const auto sends = staged(all.sends, sent_), receives = staged(all.receives, received_);
  for (std::size_t k = 0; k < sends.size(); ++k)
    check(cudaMemcpyAsync(sends[k].at, all.sends[k].at, sends[k].bytes, cudaMemcpyDeviceToHost, stream_));
  check(cudaStreamSynchronize(stream_));
  ranks_.exchange(sends, receives);
  for (std::size_t k = 0; k < receives.size(); ++k)
    check(cudaMemcpyAsync(all.receives[k].at, receives[k].at, receives[k].bytes, cudaMemcpyHostToDevice,
                          stream_));
  check(cudaStreamSynchronize(stream_));
}

}  // namespace wavesim

#endif
