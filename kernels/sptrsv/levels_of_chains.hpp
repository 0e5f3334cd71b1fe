#pragma once
// Depths (levels_of_list.hpp) by chains of rows, each of which waits for the one before: a lane takes the
// rows of a chain in their order and has the depth of the last one at hand, so that it only waits for rows of
// other chains. Where chains side by side wait for each other step by step, as the lines of a grid do, a lane
// finds what it waits for with its neighbours in fast memory, and a level costs a few instructions instead
// of a store that others see and a poll that sees it.

#include "kernels/backend/access.hpp"

namespace wavesim {

class Host;
class Cuda;

/// Chains whose lanes share fast memory.
inline constexpr int chain_group = 32;

/// What a lane reads of a row: which one it is, and the others that it waits for, as words.
struct alignas(16) ChainRow {
  static constexpr int room = 3;
  int row, other[room];
};

/// In a word: a row of any chain (less than 0), a row of the same group of chains, or a depth that is known.
struct ChainWord {
  static constexpr int place_bits = 25, first_known = chain_group << place_bits;
  HD static int far(int row) { return ~row; }
  HD static bool is_far(int word) { return word < 0; }
  HD static int row(int word) { return ~word; }
  /// The row at a place of a chain, if that has few enough rows.
  HD static bool fits(int place) { return place >> place_bits == 0; }
  HD static int near(int chain, int place) { return (chain % chain_group) << place_bits | place; }
  HD static int lane(int word) { return int(unsigned(word) >> place_bits) & (chain_group - 1); }
  HD static int place(int word) { return word & ((1 << place_bits) - 1); }
  /// Deeper by one than a row whose depth is known; `known(0)`: than none.
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

/// How many chains can be walked at once, each waiting for others; 0: rows one after the other are as fast.
int chains_at_once(Host& be);
int chains_at_once(Cuda& be);

/// depth[i] of the rows of all chains: -1 before. What is in no chain holds its depth already.
void levels_of_chains(Host& be, const ChainRows& chains, bool forward, Dependencies on, int* depth);
void levels_of_chains(Cuda& be, const ChainRows& chains, bool forward, Dependencies on, int* depth);

}  // namespace wavesim
