#pragma once
// Sparse triangular solve x = T^-1 b by a level schedule.
//
// A plain solve by levels needs a barrier of the whole machine after each level, and a grid has as many levels
// as rows and columns together. Here the rows are distributed to bands along their chains of dependencies
// (solvers/triangular/schedule.hpp). A band is the work of one warp: it solves its rows level by level, in
// slices of up to 32 rows of one level, and keeps the values of its last slices in shared memory. Only values
// that other bands need go through global memory, in cells that hold a sentinel until the value is written:
// the value is its own flag, and no barrier is needed.
//
// Where levels have few rows, one band takes them all, with a barrier after each level and several lanes for a
// long row, and keeps all values (reach 0). Where no row depends on another (width 0), rows are all that there is.

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/backend/access.hpp"
#include "kernels/memory/field.hpp"

namespace wavesim {

/// Rows first .. first + height - 1 of the sorted order; entry e of the k-th of them is entry + e * height +
/// k.
struct alignas(16) ScheduleSlice {
  int first, height, entry, width;
};
/// `row`: in x and b; `cell`: where others find its value, or -1.
struct alignas(8) ScheduleRow {
  int row, cell;
};

/// A value that a row needs is written as a reference: ~cell for a value in a cell; else its place among the
/// values that the band keeps, (slice of the band % reach) * 32 + place in the slice; with reach 0 (one band
/// that keeps everything) its place in the sorted order. `no_reference` follows the last entry.
inline constexpr int no_reference = INT32_MIN;

template <class T>
struct ScheduleView {
  int bands, reach, cells, width;  // width: entries of the longest row
  const int* band;                 // slices of band p: band[p] .. band[p + 1] - 1
  const ScheduleSlice* slice;
  const ScheduleRow* row;
  const T* inverse;  // of the diagonal; null: ones
  const int* reference;
  const T* value;
};

template <class B, class T>
struct LevelSchedule {
  int bands = 1, reach = 0, cells = 0, width = 0, rows = 0;
  int lanes = 1;  // of a row: lane l sums entries l, l + lanes, ..., lane 0 starting with b; then a tree
  std::span<int> band, reference;
  std::span<int> level;  // with one band: the first slice of each level, and the end
  std::span<ScheduleSlice> slice;
  std::span<ScheduleRow> row;
  std::span<T> inverse, value;
  std::vector<Buffer<B, char>> memory;  // of all these
  /// n zeroed elements for one of them.
  template <class V>
  void make(B& be, std::span<V>& part, std::size_t n) {
    memory.emplace_back(be, n * sizeof(V));
    part = {reinterpret_cast<V*>(memory.back().data()), n};
  }
  ScheduleView<T> view() const {
    return {bands,       reach,          cells,
            width,       band.data(),    slice.data(),
            row.data(),  inverse.data(), reference.data(),
            value.data()};
  }
  /// Read and written by a solve for so many right-hand sides.
  double bytes(int count) const {
    return double(slice.size()) * sizeof(ScheduleSlice) + double(row.size()) * sizeof(ScheduleRow) +
           double(reference.size()) * (sizeof(int) + sizeof(T)) + double(inverse.size()) * sizeof(T) +
           2.0 * rows * count * sizeof(T);
  }
};

/// Of a backend: how many bands may wait for each other, how many slices a band keeps (0: all), and whether
/// one band that keeps everything takes levels of few rows.
struct ScheduleLimits {
  int bands = 1, reach = 0;
  bool alone = false;
};

/// Whether one block of threads, which keeps the list of levels in shared memory, solves a level about as fast
/// as bands wait for each other. Rows that depend on one or two others are faster in bands; but bands take longer to make than
/// several solves of a small triangle.
inline bool thin_levels(long entries, int levels, int width) {
  const bool bands_pay = width <= 2 && entries > 1L << 12;
  return !bands_pay && levels <= 1 << 15 && entries <= 2048L * levels;
}
/// Whether one band keeps everything.
inline bool one_band(const ScheduleLimits& limits, long entries, int levels, int width) {
  return limits.reach == 0 || (limits.alone && thin_levels(entries, levels, width));
}
inline constexpr int most_lanes_of_a_row = 16;
/// How many lanes sum a row then: so many that a lane reads all its entries together, and that a level takes
/// one turn or two. It depends on the matrix only, because the order of the sums follows it.
inline int lanes_of_a_row(long rows, int levels, int width) {
  int lanes = 1;
  while (lanes < most_lanes_of_a_row && 4 * lanes < width && 2 * lanes * rows <= 512L * levels) lanes *= 2;
  return lanes;
}

/// Row k of the sorted order where rows depend on no other.
template <class T>
HD inline void solve_diagonal_row(const ScheduleView<T>& A, int k, const T* b, T* x) {
  const int i = A.row[k].row;
  x[i] = A.inverse ? A.inverse[k] * b[i] : b[i];
}

/// Memory that solves work in, kept from one solve to the next.
template <class B, class T>
struct SolveWorkspace {
  Buffer<B, T> kept, cells;
  Buffer<B, unsigned> control;
};

}  // namespace wavesim

#ifdef __CUDACC__
#include "kernels/sptrsv/cuda_solve.hpp"
#else
#include "kernels/sptrsv/host_solve.hpp"
#endif
