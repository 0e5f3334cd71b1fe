#pragma once
// Row kernels with several groups of work at each point, such as groups of vectors that one row of a matrix is multiplied
// by. Groups of a point share what they read of the matrix: on a GPU they are warps of one block, so that it is read from
// memory once and from the block's cache by the others; on a CPU one group follows the other, each over all points, because
// the streams of more vectors than one group has are too many for prefetching.

#include "kernels/backend/backend.hpp"

namespace wavesim {

/// Groups of one call.
inline constexpr int most_groups = 8;

#ifndef __CUDACC__
/// f(Row, group) on each point of the extent for each of `groups` <= most_groups. `matrix`: bytes that a group reads of
/// what they share, for each point; `own`: bytes that all groups move for each point beside that.
template <class F>
void rows_in_groups(Host& be, const char* label, const Rows& rows, int groups, double matrix, double own,
                    F f) {
  for (int group = 0; group < groups; ++group)
    be.rows(label, rows, matrix + own / groups, [=](Row r) { f(r, group); });
}
#else
namespace cuda {
/// Rows of 32 points are tiles; a block has most_groups warps, and as many tiles as they can have all groups of.
template <class F>
__global__ void __launch_bounds__(32 * most_groups)
    rows_in_groups_kernel(Rows rows, int across, int groups, int tiles, Guard guard, F f) {
  if (guard.closed()) return;
  const Extent& e = rows.extent;
  const int group = int(threadIdx.y) % groups, tile = int(blockIdx.x) * tiles + int(threadIdx.y) / groups;
  const int row = e.first_own + tile / across, col = tile % across * 32 + int(threadIdx.x);
  if (col >= e.nx || row >= e.end_own()) return;
  f(Row{e.index(row, col), col, row, e.pitch, rows.edges && on_edge(e, col, row)}, group);
}
}  // namespace cuda

template <class F>
void rows_in_groups(Cuda& be, const char* label, const Rows& rows, int groups, double matrix, double own,
                    F f) {
  const Extent& e = rows.extent;
  be.counts().add(label, e.own_points() * (matrix + own), false);
  const int across = (e.nx + 31) / 32, tiles = most_groups / groups;
  const int blocks = (across * (e.end_own() - e.first_own) + tiles - 1) / tiles;
  cuda::rows_in_groups_kernel<<<blocks, dim3(32, unsigned(tiles * groups)), 0, be.stream()>>>(
      rows, across, groups, tiles, be.guarding(), f);
  check(cudaGetLastError());
}
#endif

}  // namespace wavesim
