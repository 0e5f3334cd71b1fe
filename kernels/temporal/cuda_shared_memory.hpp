#pragma once
// What a block of threads has in shared memory in blocked sweeps on a GPU (blocked_sweeps_cuda.hpp): rows that arrive
// from memory, what lanes show one another, coefficients by kind of point.

#include "kernels/temporal/scaled_medium.hpp"

namespace wavesim::cuda {

/// Neighbouring columns of a row, which a lane loads and stores at once.
template <class T>
struct alignas(16) Pack {
  static constexpr int V = temporal::columns_per_lane<T>;
  T v[V];
};
template <class T>
__device__ Pack<T> pack(const T* from) {
  return *reinterpret_cast<const Pack<T>*>(from);
}

/// Stores a lane's columns.
template <class T, int V>
__device__ void store_columns(T* to, const T (&values)[V]) {
  Pack<T> p;
  UNROLL_REGISTERS for (int v = 0; v < V; ++v) p.v[v] = values[v];
  *reinterpret_cast<Pack<T>*>(to) = p;
}

/// What a block may take where two are to be resident, but for what sums take.
inline constexpr int most_of_two_blocks = (228 * 1024) / 2 - 1024 - 256;

/// What a kind of pass has in shared memory. Planes are what lanes show one another: u, and iterates.
template <class T, class Medium_, class Fields_, int K_, bool from_zero_>
struct SharedMemoryPlan {
  using Value = T;
  using Medium = Medium_;
  using Fields = Fields_;
  static constexpr int K = K_, H = K + 1, V = temporal::columns_per_lane<T>;
  static constexpr bool from_zero = from_zero_;
  static constexpr bool is_step = Fields::is_step, varies = temporal::varies<Medium>;
  static constexpr int columns = temporal::columns<T>;
  static constexpr int planes = K + 1 + is_step - from_zero;
  static constexpr int plane_of(int s) { return s + is_step - from_zero; }
  static constexpr int side = temporal::lanes + 2, plane = 2 * side, turn = planes * plane;

  /// With row f arrive rows of fields, in a varying medium those of two faces last; and rows f - K of what
  /// leaves with the last iterate.
  static constexpr int vectors =
      is_step ? 2 + 2 * varies + temporal::damped<Medium> + !from_zero : (from_zero ? 1 : 3) + varies;
  static constexpr int arriving = vectors + 2 * varies, leaving = 2 * is_step + varies;
  static constexpr int sources = arriving + leaving;
  /// Where they lie, those that the pass has.
  static constexpr int at_u = 0, at_p = 1, at_b = 0, at_root = is_step ? 2 : 1, at_mass = 3,
                       at_damped_mass = 3 + temporal::damped<Medium>, at_tried = vectors - 1,
                       at_x = vectors - 2, at_before = vectors - 1, at_east = vectors, at_north = vectors + 1,
                       at_leaving = arriving, at_leaving_root = sources - 1;
  /// East faces of row f + early arrive with row f, as soon as what is shown is multiplied by them; north
  /// faces are wanted a turn later than those.
  static constexpr int early = from_zero && !is_step ? -1 : 0;
  /// In turn f row f - late of g is made. A turn early it waits for nothing; a turn later it takes a row of
  /// registers less of g, and of the faces of a varying medium.
  static constexpr int late = varies;
  /// The rows of p, of b and the iterate before, of u, and of what leaves, that arrive with row f, less f.
  static constexpr int row_of_p = -late, row_of_g = -late, row_of_u = 1 - late, leaving_row = -K;
  static constexpr bool forced = false;
  static constexpr int kinds = varies ? 0 : row_classes * row_classes;
  /// Whether the first two steps may go by mass; then a row of weights is kept from one turn to the next.
  static constexpr bool may_go_by_mass = varies && is_step && from_zero;
  /// Values of a line of memory. Lines must be lines in shared memory, too: 16-byte copies of a warp that lie
  /// otherwise are written there one by one, in 15 cycles instead of 4. (Of floats whose rows are an odd
  /// number of half lines apart, every other row does.)
  static constexpr int line = 128 / int(sizeof(T));
  static constexpr int values_arriving(int ahead) { return ahead * sources * columns + line; }
  static constexpr int bytes_with(int ahead) {
    return int(sizeof(T)) *
           (values_arriving(ahead) + 2 * turn + kinds * ScaledRow<T>::values + may_go_by_mass * columns);
  }
  static constexpr int most = most_of_two_blocks;
  /// Rows of three fields are read twice, K turns apart. What is read or written once would drive them out of
  /// the cache meanwhile.
  static constexpr bool forgets = is_step && varies;
  /// Rows that are on their way from memory or have just arrived.
  static constexpr int ahead = bytes_with(4) <= most ? 4 : 3;
  static constexpr int row = sources * columns;
  static constexpr int bytes = bytes_with(ahead);
  static_assert(bytes <= most);
};

/// The parts of a block's shared memory. All is zero to begin with but the coefficients.
template <class Shape>
struct SharedMemory {
  using T = typename Shape::Value;
  T* arriving;          // [row][source][columns]
  T* shown;             // [2 turns][planes][first column, last column][lanes + 2]
  ScaledRow<T>* table;  // coefficients by kind of point: [row class][column class]
  T* weights;           // of the second step: [columns]

  __device__ explicit SharedMemory(unsigned char* memory)
      : arriving(reinterpret_cast<T*>(memory)),
        shown(arriving + Shape::values_arriving(Shape::ahead)),
        table(reinterpret_cast<ScaledRow<T>*>(shown + 2 * Shape::turn)),
        weights(reinterpret_cast<T*>(table + Shape::kinds)) {}

  __device__ void clear(int thread) const {
    for (int k = thread; k < Shape::values_arriving(Shape::ahead); k += temporal::lanes) arriving[k] = 0;
    for (int k = thread; k < 2 * Shape::turn; k += temporal::lanes) shown[k] = 0;
    if constexpr (Shape::may_go_by_mass)
      UNROLL_REGISTERS for (int v = 0; v < Shape::V; ++v) weights[thread * Shape::V + v] = 0;
  }
};

}  // namespace wavesim::cuda
