#pragma once
// Depths (depth.hpp) by chains of rows, each of which waits for the one before: a lane takes the rows of a
// chain in their order and has the depth of the last one at hand, so that it only waits for rows of other
// chains. Where chains side by side wait for each other step by step, as the lines of a grid do, a lane
// finds what it waits for with its neighbours in fast memory, and a level costs a few instructions instead
// of a store that others see and a poll that sees it.

#include <climits>
#include <vector>

#include "kernels/access.hpp"

namespace wavesim {

class Host;
class Cuda;

/// Chains whose lanes share fast memory.
inline constexpr int chain_group = 32;

/// What a lane reads of a row: which one it is, and up to E others that it waits for, as words of ChainWord.
template <int E>
struct alignas(4 * (E + 1)) ChainRow {
  int row, other[E];
};
struct ChainWord {
  static constexpr int nobody = INT_MAX;
  static constexpr int more = INT_MAX - 1;  // than there is room for: the row of the matrix says
  static constexpr int place_bits = 25;
  /// A row of any chain; less than 0.
  HD static int far(int row) { return ~row; }
  /// The row at a place of a chain of the same group, if that stands far enough ahead.
  HD static bool fits(int place) { return place >> place_bits == 0; }
  HD static int near(int chain, int place) { return (chain % chain_group) << place_bits | place; }
  HD static int lane(int word) { return (word >> place_bits) & (chain_group - 1); }
  HD static int place(int word) { return word & ((1 << place_bits) - 1); }
};
static_assert(chain_group == 32 && ChainWord::place_bits == 25);  // words near by are less than 2^30

/// Chain c has rows start[c] .. start[c + 1] - 1, ascending in the order of the solve.
template <int E>
struct ChainRows {
  int count;
  const int* start;
  const ChainRow<E>* row;
};

/// Room for what most rows wait for, where a row waits for so many others at most.
inline int chain_words(int others) { return others <= 1 ? 1 : 3; }

/// How many chains with so many words to a row can be walked at once, each waiting for others; 0: rows one
/// after the other are as fast.
int chains_at_once(Host& be, int words);
int chains_at_once(Cuda& be, int words);

/// depth[i] of the rows of all chains, of n rows: -1 before. What is in no chain holds its depth already.
template <int E>
void chain_depths(Host& be, const ChainRows<E>& chains, int n, bool forward, Dependencies on, int* depth);
template <int E>
void chain_depths(Cuda& be, const ChainRows<E>& chains, int n, bool forward, Dependencies on, int* depth);

}  // namespace wavesim
