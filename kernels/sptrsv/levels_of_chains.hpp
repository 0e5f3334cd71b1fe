#pragma once
// Levels (levels_of_list.hpp) by chains of rows. Each row of a chain depends on the row before it. A lane takes
// the rows of one chain in their order and keeps the level of the last one, so it waits for rows of other
// chains only. Where neighbouring chains depend on each other row by row, as the lines of a grid do, a lane
// finds their levels in shared memory: a level costs a few instructions, not a store to global memory and a
// poll for it.

#include "kernels/backend/access.hpp"

namespace wavesim {

class Host;
class Cuda;

/// Chains whose lanes have common shared memory.
inline constexpr int chain_group = 32;

/// What a lane reads of a row: its index, and a ChainWord for each other row that it depends on.
struct alignas(16) ChainRow {
  static constexpr int words = 3;
  int row, other[words];
};

/// One word holds a row of any chain (less than 0), a row of the same group of chains, or a known level.
struct ChainWord {
  static constexpr int place_bits = 25, first_known = chain_group << place_bits;
  HD static int far(int row) { return ~row; }
  HD static bool is_far(int word) { return word < 0; }
  HD static int row(int word) { return ~word; }
  /// Whether a place in a chain fits into the bits that there are for it.
  HD static bool fits(int place) { return place >> place_bits == 0; }
  HD static int near(int chain, int place) { return (chain % chain_group) << place_bits | place; }
  HD static int lane(int word) { return int(unsigned(word) >> place_bits) & (chain_group - 1); }
  HD static int place(int word) { return word & ((1 << place_bits) - 1); }
  /// A known level, stored plus one: `known(0)` if the row depends on no other.
  HD static constexpr int known(int above) { return first_known + above; }
  HD static bool is_known(int word) { return word >= first_known; }
  HD static int above(int word) { return word - first_known; }
};
static_assert(ChainWord::first_known == 1 << 30);

/// Chain c has rows start[c] .. start[c + 1] - 1, ascending in the order of the solve.
struct ChainRows {
  int count, words;  // words: that are used in the rows
  const int* start;
  const ChainRow* row;
};

/// How many chains can be resident together and wait for one another; 0 where one row after the other is as
/// fast.
int chains_at_once(Host& be);
int chains_at_once(Cuda& be);

/// level[i] of the rows of all chains, -1 on entry. Rows in no chain hold their level on entry.
void levels_of_chains(Host& be, const ChainRows& chains, bool forward, Dependencies on, int* level);
void levels_of_chains(Cuda& be, const ChainRows& chains, bool forward, Dependencies on, int* level);

}  // namespace wavesim
