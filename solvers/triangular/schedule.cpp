// Compiled once for each backend (levels.cpp says why).
#include "solvers/triangular/schedule.hpp"

#include "kernels/backend/backend.hpp"
#include "kernels/lists/lane_strided.hpp"
#include "kernels/lists/largest.hpp"
#include "kernels/numbers/finite.hpp"
#include "solvers/triangular/schedule_row.hpp"

namespace wavesim {

/// How many other rows row i of a triangle depends on.
HD inline int others_of(const SparseRowsView& a, int i, SolveOrder order) {
  int n = 0;
  for (int e = a.start[i]; e < a.start[i + 1]; ++e) n += order.before(a.column[e], i);
  return n;
}

template <class B>
int longest_row(B& be, const SparseRows<B>& A, Triangle side) {
  const SparseRowsView a = A.view();
  const SolveOrder order = solve_order(side, A.rows);
  return largest_of(be, "longest row", A.rows, 20, [=] KERNEL(int i) { return others_of(a, i, order); });
}

/// How many bands the chains are distributed to.
template <class B>
int count_bands(const Chains<B>& chains, int levels, int most) {
  // a band has 32 chains, a lane each, and rows enough for work on most levels
  const long by_width = (long(chains.rows) + 8L * levels - 1) / (8L * levels);
  return int(std::max(1L, std::min({long(most), (long(chains.count) + 31) / 32, by_width})));
}

/// Where a row is in the schedule: its slice (-1: it is in no level), its band, and the place where the band
/// keeps its value (references of level_schedule.hpp). One load reads all of it.
struct alignas(16) SchedulePlace {
  int slice, band, kept, unused;
};

/// Whether a row's band still keeps the value of another row when it solves for the row. If not, the value
/// has a cell.
struct AtHand {
  int reach;
  HD bool operator()(const SchedulePlace& own, const SchedulePlace& its) const {
    return reach == 0 || (own.band == its.band && own.slice - its.slice < reach);
  }
};

template <class T, class B>
LevelSchedule<B, T> make_schedule(B& be, const SparseRows<B>& A, Triangle side, bool unit,
                                  const Levels<B>& levels, ScheduleLimits limits) {
  const int n = A.rows;
  const SparseRowsView a = A.view();
  const SolveOrder order = solve_order(side, n);
  const int* level = levels.level.data();
  const bool chains_known = levels.chains.of.size() > 0;
  LevelSchedule<B, T> r;
  r.width = chains_known ? levels.chains.width : std::max(0, longest_row(be, A, side));
  const bool alone = one_band(limits, A.entries(), levels.count, r.width);
  Chains<B> own_chains;
  const ChainPlace* of = nullptr;
  const int* chain_start = nullptr;
  int share = 1;
  if (!alone && limits.bands > 1 && levels.count > 0) {
    if (!chains_known) own_chains = find_chains(be, A, side);
    const Chains<B>& chains = chains_known ? levels.chains : own_chains;
    r.bands = count_bands(chains, levels.count, limits.bands);
    share = (chains.rows + r.bands - 1) / r.bands;
    if (r.bands > 1) {
      of = chains.of.data();
      chain_start = chains.start.data();
    }
  }
  r.reach = alone ? 0 : limits.reach;
  const int bands = r.bands, reach = r.reach, of_band = std::max(1, levels.count), keys = bands * of_band;

  // Rows by band, level and index; `from` and `to`: of each band and level in that order.
  const Buffer<B, int> sort_keys(be, n), sorted(be, n), froms(be, keys), tos(be, keys), counts(be, 1);
  Buffer<B, int> first_slices;
  if (levels.count > 0 && bands == 1)
    r.make(be, r.level, std::size_t(keys) + 1);
  else
    first_slices = Buffer<B, int>(be, std::size_t(keys) + 1);
  int *key = sort_keys.data(), *row = sorted.data(), *from = froms.data(), *to = tos.data(),
      *first_slice = r.level.empty() ? first_slices.data() : r.level.data(), *count = counts.data();
  each(be, "bands and levels as keys", n, 16, [=] KERNEL(int i) {
    const int band = of && level[i] >= 0 ? chain_start[of[i].chain] / share : 0;
    key[i] = level[i] < 0 ? keys : band * of_band + level[i];
    row[i] = i;
  });
  sort_by_key(be, key, row, n, bits_of(keys));
  each(be, "where bands and levels begin", n, 8, [=] KERNEL(int k) {
    const int q = key[k], next = k == n - 1 ? keys : key[k + 1];
    if (q == keys) return;
    if (k == 0 || key[k - 1] != q) from[q] = k;
    if (k == n - 1 || next != q) to[q] = k + 1;
    if (k == n - 1 || next == keys) *count = k + 1;
  });
  each(be, "slices", keys, 12, [=] KERNEL(int q) { first_slice[q] = (to[q] - from[q] + 31) / 32; });
  sums_before(be, first_slice, keys + 1);
  const int slices = read(be, first_slice, keys);
  r.rows = read(be, counts, 0);
  if (alone && thin_levels(A.entries(), levels.count, r.width))
    r.lanes = lanes_of_a_row(r.rows, levels.count, r.width);

  r.make(be, r.slice, slices);
  r.make(be, r.band, std::size_t(bands) + 1);
  const Buffer<B, SchedulePlace> places(be, n);
  const Buffer<B, int> widths(be, std::size_t(slices) + 1), cells(be, std::size_t(n) + 1), bad(be, 1);
  ScheduleSlice* slice = r.slice.data();
  SchedulePlace* place = places.data();
  int *begin = r.band.data(), *entry = widths.data(), *cell = cells.data();
  each(be, "slices of bands", bands + 1, 8, [=] KERNEL(int p) { begin[p] = first_slice[p * of_band]; });
  lane_strided_each(be, "places in slices", n, 40, [=] KERNEL(int k) {
    const int q = key[k], band = q / of_band;
    if (q == keys) {
      place[row[k]] = {-1, 0, 0, 0};
      return;
    }
    const int after = k - from[q], s = first_slice[q] + after / 32;
    place[row[k]] = {s, band, reach == 0 ? k : (s - begin[band]) % reach * 32 + after % 32, 0};
    if (after % 32 == 0) {
      slice[s].first = k;
      slice[s].height = to[q] - k < 32 ? to[q] - k : 32;
    }
  });
  const AtHand at_hand{reach};
  each(be, "widths of slices, values for other bands", n, 40, [=] KERNEL(int i) {
    const SchedulePlace own = place[i];
    if (own.slice < 0) return;
    int others = 0;
    for (int e = a.start[i]; e < a.start[i + 1]; ++e) {
      const int j = a.column[e];
      if (!order.before(j, i)) continue;
      ++others;
      const SchedulePlace its = place[j];
      if (its.slice >= 0 && !at_hand(own, its)) racing_store(cell + j, 1);
    }
    raise_to(&slice[own.slice].width, others);
  });
  each(be, "entries of slices", slices, 20,
       [=] KERNEL(int s) { entry[s] = slice[s].width * slice[s].height; });
  sums_before(be, entry, slices + 1);
  each(be, "entries of slices, where", slices, 20, [=] KERNEL(int s) { slice[s].entry = entry[s]; });
  const int entries = read(be, widths, slices);
  sums_before(be, cell, n + 1);
  r.cells = read(be, cells, n);

  r.make(be, r.row, r.rows);
  if (!unit) r.make(be, r.inverse, r.rows);
  r.make(be, r.reference, entries);
  r.make(be, r.value, entries);
  ScheduleRow* rows = r.row.data();
  T* const inverse = r.inverse.data();
  int* const worst = bad.data();
  const ScheduleEntries<T> written{r.reference.data(), r.value.data()};
  const TriangleRows triangle{a.start, a.column, a.value, order};
  each(be, "no row without a diagonal", 1, 4, [=] KERNEL(int) { *worst = n; });
  lane_strided_each(be, "rows of a schedule", r.rows, 100, [=] KERNEL(int k) {
    const int i = row[k];
    const SchedulePlace own = place[i];
    rows[k] = {i, cell[i + 1] > cell[i] ? cell[i] : -1};
    const double d = write_row(triangle, i, slice[own.slice], k, written, [&](int j) {
      const SchedulePlace its = place[j];
      return its.slice < 0 ? no_reference : at_hand(own, its) ? its.kept : ~cell[j];
    });
    if (!inverse) return;
    inverse[k] = T(1 / d);
    if (!is_finite(inverse[k])) lower_to(worst, i);
  });
  if (const int i = read(be, bad, 0); i < n && !unit) refuse_zero_on_diagonal(i);
  return r;
}

template LevelSchedule<Backend, double> make_schedule(Backend&, const SparseRows<Backend>&, Triangle, bool,
                                                      const Levels<Backend>&, ScheduleLimits);
template LevelSchedule<Backend, float> make_schedule(Backend&, const SparseRows<Backend>&, Triangle, bool,
                                                     const Levels<Backend>&, ScheduleLimits);

}  // namespace wavesim
