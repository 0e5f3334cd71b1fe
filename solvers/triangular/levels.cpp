// Compiled once for each backend, like all set-ups on the device: nvcc keeps what a lambda for both
// processors needs in memory of the translation unit, and templates that several of them instantiate would
// mix it up.
#include "solvers/triangular/levels.hpp"

#include "kernels/backend/backend.hpp"
#include "kernels/lists/largest.hpp"
#include "kernels/sptrsv/levels_of_chains.hpp"
#include "kernels/sptrsv/levels_of_list.hpp"

namespace wavesim {

template <class B>
void Levels<B>::find(B& be, const SparseRows<B>& A, Triangle side) {
  const SparseRowsView a = A.view();
  constexpr int few = 1 << 16;  // with so few rows, one after the other is as fast as finding chains
  const bool look = A.rows >= few && chains_at_once(be) > 0;
  if (look) chains = find_chains(be, A, side);
  if (look && worth_walking(be, chains))
    levels_by_chains(be, A, side, chains, level.data());
  else
    levels_of(be, A.rows, side == Triangle::lower, {a.start, a.column}, level.data());
  count_levels(be, a.start);
}

template <class B>
void Levels<B>::count_levels(B& be, const int* start) {
  int* levels = level.data();
  count = 1 + largest_of(be, "number of levels", int(level.size()), 12, [=] KERNEL(int i) {
            if (start[i] == start[i + 1]) levels[i] = -1;
            return levels[i];
          });
}

template <class B, class T>
Levels<B> levels_in_place(B& be, const Csr<B, T>& A, int n) {
  const CsrView<T> a = A.view();
  const int entries = int(A.entries());
  const Buffer<B, int> waits(be, entries), neighbours(be, entries), starts(be, std::size_t(n) + 1);
  int *waiting = waits.data(), *neighbour = neighbours.data(), *start = starts.data();
  each(be, "rows that wait", n, 60, [=] KERNEL(int i) {
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const int j = a.column[k], later = i > j ? i : j;
      waiting[k] = later;
      neighbour[k] = i > j ? j : i;
      add_to(start + later, 1);
    }
  });
  sums_before(be, start, n + 1);
  sort_by_key(be, waiting, neighbour, entries, bits_of(n));
  Levels<B> levels;
  levels.level = Buffer<B, int>(be, n);
  levels_of(be, n, true, {start, neighbour}, levels.level.data());
  levels.count_levels(be, a.start);
  return levels;
}

template <class B>
Buffer<B, int> by_level(B& be, const Levels<B>& levels) {
  const int n = int(levels.level.size()), count = levels.count;
  const Buffer<B, int> keys(be, n);
  Buffer<B, int> order(be, n);
  int *key = keys.data(), *row = order.data();
  const int* level = levels.level.data();
  each(be, "levels as keys", n, 12, [=] KERNEL(int i) {
    key[i] = level[i] < 0 ? count : level[i];
    row[i] = i;
  });
  sort_by_key(be, key, row, n, bits_of(count));
  return order;
}

template <class B>
std::vector<int> level_starts(B& be, const Levels<B>& levels, const Buffer<B, int>& order) {
  const int n = int(order.size()), count = levels.count;
  const Buffer<B, int> starts(be, std::size_t(count) + 1);
  int* start = starts.data();
  const int *level = levels.level.data(), *row = order.data();
  each(be, "starts of levels", n, 12, [=] KERNEL(int k) {
    const int own = level[row[k]];
    if (own >= 0 && (k == 0 || level[row[k - 1]] != own)) start[own] = k;
    if (own >= 0 && (k == n - 1 || level[row[k + 1]] < 0)) start[count] = k + 1;
  });
  return starts.download();
}

template struct Levels<Backend>;
template Levels<Backend> levels_in_place(Backend&, const Csr<Backend, double>&, int);
template Levels<Backend> levels_in_place(Backend&, const Csr<Backend, float>&, int);
template std::vector<int> level_starts(Backend&, const Levels<Backend>&, const Buffer<Backend, int>&);
template Buffer<Backend, int> by_level(Backend&, const Levels<Backend>&);

}  // namespace wavesim
