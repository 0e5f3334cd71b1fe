#pragma once
// Rows of GPUs that go through memory of the host: the way that needs no library, and that ranks have which share a GPU.

#include <cuda_runtime_api.h>

#include <vector>

#include "kernels/comm/ranks.hpp"
#include "kernels/comm/row_messages.hpp"
#include "kernels/comm/shared_rows.hpp"

namespace wavesim {

/// Waits for the stream: nothing of it can be recorded.
class StagedDeviceRows final : public SharedRows {
 public:
  StagedDeviceRows(Ranks& ranks, cudaStream_t stream) : ranks_(ranks), stream_(stream) {}
  void gather(double* leaves, const Bands& bands, int doubles) override;
  void fetch_ghosts(const Extent& e, int depth, std::span<const RowsInMemory> fields) override;
  void fetch_all(std::span<const int> start, std::span<const RowsInMemory> fields) override;
  int ranks() const override { return ranks_.count(); }

 private:
  void exchange(const RowMessages& all);

  Ranks& ranks_;
  const cudaStream_t stream_;
  std::vector<char> sent_, received_;  // of the host
};

}  // namespace wavesim
