#pragma once
// x = T^-1 b for a triangular T, by bands of rows that work side by side.
//
// A solve by levels costs a wait of the whole machine for each level, and those of a grid are as many as its
// rows and columns together. Here rows are dealt to bands along their chains of dependencies
// (solvers/triangular/schedule.hpp), and a band is the work of one warp: it takes its rows level by level, in
// slices of up to 32 rows of one level, and keeps what the last slices found in fast memory. Only what other
// bands wait for goes through the memory that all share, in cells that hold a mark until the value is there:
// the value is its own flag, and no barrier is needed.
//
// Where levels are thin, waiting is all there is: one band then takes them all, a barrier of its own after
// each, with several lanes to a long row, and keeps everything (reach 0).

#include <cstdint>
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

/// What a row waits for is written as a reference: `no_reference` after its last entry, ~cell for a value in
/// a cell, else a place among what the band keeps: (slice of the band % reach) * 32 + place in the slice, or
/// with reach 0, which is one band that keeps everything, the place in the sorted order.
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
  int lanes = 1;  // of a row: lane l adds up entries l, l + lanes, ..., the first one from b on; then a tree
  Buffer<B, int> band, reference;
  Buffer<B, int> level;  // with one band: the first slice of each level, and the end
  Buffer<B, ScheduleSlice> slice;
  Buffer<B, ScheduleRow> row;
  Buffer<B, T> inverse, value;
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
/// thin levels go to one band that keeps everything.
struct ScheduleLimits {
  int bands = 1, reach = 0;
  bool alone = false;
};

/// Whether one block of threads, which has room for the list of levels, takes a level about as fast as bands
/// wait for each other: rows that wait for one or two others are what a lane of a band is made for.
inline bool thin_levels(long entries, int levels, int width) {
  return width > 2 && levels <= 1 << 15 && entries <= 2048L * levels;
}
inline constexpr int most_lanes_of_a_row = 16;
/// How many lanes add up a row there: few enough entries for each that all are read at once, and a turn or
/// two for a level. Goes by the matrix alone, as the order of the sums does.
inline int lanes_of_a_row(long rows, int levels, int width) {
  int lanes = 1;
  while (lanes < most_lanes_of_a_row && 4 * lanes < width && 2 * lanes * rows <= 512L * levels) lanes *= 2;
  return lanes;
}

/// Memory that a relay works in, kept from one solve to the next.
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
