#pragma once
// Rows of fields in the memory of the host, shared out among ranks.

#include "kernels/comm/ranks.hpp"
#include "kernels/comm/shared_rows.hpp"

namespace wavesim {

class SharedHostRows final : public SharedRows {
 public:
  explicit SharedHostRows(Ranks& ranks) : ranks_(ranks) {}
  void gather(double* leaves, const Bands& bands, int doubles) override;
  /// Each rank has at least `depth` rows.
  void fetch_ghosts(const Extent& e, int depth, std::span<const RowsInMemory> fields) override;
  void fetch_all(std::span<const int> start, std::span<const RowsInMemory> fields) override;
  int ranks() const override { return ranks_.count(); }

 private:
  Ranks& ranks_;
};

}  // namespace wavesim
