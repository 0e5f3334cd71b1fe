#pragma once
// How a block has all rows of a low chunk at once in blocked sweeps on a GPU (cuda_resident_rows.hpp).

#include <optional>

#include "kernels/temporal/cuda_shared_memory.hpp"

namespace wavesim::cuda {

/// Whether there are such passes: of five points in a constant medium.
template <class Shape>
inline constexpr bool may_be_resident =
    !Shape::varies &&
    std::is_same_v<typename Shape::Medium,
                   WaveSystem<typename Shape::Value, UniformCoefficients<typename Shape::Value>>>;

/// Lanes of a row, in whole warps, and how many threads one above the other share the rows.
struct ResidentThreads {
  int lanes = 0, groups = 0;
  HD int count() const { return lanes * groups; }
};

/// Of threads with N rows each. Strides in shared memory are constants, so that a place is a number in an instruction.
template <class Shape_, int N_>
struct ResidentPlan {
  using Shape = Shape_;
  using T = typename Shape::Value;
  static constexpr int N = N_, V = Shape::V, H = Shape::H, columns = temporal::columns<T>;
  static constexpr int most_threads = 512;  // with 128 registers
  static constexpr int most_slices = 16;
  /// Of a row: first or last columns of its warps, with one beyond at each end.
  static constexpr int slots = temporal::lanes / 32 + 2;
  /// What a group has of each: [2 turns][lowest row, highest row][columns], [2 turns][N rows][first, last][slots].
  static constexpr int border = 2 * columns, borders = 2 * border, side = N * 2 * slots, sides = 2 * side;

  /// Rows of the grid that a chunk and its sweeps take, at most. `ring`: beyond the last row comes the first.
  static int rows_of_tile(const SweepPlan& plan, bool ring) {
    int most = 0;
    for (int chunk = 0; chunk < plan.chunks; ++chunk) {
      const int from = plan.first_row(chunk) - H, to = plan.first_row(chunk + 1) + H;
      most = std::max(most, ring ? to - from : std::min(to, plan.bands.rows) - std::max(from, 0));
    }
    return most;
  }
  static ResidentThreads threads(const SweepPlan& plan, bool ring) {
    ResidentThreads t{plan.lanes<T>(), (rows_of_tile(plan, ring) + N - 1) / N};
    t.groups =
        std::max(t.groups, (temporal::lanes + t.lanes - 1) / t.lanes);  // sums over blocks take so many lanes
    return t;
  }
  static int bytes(const SweepPlan& plan, ResidentThreads t) {
    return int(sizeof(T)) * (Shape::kinds * ScaledRow<T>::values + (2 * plan.rows + H) * columns +
                             t.groups * (borders + sides));
  }
  static constexpr int most_bytes = 227 * 1024 - 4096;  // but for what sums take
  static bool fits(const SweepPlan& plan, ResidentThreads t) {
    const int tile = t.groups * N;
    return plan.slices_of_chunk <= most_slices && t.count() <= most_threads && bytes(plan, t) <= most_bytes &&
           plan.bands.rows >= tile &&  // no row of a block lies beyond the grid
           (plan.own_slices() == plan.slices() ||
            tile <= 2 * most_ghosts);  // a rank has the rows that are read
  }
  /// Those of a plan whose blocks all have a multiprocessor; nothing where its chunks are too high. (Two rounds of blocks take
  /// longer than a front.)
  static std::optional<ResidentThreads> of_one_round(const SweepPlan& plan, bool ring, int multiprocessors) {
    const ResidentThreads t = threads(plan, ring);
    if (plan.blocks() > multiprocessors || !fits(plan, t)) return std::nullopt;
    return t;
  }
};

/// Its parts. Places that are not written before they are read hold any numbers, which reach no row and no column of the
/// block's own.
template <class Plan>
struct ResidentMemory {
  using T = typename Plan::T;
  ScaledRow<T>* table;  // coefficients by kind of point, where the block takes it
  T* residual;          // [rows][columns]: what is to be added up, from the chunk's first row on
  T* reference;         // the same, H rows more
  T* borders;           // [groups][Plan::borders]
  T* sides;             // [groups][Plan::sides]

  __device__ ResidentMemory(unsigned char* memory, ResidentThreads t, int rows)
      : table(reinterpret_cast<ScaledRow<T>*>(memory)),
        residual(reinterpret_cast<T*>(table + Plan::Shape::kinds)),
        reference(residual + rows * Plan::columns),
        borders(reference + (rows + Plan::H) * Plan::columns),
        sides(borders + t.groups * Plan::borders) {}
};

}  // namespace wavesim::cuda
