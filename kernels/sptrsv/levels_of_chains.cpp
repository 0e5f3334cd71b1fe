#include "kernels/sptrsv/levels_of_chains.hpp"

#include <algorithm>

#include "kernels/backend/host.hpp"

namespace wavesim {

int chains_at_once(Host&) { return 0; }

/// Each chain in its turn, as far as it gets: for tests of the deal.
void levels_of_chains(Host& be, const ChainRows& chains, bool, Dependencies, int* depth) {
  be.counts().add("depths by chains", 0, false);
  std::vector<int> next(chains.start, chains.start + chains.count), above(chains.count, 0);
  /// One more than the depth of a row that one of this chain waits for, or 0 if that is not known yet.
  const auto look = [&](int chain, int word) {
    if (ChainWord::is_far(word)) return depth[ChainWord::row(word)] + 1;
    const int other = chain / chain_group * chain_group + ChainWord::lane(word);
    return depth[chains.row[chains.start[other] + ChainWord::place(word)].row] + 1;
  };
  const auto step = [&](int chain) {
    const ChainRow& r = chains.row[next[chain]];
    int d = above[chain];
    for (const int w : r.other) {
      const int its = ChainWord::is_known(w) ? ChainWord::above(w) : look(chain, w);
      if (its == 0 && !ChainWord::is_known(w)) return false;
      d = std::max(d, its);
    }
    depth[r.row] = d;
    above[chain] = d + 1;
    ++next[chain];
    return true;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (int c = 0; c < chains.count; ++c)
      while (next[c] < chains.start[c + 1] && step(c)) moved = true;
  }
}

}  // namespace wavesim
