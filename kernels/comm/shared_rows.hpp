#pragma once
// What a backend asks of the other ranks: rows of fields that lie beside its own, and the leaves of sums.

#include <cstddef>
#include <span>

#include "kernels/grid/bands.hpp"

namespace wavesim {

struct LeafPeers;  // peer_leaves.hpp

/// Rows of a field: the address of element (0, 0), wherever that lies, and bytes from one row to the next.
struct RowsInMemory {
  void* first;
  std::size_t pitch;
};

/// In the memory of a backend and in the order of its other work.
class SharedRows {
 public:
  virtual ~SharedRows() = default;
  /// What stands between a reduction and its epilogue. `leaves` (sum_order.hpp) has `doubles` numbers for each band, of
  /// which those of this rank's bands are there. The others' are put in their places, and each rank joins them like one
  /// that has all rows: so all ranks have the same bits, and those of one rank alone, whatever joining means (a sum, the
  /// largest magnitude, the least eigenvalue).
  virtual void gather(double* leaves, const Bands& bands, int doubles) = 0;
  /// What kernels need to send each other their leaves, in memory of the GPU; null: `gather` does it.
  virtual const LeafPeers* leaf_peers() const { return nullptr; }
  /// `depth` rows of each field on either side of this rank's become those that their ranks have.
  virtual void fetch_ghosts(const Extent& e, int depth, std::span<const RowsInMemory> fields) = 0;
  /// Rows start[k] to start[k + 1] - 1 of each field are those of rank k; afterwards each rank has the rows of all.
  virtual void fetch_all(std::span<const int> start, std::span<const RowsInMemory> fields) = 0;
  virtual int ranks() const = 0;
  /// Whether a backend may record it with its other work and do all of that again.
  virtual bool can_be_recorded() const { return false; }
};

}  // namespace wavesim
