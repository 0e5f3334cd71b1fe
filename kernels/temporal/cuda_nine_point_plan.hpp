#pragma once
// What a block of threads has in shared memory in blocked sweeps of nine points on a GPU (cuda_nine_point_front.hpp): rows
// that arrive from memory, what lanes show one another, rows of g, coefficients by kind of point.

#include "kernels/temporal/cuda_shared_memory.hpp"
#include "kernels/temporal/nine_point_rows.hpp"

namespace wavesim::cuda {

/// As SharedMemoryPlan. Sweep s is two rows above sweep s + 1: row f - 2 s in turn f. So all that it takes from other
/// lanes they have shown in the turn before, and the sweeps of a turn do not wait for one another.
template <class T, class Fields_, int K_, bool from_zero_>
struct NinePointPlan {
  using Value = T;
  using Medium = UniformNinePoints<T>;
  using Fields = Fields_;
  static constexpr int K = K_, H = K + 1, V = temporal::columns_per_lane<T>;
  static constexpr bool from_zero = from_zero_, is_step = Fields::is_step, varies = false, forgets = false,
                        forced = is_step;
  static constexpr int columns = temporal::columns<T>;
  /// Planes are what lanes show one another: what u gives to its sides in K u; likewise p + u in A (p + u), of passes
  /// from zero; and iterates in A x.
  static constexpr int plane_of_u = 0, plane_of_reference = 1, first_plane = is_step * (1 + from_zero);
  static constexpr int planes = first_plane + K + !from_zero;
  static constexpr int plane_of(int s) { return first_plane + s - from_zero; }
  static constexpr int side = temporal::lanes + 2, plane = 2 * side, turn = planes * plane;

  /// With row f arrive rows of fields, and rows f - 2 K of what leaves with the last iterate.
  static constexpr int vectors = is_step ? 3 + !from_zero : (from_zero ? 1 : 3);
  static constexpr int arriving = vectors, leaving = 2 * is_step, sources = arriving + leaving;
  static constexpr int at_u = 0, at_p = 1, at_force = 2, at_tried = 3, at_b = 0, at_x = 1, at_before = 2,
                       at_leaving = arriving;
  static constexpr int row_of_p = 0, row_of_u = 0, row_of_g = -2, leaving_row = -2 * K, early = 0;
  /// Rows f - 2 to f - 2 H of g.
  static constexpr int rows_of_g = 2 * K + 1;
  static constexpr int line = 128 / int(sizeof(T));
  static constexpr int values_arriving(int ahead) { return ahead * sources * columns + line; }
  static constexpr int kinds = row_classes * row_classes;
  static constexpr int bytes_with(int ahead) {
    return int(sizeof(T)) * (values_arriving(ahead) + 2 * turn + rows_of_g * columns) +
           int(kinds * sizeof(NinePointColumn<T>) + row_classes * sizeof(NinePointAlong<T>));
  }
  static constexpr int most = most_of_two_blocks;
  static constexpr int ahead = bytes_with(4) <= most ? 4 : 3;
  static constexpr int row = sources * columns;
  static constexpr int bytes = bytes_with(ahead);
  static_assert(bytes <= most);
};

/// The parts of a block's shared memory. All is zero to begin with but the coefficients.
template <class Shape>
struct NinePointMemory {
  using T = typename Shape::Value;
  T* arriving;                // [row][source][columns]
  T* shown;                   // [2 turns][planes][first column, last column][lanes + 2]
  T* g;                       // [rows_of_g][columns]
  NinePointColumn<T>* table;  // [row class][column class]
  NinePointAlong<T>* along;   // [row class]

  __device__ explicit NinePointMemory(unsigned char* memory)
      : arriving(reinterpret_cast<T*>(memory)),
        shown(arriving + Shape::values_arriving(Shape::ahead)),
        g(shown + 2 * Shape::turn),
        table(reinterpret_cast<NinePointColumn<T>*>(g + Shape::rows_of_g * Shape::columns)),
        along(reinterpret_cast<NinePointAlong<T>*>(table + Shape::kinds)) {}

  __device__ void clear(int thread, const UniformNinePoints<T>& medium) const {
    const int values = int(g - arriving) + Shape::rows_of_g * Shape::columns;
    for (int k = thread; k < values; k += temporal::lanes) arriving[k] = 0;
    if (thread < Shape::kinds)
      table[thread] = nine_point_column(medium, thread / row_classes, thread % row_classes);
    if (thread < row_classes) along[thread] = nine_points_along(medium, thread);
  }
};

}  // namespace wavesim::cuda
