// Compiled once for each backend (levels.cpp says why).
#include "solvers/triangular/chains.hpp"

#include "kernels/backend/backend.hpp"
#include "kernels/lists/lane_strided.hpp"
#include "kernels/sptrsv/levels_of_chains.hpp"

namespace wavesim {

/// What is counted while rows are linked.
struct LinkCounts {
  double chains = 0, rows = 0, width = 0, others = 0;
  HD void join(const LinkCounts& o) {
    chains += o.chains;
    rows += o.rows;
    width = o.width > width ? o.width : width;
    others = o.others > others ? o.others : others;
  }
};

/// Rows at which a walk along a chain ends, and which are ranked first: one row in each `apart`, at a random
/// place among them, so that the chains of a regular matrix meet one often.
struct Milestone {
  static constexpr int apart = 16;
  HD static int of(int k) { return k / apart * apart + int((unsigned(k / apart) * 2654435761u) >> 28); }
};
static_assert(Milestone::apart == 1 << (32 - 28));

/// A walk and the steps from its start in one word, which one load reads.
struct WalkLink {
  unsigned long long word;
  HD static WalkLink of(int walk, int steps) {
    return {static_cast<unsigned long long>(unsigned(walk)) << 32 | unsigned(steps)};
  }
  HD int walk() const { return int(word >> 32); }
  HD int steps() const { return int(unsigned(word)); }
};

/// Which row of a triangle continues the chain of which.
template <class B>
struct ChainLinks {
  Buffer<B, int> next;   // at each place in the order of the solve: the next of its chain, or 0
  Buffer<B, int> heads;  // how many chains begin before a place
};

template <class B>
ChainLinks<B> link_rows(B& be, const SparseRows<B>& A, Triangle side, Chains<B>& c) {
  const int n = A.rows;
  const SparseRowsView a = A.view();
  const SolveOrder order = solve_order(side, n);
  ChainLinks<B> links{Buffer<B, int>(be, n), Buffer<B, int>(be, std::size_t(n) + 1)};
  const Buffer<B, int> firsts(be, n);
  const Buffer<B, LinkCounts> counts(be, 1);
  int *first = firsts.data(), *next = links.next.data(), *head = links.heads.data();
  // n less the first place that depends on it; 0: none
  each(be, "the first that waits", n, 12, [=] KERNEL(int k) {
    const int i = order(k);
    for (int e = a.start[i]; e < a.start[i + 1]; ++e)
      if (const int j = a.column[e]; order.before(j, i)) raise_to(first + order(j), n - k);
  });
  be.rows_sum(
      "chains, a link each", vector_extent(n), 20, counts.data(),
      [=] KERNEL(Row r) {
        LinkCounts seen;
        const int k = r.i;
        if (k >= n) return seen;
        const int i = order(k), begin = a.start[i], end = a.start[i + 1];
        if (begin == end) return seen;
        int from = -1, waits = 0;
        for (int e = begin; e < end; ++e) {
          const int j = a.column[e];
          if (!order.before(j, i)) continue;
          ++waits;
          const int there = order(j);
          if (first[there] == n - k && there > from && a.start[j] < a.start[j + 1]) from = there;
        }
        if (from >= 0)
          next[from] = k;
        else
          head[k] = 1;
        seen.chains = from < 0;
        seen.rows = 1;
        seen.width = waits;
        seen.others = waits - (from >= 0);
        return seen;
      },
      NoEpilogue{});
  const LinkCounts found = read(be, counts, 0);
  c.count = int(found.chains);
  c.rows = int(found.rows);
  c.width = int(found.width);
  c.others = int(found.others);
  sums_before(be, head, n + 1);
  return links;
}

/// A list is ranked by walks from its heads and milestones up to the next one; walks are ranked by doubling.
template <class B>
Chains<B> find_chains(B& be, const SparseRows<B>& A, Triangle side) {
  const int n = A.rows;
  const SparseRowsView a = A.view();
  const SolveOrder order = solve_order(side, n);
  Chains<B> c;
  if (n == 0) return c;
  const ChainLinks<B> links = link_rows(be, A, side, c);
  const int *next = links.next.data(), *head = links.heads.data(), count = c.count;
  const int walks = count == 0 ? 0 : count + (n + Milestone::apart - 1) / Milestone::apart;
  c.start = Buffer<B, int>(be, std::size_t(count) + 1);
  c.of = Buffer<B, ChainPlace>(be, n);
  ChainPlace* of = c.of.data();
  int* start = c.start.data();
  const Buffer<B, int> begins(be, count), lengths(be, walks);
  const Buffer<B, unsigned long long> before(be, walks);
  int *begin = begins.data(), *length = lengths.data();
  unsigned long long* link = before.data();
  each(be, "heads of chains", n, 8, [=] KERNEL(int k) {
    if (head[k + 1] > head[k]) begin[head[k]] = k;
  });
  lane_strided_each(be, "walks along chains", walks, 200, [=] KERNEL(int w) {
    int k, steps = 0;
    if (w < count) {
      k = begin[w];
      link[w] = WalkLink::of(w, 0).word;
    } else {
      k = Milestone::of((w - count) * Milestone::apart);
      if (k >= n || head[k + 1] > head[k] || a.start[order(k)] == a.start[order(k) + 1]) return;
    }
    do {
      of[order(k)] = {w, steps++};
      k = next[k];
    } while (k > 0 && k != Milestone::of(k));
    if (k > 0)
      link[count + k / Milestone::apart] = WalkLink::of(w, steps).word;
    else
      length[w] = steps;
  });
  const Buffer<B, Sum<1>> lefts(be, 1);
  if (count > 0) do {
      constexpr int hops = 3, rounds = 4;
      for (int round = 0; round < rounds; ++round)
        each(be, "walks, four times as long", walks, 24, [=] KERNEL(int w) {
          WalkLink to{racing_load(link + w)};
          if (to.walk() < count) return;
          for (int hop = 0; hop < hops && to.walk() >= count; ++hop) {
            const WalkLink on{racing_load(link + to.walk())};
            to = WalkLink::of(on.walk(), to.steps() + on.steps());
          }
          racing_store(link + w, to.word);
        });
      be.rows_sum(
          "walks not ranked yet", vector_extent(walks), 8, lefts.data(),
          [=] KERNEL(Row r) {
            Sum<1> left;
            left.v[0] = r.i < walks && WalkLink{link[r.i]}.walk() >= count;
            return left;
          },
          NoEpilogue{});
    } while (read(be, lefts, 0).v[0] > 0);
  each(be, "lengths of chains", walks, 8, [=] KERNEL(int w) {
    if (length[w] > 0) start[WalkLink{link[w]}.walk()] = WalkLink{link[w]}.steps() + length[w];
  });
  sums_before(be, start, count + 1);
  each(be, "places in chains", n, 24, [=] KERNEL(int i) {
    if (a.start[i] == a.start[i + 1]) {
      of[i] = {-1, 0};
    } else {
      const ChainPlace walked = of[i];
      const WalkLink from{link[walked.chain]};
      of[i] = {from.walk(), from.steps() + walked.place};
    }
  });
  return c;
}

template <class B>
bool can_be_walked(const Chains<B>& chains) {
  return chains.others <= ChainRow::words;
}

template <class B>
bool worth_walking(B& be, const Chains<B>& chains) {
  constexpr int length = 16;  // on average; shorter walks cost little more than their start
  return can_be_walked(chains) && chains.count <= chains_at_once(be) &&
         chains.rows >= length * long(chains.count);
}

template <class B>
void levels_by_chains(B& be, const SparseRows<B>& A, Triangle side, const Chains<B>& chains, int* level) {
  const int n = A.rows;
  const SparseRowsView a = A.view();
  const SolveOrder order = solve_order(side, n);
  const Buffer<B, ChainRow> rows(be, chains.rows);
  const ChainPlace* of = chains.of.data();
  const int* start = chains.start.data();
  ChainRow* row = rows.data();
  each(be, "rows of chains", n, 40, [=] KERNEL(int i) {
    const ChainPlace own = of[i];
    level[i] = own.chain < 0 ? 0 : -1;
    if (own.chain < 0) return;
    constexpr int nobody = ChainWord::known(0);
    int word[ChainRow::words] = {nobody, nobody, nobody}, others = 0;
    for (int e = a.start[i]; e < a.start[i + 1]; ++e) {
      const int j = a.column[e];
      if (!order.before(j, i)) continue;
      const ChainPlace its = of[j];
      if (its.chain == own.chain) continue;
      const bool near =
          its.chain >= 0 && its.chain / chain_group == own.chain / chain_group && ChainWord::fits(its.place);
      const int wanted = near ? ChainWord::near(its.chain, its.place) : ChainWord::far(j);
      UNROLL_REGISTERS for (int w = 0; w < ChainRow::words; ++w) word[w] = w == others ? wanted : word[w];
      ++others;
    }
    row[start[own.chain] + own.place] = {i, {word[0], word[1], word[2]}};
  });
  levels_of_chains(be, {chains.count, chains.others, start, row}, order.forward, {a.start, a.column}, level);
}

template bool can_be_walked(const Chains<Backend>&);
template Chains<Backend> find_chains(Backend&, const SparseRows<Backend>&, Triangle);
template bool worth_walking(Backend&, const Chains<Backend>&);
template void levels_by_chains(Backend&, const SparseRows<Backend>&, Triangle, const Chains<Backend>&, int*);

}  // namespace wavesim
