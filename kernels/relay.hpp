#pragma once
// x = T^-1 b for a triangular T, by bands of rows that work side by side.
//
// A solve by levels costs a wait of the whole machine for each level, and those of a grid are as many as its rows
// and columns together. Here rows are dealt to bands along their chains of dependencies (solvers/bands.hpp), and
// a band is the work of one warp: it takes its rows level by level, in slices of up to 32 rows of one level, and
// keeps what the last slices found in fast memory. Only what other bands wait for goes through the memory that all
// share, in cells that hold a mark until the value is there: the value is its own flag, and no barrier is needed.

#include <cstdint>
#include <vector>

#include "kernels/access.hpp"
#include "kernels/field.hpp"
#include "kernels/host.hpp"

namespace wavesim {

/// Rows first .. first + height - 1 of the sorted order; entry e of the k-th of them is entry + e * height + k.
struct alignas(16) RelaySlice {
  int first, height, entry, width;
};
/// `row`: in x and b; `cell`: where others find its value, or -1.
struct alignas(8) RelayRow {
  int row, cell;
};

/// What a row waits for is written as a reference: `no_reference` after its last entry, ~cell for a value in a
/// cell, else a place among what the band keeps: (slice of the band % reach) * 32 + place in the slice, or with
/// reach 0, which is one band that keeps everything, the place in the sorted order.
inline constexpr int no_reference = INT32_MIN;

template <class T>
struct RelayView {
  int bands, reach, cells, width;  // width: entries of the longest row
  const int* band;                 // slices of band p: band[p] .. band[p + 1] - 1
  const RelaySlice* slice;
  const RelayRow* row;
  const T* inverse;  // of the diagonal; null: ones
  const int* reference;
  const T* value;
};

template <class B, class T>
struct Relay {
  int bands = 1, reach = 0, cells = 0, width = 0, rows = 0;
  Buffer<B, int> band, reference;
  Buffer<B, RelaySlice> slice;
  Buffer<B, RelayRow> row;
  Buffer<B, T> inverse, value;
  std::vector<int> stage;  // with one band: the first slice of each level, and the end
  RelayView<T> view() const {
    return {bands,      reach,          cells,          width,           band.data(),
            slice.data(), row.data(), inverse.data(), reference.data(), value.data()};
  }
  /// Read and written by a solve for so many right-hand sides.
  double bytes(int count) const {
    return double(slice.size()) * sizeof(RelaySlice) + double(row.size()) * sizeof(RelayRow) +
           double(reference.size()) * (sizeof(int) + sizeof(T)) + double(inverse.size()) * sizeof(T) +
           2.0 * rows * count * sizeof(T);
  }
};

/// Of a backend: how many bands may wait for each other, and how many slices a band keeps (0: all).
struct RelayLimits {
  int bands = 1, reach = 0;
};
inline RelayLimits relay_limits(Host&) { return {}; }

/// Memory that a relay works in, kept from one solve to the next.
template <class B, class T>
struct RelayMemory {
  Buffer<B, T> kept, cells;
  Buffer<B, unsigned> control;
};

/// x <- T^-1 b for `count` right-hand sides, each `stride` elements after the last. x may be b. The order of a row's
/// sum is that of its entries.
template <class T>
void relay(Host& be, const char* label, const Relay<Host, T>& r, RelayMemory<Host, T>& memory, const T* b, T* x,
           int count, long stride) {
  be.tally().add(label, r.bytes(count), false);
  const RelayView<T> A = r.view();
  const auto solve = [&](int s, int lane, int n, const auto& value_of) {
    const RelaySlice S = A.slice[s];
    const int k = S.first + lane;
    T sum = b[A.row[k].row + n * stride];
    for (int e = 0, at = S.entry + lane; e < S.width; ++e, at += S.height) {
      if (A.reference[at] == no_reference) break;
      sum = std::fma(-A.value[at], value_of(A.reference[at]), sum);
    }
    return x[A.row[k].row + n * stride] = A.inverse ? A.inverse[k] * sum : sum;
  };
  if (A.reach == 0) {
    if (memory.kept.size() < std::size_t(r.rows)) memory.kept = Buffer<Host, T>(be, r.rows);
    T* kept = memory.kept.data();
    for (int n = 0; n < count; ++n)
      for (std::size_t level = 0; level + 1 < r.stage.size(); ++level) {
        const int first = r.stage[level], last = r.stage[level + 1];
#pragma omp parallel for schedule(static) if (last - first > 64)
        for (int s = first; s < last; ++s)
          for (int lane = 0; lane < A.slice[s].height; ++lane)
            kept[A.slice[s].first + lane] = solve(s, lane, n, [&](int place) { return kept[place]; });
      }
    return;
  }
  // Several bands, as on a GPU, each in its turn as far as it gets: for tests of the order.
  for (int n = 0; n < count; ++n) {
    std::vector<T> kept(std::size_t(A.bands) * A.reach * 32), cell(A.cells);
    std::vector<char> there(A.cells, 0);
    std::vector<int> next(A.band, A.band + A.bands);
    const auto ready = [&](const RelaySlice& S) {
      for (int at = S.entry; at < S.entry + S.width * S.height; ++at)
        if (const int c = A.reference[at]; c != no_reference && c < 0 && !there[~c]) return false;
      return true;
    };
    for (bool moved = true; moved;) {
      moved = false;
      for (int p = 0; p < A.bands; ++p)
        for (; next[p] < A.band[p + 1] && ready(A.slice[next[p]]); ++next[p]) {
          const RelaySlice S = A.slice[next[p]];
          T* own = kept.data() + std::size_t(p) * A.reach * 32;
          T found[32];
          for (int lane = 0; lane < S.height; ++lane)
            found[lane] =
                solve(next[p], lane, n, [&](int from) { return from < 0 ? cell[~from] : own[from]; });
          for (int lane = 0; lane < S.height; ++lane) {
            own[(next[p] - A.band[p]) % A.reach * 32 + lane] = found[lane];
            if (const int c = A.row[S.first + lane].cell; c >= 0) {
              cell[c] = found[lane];
              there[c] = 1;
            }
          }
          moved = true;
        }
    }
  }
}

}  // namespace wavesim

#ifdef __CUDACC__
#include "kernels/cuda_relay.hpp"
#endif
