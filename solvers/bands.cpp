// Compiled once for each backend (levels.cpp says why).
#include "solvers/bands.hpp"

#include <string>

#include "kernels/errors.hpp"

namespace wavesim {

/// How many others row i of a triangle waits for.
HD inline int others_of(const SparseRowsView& a, int i, bool lower) {
  int n = 0;
  for (int e = a.start[i]; e < a.start[i + 1]; ++e) n += lower ? a.column[e] < i : a.column[e] > i;
  return n;
}

/// A band of each row, in `band`; returns how many there are. Rows in no level are in band 0.
template <class B>
int deal_to_bands(B& be, const SparseRows<B>& A, Triangle side, const Levels<B>& levels, int most,
                  Buffer<B, int>& band) {
  const int n = A.rows, last = n - 1;
  const bool lower = side == Triangle::lower;
  const SparseRowsView a = A.view();
  if (most == 1 || n == 0 || levels.count == 0) return 1;  // buffers hold zeros
  const Buffer<B, int> firsts(be, n), heads(be, n), sizes(be, std::size_t(n) + 1), counts(be, 2);
  int *first = firsts.data(), *head = heads.data(), *size = sizes.data(), *count = counts.data();
  // Everything in the order of the solve: the last row first if that is the order.
  each(be, "nobody waits", n, 4, [=] HD(int k) { first[k] = n; });
  each(be, "the first that waits", n, 12, [=] HD(int k) {
    const int i = lower ? k : last - k;
    for (int e = a.start[i]; e < a.start[i + 1]; ++e) {
      const int j = a.column[e];
      if (lower ? j < i : j > i) lower_to(first + (lower ? j : last - j), k);
    }
  });
  each(be, "chains, a link each", n, 20, [=] HD(int k) {
    const int i = lower ? k : last - k;
    int from = -1;
    for (int e = a.start[i]; e < a.start[i + 1]; ++e) {
      const int j = a.column[e];
      if (lower ? j >= i : j <= i) continue;
      const int there = lower ? j : last - j;
      if (first[there] == k && there > from) from = there;
    }
    head[k] = from < 0 ? k : from;
    if (from < 0 && a.start[i] < a.start[i + 1]) add_to(count, 1);
  });
  for (int length = 1; length < levels.count; length *= 2)
    each(be, "chains, twice as long", n, 8,
         [=] HD(int k) { racing_store(head + k, racing_load(head + racing_load(head + k))); });
  each(be, "rows of chains", n, 12, [=] HD(int k) {
    const int i = lower ? k : last - k;
    if (a.start[i] < a.start[i + 1]) {
      add_to(size + head[k], 1);
      add_to(count + 1, 1);
    }
  });
  const int chains = read(be, counts, 0), rows = read(be, counts, 1);
  sums_before(be, size, n + 1);
  // 32 chains, a lane each, and rows enough that a band has work on most levels
  const long by_width = (long(rows) + 8L * levels.count - 1) / (8L * levels.count);
  const int bands = int(std::max(1L, std::min({long(most), (long(chains) + 31) / 32, by_width})));
  const int share = (rows + bands - 1) / bands;
  int* of = band.data();
  each(be, "bands", n, 12, [=] HD(int k) { of[lower ? k : last - k] = size[head[k]] / share; });
  return bands;
}

/// Whether the band of row i still keeps the value of row j when it solves for i.
struct AtHand {
  int reach;
  const int *band, *slice;
  HD bool operator()(int i, int j) const {
    return reach == 0 || (band[i] == band[j] && slice[i] - slice[j] < reach);
  }
};

template <class T, class B>
Relay<B, T> make_relay(B& be, const SparseRows<B>& A, Triangle side, bool unit, const Levels<B>& levels,
                       RelayLimits limits) {
  const int n = A.rows;
  const bool lower = side == Triangle::lower;
  const SparseRowsView a = A.view();
  const int* level = levels.level.data();
  Relay<B, T> r;
  Buffer<B, int> band_of(be, n);
  const Buffer<B, int> longest(be, 1);
  int* width = longest.data();
  each(be, "longest row", n, 20, [=] HD(int i) { raise_to(width, others_of(a, i, lower)); });
  r.width = read(be, longest, 0);
  const bool thin = thin_levels(A.entries(), levels.count, r.width);
  const bool alone = limits.reach == 0 || (limits.alone && thin);
  if (!alone) r.bands = deal_to_bands(be, A, side, levels, limits.bands, band_of);
  r.reach = alone ? 0 : limits.reach;
  const int bands = r.bands, reach = r.reach, of_band = std::max(1, levels.count), keys = bands * of_band;
  const int* band = band_of.data();

  // Rows by band, level and index; `from` and `to`: of each band and level in that order.
  const Buffer<B, int> sort_keys(be, n), order(be, n), froms(be, keys), tos(be, keys), slices_of(be, n);
  Buffer<B, int> first_slices(be, std::size_t(keys) + 1);
  int *key = sort_keys.data(), *row = order.data(), *from = froms.data(), *to = tos.data(),
      *first_slice = first_slices.data(), *slice_of = slices_of.data();
  each(be, "bands and levels as keys", n, 16, [=] HD(int i) {
    key[i] = level[i] < 0 ? keys : band[i] * of_band + level[i];
    row[i] = i;
  });
  sort_by_key(be, key, row, n, bits_of(keys));
  each(be, "where bands and levels begin", n, 8, [=] HD(int k) {
    if (key[k] < keys && (k == 0 || key[k - 1] != key[k])) from[key[k]] = k;
    if (key[k] < keys && (k == n - 1 || key[k + 1] != key[k])) to[key[k]] = k + 1;
  });
  each(be, "slices", keys, 12, [=] HD(int q) { first_slice[q] = (to[q] - from[q] + 31) / 32; });
  sums_before(be, first_slice, keys + 1);
  const int slices = read(be, first_slices, keys);

  r.slice = Buffer<B, RelaySlice>(be, slices);
  r.band = Buffer<B, int>(be, std::size_t(bands) + 1);
  const Buffer<B, int> place_of(be, n), widths(be, std::size_t(slices) + 1), counts(be, 1), bad(be, 1);
  RelaySlice* slice = r.slice.data();
  int *begin = r.band.data(), *place = place_of.data(), *entry = widths.data(), *count = counts.data();
  each(be, "slices of bands", bands + 1, 8, [=] HD(int p) { begin[p] = first_slice[p * of_band]; });
  each(be, "rows of slices", n, 32, [=] HD(int k) {
    const int q = key[k], i = row[k];
    if (q == keys) return;
    const int s = first_slice[q] + (k - from[q]) / 32;
    slice_of[i] = s;
    place[i] = k;
    raise_to(&slice[s].width, others_of(a, i, lower));
    raise_to(count, k + 1);
    if ((k - from[q]) % 32 == 0) {
      slice[s].first = k;
      slice[s].height = to[q] - k < 32 ? to[q] - k : 32;
    }
  });
  each(be, "entries of slices", slices, 20, [=] HD(int s) { entry[s] = slice[s].width * slice[s].height; });
  sums_before(be, entry, slices + 1);
  each(be, "entries of slices, where", slices, 20, [=] HD(int s) { slice[s].entry = entry[s]; });
  const int entries = read(be, widths, slices);
  r.rows = read(be, counts, 0);
  if (alone && thin) r.lanes = lanes_of_a_row(r.rows, levels.count, r.width);

  // Cells for what a band does not keep until it is wanted.
  const Buffer<B, int> cells(be, std::size_t(n) + 1);
  int* cell = cells.data();
  const AtHand at_hand{reach, band, slice_of};
  each(be, "values for other bands", n, 12, [=] HD(int i) {
    for (int e = a.start[i]; e < a.start[i + 1]; ++e) {
      const int j = a.column[e];
      if ((lower ? j < i : j > i) && level[j] >= 0 && !at_hand(i, j)) racing_store(cell + j, 1);
    }
  });
  sums_before(be, cell, n + 1);
  r.cells = read(be, cells, n);

  r.row = Buffer<B, RelayRow>(be, r.rows);
  if (!unit) r.inverse = Buffer<B, T>(be, r.rows);
  r.reference = Buffer<B, int>(be, entries);
  r.value = Buffer<B, T>(be, entries);
  RelayRow* rows = r.row.data();
  T *inverse = r.inverse.data(), *value = r.value.data();
  int *reference = r.reference.data(), *worst = bad.data();
  each(be, "no row without a diagonal", 1, 4, [=] HD(int) { *worst = n; });
  each(be, "rows of a relay", r.rows, 64, [=] HD(int k) {
    const int i = row[k];
    const RelaySlice s = slice[slice_of[i]];
    rows[k] = {i, cell[i + 1] > cell[i] ? cell[i] : -1};
    double d = 0;
    int at = s.entry + k - s.first, left = s.width;
    for (int e = a.start[i]; e < a.start[i + 1]; ++e) {
      const int j = a.column[e];
      if (j == i) d = a.value[e];
      if ((lower ? j >= i : j <= i) || level[j] < 0) continue;  // x is zero in rows without entries
      const int t = slice_of[j];
      reference[at] = reach == 0      ? place[j]
                      : at_hand(i, j) ? (t - begin[band[j]]) % reach * 32 + place[j] - slice[t].first
                                      : ~cell[j];
      value[at] = T(a.value[e]);
      at += s.height;
      --left;
    }
    for (; left > 0; --left, at += s.height) {
      reference[at] = no_reference;
      value[at] = 0;
    }
    if (!inverse) return;
    inverse[k] = T(1 / d);
    if (!(inverse[k] - inverse[k] == 0)) lower_to(worst, i);
  });
  if (const int i = read(be, bad, 0); i < n && !unit)
    throw InputError("a triangular matrix has a zero on its diagonal, in row " + std::to_string(i) +
                     " (counted from 0); its system has no unique solution");
  if (levels.count > 0 && bands == 1) r.level = std::move(first_slices);
  return r;
}

template Relay<Backend, double> make_relay(Backend&, const SparseRows<Backend>&, Triangle, bool,
                                           const Levels<Backend>&, RelayLimits);
template Relay<Backend, float> make_relay(Backend&, const SparseRows<Backend>&, Triangle, bool,
                                          const Levels<Backend>&, RelayLimits);

}  // namespace wavesim
