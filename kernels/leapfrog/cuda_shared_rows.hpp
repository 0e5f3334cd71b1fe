#pragma once
// What a block of threads has in shared memory in passes of several leapfrog steps on a GPU (leapfrog_cuda.hpp): rows on
// their way from memory, what lanes show one another, and the coefficients of a constant medium by kind of point.

#include <cuda_pipeline.h>

#include "kernels/leapfrog/leapfrog.hpp"
#include "kernels/temporal/cuda_lane.hpp"
#include "kernels/temporal/cuda_shared_memory.hpp"

namespace wavesim::cuda {

/// `repeats`: one of several passes, whose fields change places.
template <int K_, class Pass_, bool repeats_ = false>
struct LeapfrogShape {
  static constexpr bool repeats = repeats_;
  using Pass = Pass_;
  using T = typename Pass::value;
  static constexpr int K = K_, V = temporal::columns_per_lane<T>, columns = temporal::columns<T>;
  static constexpr bool varies = Pass::Medium::varies, tracks = Pass::tracks;
  /// With row f arrive rows of these fields.
  enum Source { of_u, of_p, of_east, of_north, of_inverse, of_keep };
  static constexpr int of_maximum = varies ? 6 : 2, of_arrival = of_maximum + 1;
  static constexpr int sources = of_maximum + 2 * tracks;
  /// Rows on their way; row f - 1 is still there when row f has arrived.
  static constexpr int ahead = 4, rows = ahead + 1, row = sources * columns;
  static constexpr int line = 128 / int(sizeof(T));  // of memory, and so of shared memory (SharedMemoryPlan)
  /// Lanes show their first and last column of u(n) and of what each step but the last has left.
  static constexpr int side = temporal::lanes + 2, plane = 2 * side, turn = K * plane;
  static constexpr int kinds = varies ? 0 : row_classes * row_classes;
  static constexpr int arriving = rows * row + line;
  static constexpr int bytes = int(sizeof(T)) * (arriving + 2 * turn) + kinds * int(sizeof(LeapfrogRow<T>)) +
                               K * columns * int(sizeof(double));
  static_assert(bytes <= most_of_two_blocks);
};

/// The parts of it.
template <class Shape>
class LeapfrogRows {
  using Pass = typename Shape::Pass;
  using T = typename Shape::T;

 public:
  T* const shown;               // [2 turns][K planes][first column, last column][lanes + 2]
  LeapfrogRow<T>* const table;  // [row class][column class]
  double* const pushed;         // [K steps][columns]: what each step adds; afterwards what it has left

  __device__ LeapfrogRows(unsigned char* memory, const Pass& pass, const LeapfrogFields<T>& fields,
                          const Lane& lane)
      : shown(reinterpret_cast<T*>(memory) + Shape::arriving),
        table(reinterpret_cast<LeapfrogRow<T>*>(shown + 2 * Shape::turn)),
        pushed(reinterpret_cast<double*>(table + Shape::kinds)),
        arriving_(reinterpret_cast<T*>(memory)),
        ring_(arriving_ + unsigned(lane.col - lane.thread * Shape::V) % Shape::line + lane.thread * Shape::V),
        pass_(pass),
        fields_(fields),
        lane_(lane) {}

  /// All is zero to begin with. A barrier is to follow.
  __device__ void begin() const {
    for (int k = lane_.thread; k < Shape::arriving; k += int(blockDim.x)) arriving_[k] = 0;
    for (int k = lane_.thread; k < 2 * Shape::turn; k += int(blockDim.x)) shown[k] = 0;
    if constexpr (!Shape::varies)
      if (lane_.thread < Shape::kinds)
        table[lane_.thread] = pass_.medium.kinds[lane_.thread / row_classes][lane_.thread % row_classes];
  }
  /// The lane's columns of a field in row `row`.
  __device__ Pack<T> source(int row, int n) const { return pack(place(row) + n * Shape::columns); }
  /// The column before them, which the lane before fetched.
  __device__ T before(int row, int n) const { return place(row)[n * Shape::columns - 1]; }

  /// Starts to copy what arrives with row `row`. Rows beyond the domain are ghost rows, which hold zeros.
  __device__ void fetch(int row) const {
    const Topology& t = pass_.medium.topology;
    int in_field = row;
    if (t.wrap_y != 0) {  // a division would cost more than a turn or none
      while (in_field < 0) in_field += t.ny;
      while (in_field >= t.ny) in_field -= t.ny;
    }
    const int at = pass_.extent.index(max(min(in_field, t.ny), -1), lane_.from_col);
    if (lane_.in_domain) fetch(place(row), row, at);
    if constexpr (Shape::varies)  // the face left of column 0 lies in the padding before it
      if (lane_.from_col == -Shape::V && in_field >= 0 && in_field < t.ny)
        copy(place(row), Shape::of_east, pass_.medium.east, at);
    __pipeline_commit();
  }
  /// Waits for the row that is fetched `ahead - 2` calls before the last.
  __device__ static void wait() { __pipeline_wait_prior(Shape::ahead - 2); }

 private:
  __device__ void fetch(T* to, int row, int at) const {
    copy(to, Shape::of_u, Shape::repeats ? fields_.u : pass_.u, at);
    copy(to, Shape::of_p, Shape::repeats ? fields_.p : pass_.p, at);
    if constexpr (Shape::varies) {
      const auto& m = pass_.medium;
      copy(to, Shape::of_east, m.east, at);
      copy(to, Shape::of_north, m.north, at);
      copy(to, Shape::of_inverse, m.inverse, at);
      if (m.keep) copy(to, Shape::of_keep, m.keep, at);
    }
    if constexpr (Shape::tracks)
      if (lane_.mine && lane_.has(row)) {
        if (pass_.maximum) copy(to, Shape::of_maximum, pass_.maximum, at);
        if (pass_.arrival) copy(to, Shape::of_arrival, pass_.arrival, at);
      }
  }
  __device__ T* place(int row) const {
    return ring_ + (unsigned(row - lane_.row0 + Shape::K + Shape::rows) % Shape::rows) * Shape::row;
  }
  __device__ static void copy(T* to, int n, const T* from, int at) {
    __pipeline_memcpy_async(to + n * Shape::columns, from + at, 16);
  }

  T* const arriving_;  // [row][source][columns]
  T* const ring_;
  const Pass& pass_;
  const LeapfrogFields<T>& fields_;
  const Lane lane_;
};

}  // namespace wavesim::cuda
