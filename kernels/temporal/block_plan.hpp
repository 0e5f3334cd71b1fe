#pragma once
// How the grid is cut into blocks for passes of several sweeps (blocked_sweeps.hpp) or steps (kernels/leapfrog/).

#include <algorithm>

#include "kernels/grid/bands.hpp"

namespace wavesim {

/// The remainder that is not negative: of a column or row round a periodic axis, of a row in a ring of rows.
HD inline int ring(int k, int n) { return (k % n + n) % n; }

namespace temporal {

/// A lane reads and writes so many neighbouring columns at once; round a periodic axis there have to be a
/// whole number of such packs.
template <class T>
inline constexpr int columns_per_lane = 16 / int(sizeof(T));
inline constexpr int lanes = 128;  // of a block
template <class T>
inline constexpr int columns = lanes* columns_per_lane<T>;  // of a block
template <class T>
bool fits(const Topology& t) {
  return t.wrap_x == 0 || t.nx % columns_per_lane<T> == 0;
}

}  // namespace temporal

/// How a pass is cut up. A block is a chunk of rows of a strip of columns.
struct BlockPlan {
  int margin = 0;  // columns at each side of a block that belong to its neighbours
  int inner = 0, strips = 0;
  int first_col = 0, end_col = 0;
  int rows = 0, chunks = 0;
  int first_own = 0, end_own = 0;  // rows of this rank
  HD int blocks() const { return strips * chunks; }
  /// Lanes of a block that have columns, in whole warps.
  template <class T>
  int lanes() const {
    constexpr int V = temporal::columns_per_lane<T>;
    return std::min(temporal::lanes, ((inner + 2 * margin) / V + 31) / 32 * 32);
  }
  HD int first_row(int chunk) const {
    const int row = first_own + chunk * rows;
    return row < end_own ? row : end_own;
  }
};

/// Columns from .. to - 1.
struct ColumnRange {
  int from = 0, to = 0;
};

/// Few columns and rows twice, and all multiprocessors busy until the end. `blocks`: that find room at once. `ends`: beyond the columns
/// there is nothing, so that a strip which has all of them needs no margins.
template <class T>
BlockPlan plan_blocks(Extent e, ColumnRange columns, int steps, int blocks, bool ends = false) {
  constexpr int V = temporal::columns_per_lane<T>;
  const int halo = steps + 1;
  BlockPlan p;
  const int width = columns.to - columns.from;
  p.margin = ends && width <= temporal::columns<T> ? 0 : (halo + V - 1) / V * V;
  const int most = temporal::columns<T> - 2 * p.margin;
  p.first_col = columns.from, p.end_col = columns.to;
  p.strips = (width + most - 1) / most;
  p.inner = ((width + p.strips - 1) / p.strips + V - 1) / V * V;
  p.first_own = e.first_own, p.end_own = e.end_own();
  // one round of blocks, or more if the strips alone are many
  const int rows = p.end_own - p.first_own, chunks = std::clamp(blocks / p.strips, 1, rows);
  p.rows = (rows + chunks - 1) / chunks;
  p.chunks = (rows + p.rows - 1) / p.rows;
  return p;
}

/// Of all columns.
template <class T>
BlockPlan plan_blocks(Extent e, int steps, int blocks = blocks_at_once) {
  return plan_blocks<T>(e, {0, e.nx}, steps, blocks);
}

/// The same for sums over the rows, which are cut into slices: bands, or parts of bands where there are few. Each block has a
/// part of the sum for each of its slices, so that the cut into chunks is no cut of the sums. `rows`: of the highest chunk.
struct SweepPlan : BlockPlan {
  static constexpr int step = 4,
                       most = temporal::lanes;  // a slice begins at such a row of its band; slices at most
  Bands bands;
  int slices_of_band = 1, slices_of_chunk = 1;
  int first_own_slice = 0, end_own_slice = 0;  // slices of this rank
  LeavesOfBand leaves_of_slice{most, 1};
  int row_of[most + 1] =
      {};  // the first one of each slice, and the end: a GPU looks them up where it would divide

  HD int slices() const { return bands.count * slices_of_band; }
  HD int first_row_of(int slice) const { return row_of[slice]; }
  HD int first_slice(int chunk) const {
    const int slice = first_own_slice + chunk * slices_of_chunk;
    return slice < end_own_slice ? slice : end_own_slice;
  }
  HD int own_slices() const { return end_own_slice - first_own_slice; }
  HD int first_row(int chunk) const { return first_row_of(first_slice(chunk)); }
  /// Chunks for so many blocks at once; the sums stay the same.
  void group_for(int blocks) {
    const int wanted = std::max(1, blocks / strips);
    if (wanted < chunks) group((own_slices() + wanted - 1) / wanted);
  }
  /// Chunks of so many slices.
  void group(int of_chunk) {
    slices_of_chunk = of_chunk;
    chunks = (own_slices() + of_chunk - 1) / of_chunk;
    rows = 0;
    for (int chunk = 0; chunk < chunks; ++chunk)
      rows = std::max(rows, first_row(chunk + 1) - first_row(chunk));
  }

  /// Where the part of a slice of a strip is. A slice's strips are dealt to its leaves in turn and joined there, and leaves,
  /// as many as lanes, like the lanes of a block. Parts of all leaves lie side by side.
  HD int leaf(int strip, int slice) const { return leaves_of_slice.leaf(slice, strip); }
  HD int part(int strip, int slice) const {
    return leaves_of_slice.before(strip) * most + leaf(strip, slice);
  }
  HD int band_of(int leaf) const { return leaves_of_slice.band_of(leaf) / slices_of_band; }
  HD int most_parts_of_leaf() const { return leaves_of_slice.parts_of(0, strips); }
  /// That come from this rank.
  HD int parts_of_leaf(int leaf) const {
    const int slice = leaves_of_slice.band_of(leaf);
    return slice >= first_own_slice && slice < end_own_slice ? leaves_of_slice.parts_of(leaf, strips) : 0;
  }
  HD int leaves_of_band() const { return leaves_of_slice.count() * slices_of_band; }
  int parts() const { return (strips + leaves_of_slice.count() - 1) / leaves_of_slice.count() * most; }
};
template <class T>
SweepPlan plan_sweeps(Extent e, int steps) {
  Extent whole = e;  // ranks have the slices of one that has all rows
  whole.first_own = 0, whole.own_end = e.ny;
  SweepPlan p{plan_blocks<T>(whole, steps), bands_of(e)};
  int lowest = e.ny, highest = 0;  // bands
  for (int band = 0; band < p.bands.count; ++band) {
    const int high = p.bands.first_row(band + 1) - p.bands.first_row(band);
    lowest = std::min(lowest, high), highest = std::max(highest, high);
  }
  const int rows = (p.rows + SweepPlan::step - 1) / SweepPlan::step * SweepPlan::step;
  p.slices_of_band =
      std::clamp(std::min((highest + rows - 1) / rows, std::min(p.chunks, SweepPlan::most) / p.bands.count),
                 1, std::max(1, lowest / SweepPlan::step));
  p.leaves_of_slice = LeavesOfBand(SweepPlan::most, p.slices());
  for (int slice = 0; slice < p.slices(); ++slice) {
    const int band = slice / p.slices_of_band, part = slice % p.slices_of_band, row = p.bands.first_row(band);
    p.row_of[slice] = part == 0 ? row
                                : row + (p.bands.first_row(band + 1) - row) * part / p.slices_of_band /
                                            SweepPlan::step * SweepPlan::step;
  }
  p.row_of[p.slices()] = e.ny;
  const BandRange own = own_bands(p.bands, e);
  p.first_own_slice = own.first * p.slices_of_band, p.end_own_slice = own.end * p.slices_of_band;
  p.group((p.own_slices() + p.chunks - 1) / p.chunks);
  return p;
}

}  // namespace wavesim
