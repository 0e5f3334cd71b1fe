#pragma once
// The marched pass on a GPU (march.hpp). A lane has V neighbouring columns; two rows of every iterate and
// K + 2 of g = D^-1 b are in its registers, and it sees the columns of its neighbours through shared memory:
// one barrier for each row of the front.

#include <cuda_pipeline.h>

#include "kernels/cuda.hpp"
#include "kernels/march.hpp"

namespace wavesim {
namespace cuda {

template <class T>
struct MarchLane {
  static constexpr int V = march::columns_per_lane<T>;
  struct alignas(16) Pack {
    T v[V];
  };
};

/// Rows that are on their way from memory or have just arrived.
inline constexpr int march_ahead = 4;

/// What a kind of pass has in shared memory. Planes are what lanes show one another: u, and iterates.
template <class T, class Fields, int K, bool from_zero>
struct MarchShape {
  static constexpr bool in_time = Fields::in_time;
  static constexpr int columns = march::columns<T>;
  static constexpr int planes = K + 1 + in_time - from_zero;
  static constexpr int plane_of(int s) { return s + in_time - from_zero; }
  static constexpr int side = march::lanes + 2, plane = 2 * side, turn = planes * plane;
  static constexpr int sources = in_time ? 4 + !from_zero : from_zero ? 1 : 3;
  static constexpr int row = sources * columns;
  static constexpr int kinds = row_classes * row_classes;
  static constexpr int bytes = int(sizeof(T)) * (2 * turn + kinds * ScaledRow<T>::values + march_ahead * row);
};

/// Adds the lanes of each warp in a tree, warps one after the other, and the blocks' parts over 32 lanes.
template <class R, class Tail>
__device__ void march_sum(R r, Scratch scratch, R* out, const Tail& tail) {
  __shared__ R of_warp[march::lanes / 32];
  __shared__ bool last;
  R* const partial = reinterpret_cast<R*>(scratch.partial);
  const int thread = threadIdx.x;
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) r.join(shuffle_down(r, offset));
  if (thread % 32 == 0) of_warp[thread / 32] = r;
  __syncthreads();
  if (thread == 0) {
    for (int w = 1; w < march::lanes / 32; ++w) r.join(of_warp[w]);
    partial[blockIdx.x] = r;
    last = take_ticket(scratch.ticket) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || thread >= 32) return;
  R sum;
  for (int k = thread; k < int(gridDim.x); k += 32) {
    R part;
    constexpr int n = sizeof(R) / sizeof(double);
#pragma unroll
    for (int d = 0; d < n; ++d)
      reinterpret_cast<double*>(&part)[d] = __ldcg(reinterpret_cast<const double*>(partial + k) + d);
    sum.join(part);
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum.join(shuffle_down(sum, offset));
  if (thread == 0) {
    *out = sum;
    tail(sum);
  }
}

/// What inner rows have in common, in constant memory.
template <class T, int K>
struct MarchInside {
  ScaledRow<T> row;
  T weight_north[K];
  MarchInside(const FivePointSystem<T, UniformCoefficients<T>>& system, const MarchSteps<T, K>& steps)
      : row(ScaledRow<T>::of(system, system.coefficients.inside())) {
    for (int s = 0; s < K; ++s) weight_north[s] = steps.weight[s] * row.north;
  }
};

template <class T, int K, bool from_zero, class Fields, class Tail>
__global__ void __launch_bounds__(march::lanes, 2)
    march_kernel(MarchPlan plan, int pitch, FivePointSystem<T, UniformCoefficients<T>> system, Fields fields,
                 MarchSteps<T, K> steps, MarchInside<T, K> inside, Guard guard, Scratch scratch,
                 typename Fields::Result* out, Tail tail) {
  if (guard.closed()) return;
  using Shape = MarchShape<T, Fields, K, from_zero>;
  using Pack = typename MarchLane<T>::Pack;
  constexpr int V = MarchLane<T>::V, H = K + 1;
  constexpr bool in_time = Fields::in_time;
  const Topology& t = system.topology();
  const int thread = threadIdx.x;
  const int strip = blockIdx.x % plan.strips, chunk = blockIdx.x / plan.strips;
  const int col = strip * plan.inner - plan.margin + thread * V;
  const int row0 = chunk * plan.rows, rows = min(t.ny - row0, plan.rows);
  const bool mine = thread * V >= plan.margin && thread * V < plan.margin + plan.inner && col < t.nx;
  // where the lane's columns are in memory
  const int from_col = t.wrap_x != 0 ? (col % t.nx + t.nx) % t.nx : col;
  const bool in_domain = from_col >= 0 && from_col < t.nx;

  // What lanes show: [2 turns][planes][first column, last column][lanes + 2]
  extern __shared__ double shared[];
  T* const shown = reinterpret_cast<T*>(shared);
  for (int k = thread; k < 2 * Shape::turn; k += march::lanes) shown[k] = 0;
  // Coefficients by kind of point: [row class][column class]
  ScaledRow<T>* const table = reinterpret_cast<ScaledRow<T>*>(shown + 2 * Shape::turn);
  if (thread < Shape::kinds) {
    const int c = thread % row_classes;
    const int at = c == bottom_row ? 0 : c == top_row ? t.nx - 1 : t.nx > 2 ? 1 : 0;
    table[thread] = c == no_row ? ScaledRow<T>{} : scaled_row(system, thread / row_classes, at);
  }
  // Rows that arrive: [row][source][columns]; a lane reads only what it fetched itself.
  T* const arriving = reinterpret_cast<T*>(table + Shape::kinds) + thread * V;
  for (int k = 0; k < Shape::sources * march_ahead; ++k)
#pragma unroll
    for (int v = 0; v < V; ++v) arriving[k * Shape::columns + v] = 0;
  const int first = row0 - H - in_time, last = row0 + rows + H;  // in time, u is a row ahead
  const auto place = [&](int row) { return arriving + (unsigned(row - first) % march_ahead) * Shape::row; };
  // Row `row` of a field, without waiting; zeros outside of the domain.
  const auto fetch_one = [&](const T* from, int row, T* to) {
    if (t.wrap_y != 0) {  // a division would cost more than a turn or none
      while (row < 0) row += t.ny;
      while (row >= t.ny) row -= t.ny;
    }
    const bool within = in_domain && unsigned(row) < unsigned(t.ny);
    __pipeline_memcpy_async(to, within ? from + (row * pitch + from_col) : from, 16, within ? 0 : 16);
  };
  const auto fetch = [&](int row) {
    T* const to = place(row);
    if constexpr (in_time) {
      fetch_one(fields.u, row + 1, to);
      fetch_one(fields.p, row, to + Shape::columns);
      fetch_one(fields.u, row - K, to + 2 * Shape::columns);  // where the last iterate is by then
      fetch_one(fields.p, row - K, to + 3 * Shape::columns);
      if constexpr (!from_zero) fetch_one(fields.tried, row, to + 4 * Shape::columns);
    } else {
      fetch_one(fields.b, row, to);
      if constexpr (!from_zero) {
        if (fields.x) fetch_one(fields.x, row, to + Shape::columns);
        if (fields.before) fetch_one(fields.before, row, to + 2 * Shape::columns);
      }
    }
    __pipeline_commit();
  };
  for (int k = 0; k < march_ahead - 1; ++k) fetch(first + k);
  __syncthreads();
  int kind[V];
  bool constant = true;  // inner rows couple up and down as in the middle of the medium
  T to_west[V], to_east[V];
#pragma unroll
  for (int v = 0; v < V; ++v) {
    const int c = col + v;
    kind[v] = t.wrap_x != 0        ? int(inner_row)
              : c < 0 || c >= t.nx ? int(no_row)
              : c == 0             ? int(bottom_row)
              : c == t.nx - 1      ? int(top_row)
                                   : int(inner_row);
    const ScaledRow<T>& a = table[inner_row * row_classes + kind[v]];
    to_west[v] = a.west, to_east[v] = a.east;
    const ScaledRow<T>& m = inside.row;
    constant &= kind[v] == no_row || (a.south == m.south && a.north == m.north &&
                                      (!in_time || (a.inertia == m.inertia && a.stiff == m.stiff)));
  }
  constant = __syncthreads_and(constant);

  // When the step of row f begins, in turn k: x[s][1 - k] is row f - 1 - s of iterate s, x[s][k] the one
  // below it; g[s] is row f - 1 - s of g; u[1 - k] is row f of u.
  T x[K + 1][2][V] = {}, before[V] = {}, g[H + 1][V] = {}, u[2][V] = {};
  MarchNorms residual, reference;

  const auto step = [&](int f, auto fast_, auto k_) {
    constexpr bool fast = decltype(fast_)::value;
    constexpr int k = decltype(k_)::value;
    const T* const see = shown + (1 - k) * Shape::turn + thread;
    T* const show = shown + k * Shape::turn + thread + 1;
    const auto row_of_table = [&](int row) { return table + row_class(row, t) * row_classes; };
    // D^-1 (D - A) of a plane, added to y, but for the northern neighbour
    const auto around = [&](const T y, int p, int row, int v, const T(&centre)[V], T south) {
      const T from_west = v == 0 ? see[p * Shape::plane + Shape::side] : centre[v == 0 ? 0 : v - 1];
      const T from_east = v == V - 1 ? see[p * Shape::plane + 2] : centre[v == V - 1 ? 0 : v + 1];
      if constexpr (fast)
        return coupled<T>(y, inside.row.south, south, to_west[v], from_west, to_east[v], from_east);
      const ScaledRow<T>& a = row_of_table(row)[kind[v]];
      return coupled<T>(y, a.south, south, a.west, from_west, a.east, from_east);
    };
    const auto north_of = [&](int row, int v) {
      return fast ? inside.row.north : row_of_table(row)[kind[v]].north;
    };
    const auto diagonal_of = [&](int row, int v) {
      return (fast ? table + inner_row * row_classes : row_of_table(row))[kind[v]].diagonal;
    };
#pragma unroll
    for (int s = H; s > 0; --s)
#pragma unroll
      for (int v = 0; v < V; ++v) g[s][v] = g[s - 1][v];
    __pipeline_wait_prior(march_ahead - 2);
    const T* const arrived = place(f);
    fetch(f + march_ahead - 1);
    const auto source = [&](int n) { return *reinterpret_cast<const Pack*>(arrived + n * Shape::columns); };
    [[maybe_unused]] Pack newest;  // row f of the first iterate
    if constexpr (in_time) {
      const Pack north = source(0), p = source(1);
      const bool counted = unsigned(f - row0) < unsigned(rows);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const T centre = u[1 - k][v];
        T y = around(T(0), 0, f, v, u[1 - k], u[k][v]);
        y = std::fma(north_of(f, v), north.v[v], y);
        const ScaledRow<T>& a = fast ? inside.row : row_of_table(f)[kind[v]];
        g[0][v] = scaled_right_hand_side<T>(a.inertia, p.v[v], fields.ratio, a.stiff, centre, y);
        if (counted)
          reference.add(double((fields.whole ? g[0][v] + (centre - y) : g[0][v]) * diagonal_of(f, v)));
      }
      if constexpr (!from_zero) {
        newest = source(4);
#pragma unroll
        for (int v = 0; v < V; ++v) newest.v[v] -= u[1 - k][v];
      }
#pragma unroll
      for (int v = 0; v < V; ++v) u[k][v] = north.v[v];
    } else {
      const Pack b = source(0);
#pragma unroll
      for (int v = 0; v < V; ++v)
        g[0][v] = b.v[v] * (fast ? table + inner_row * row_classes : row_of_table(f))[kind[v]].inverse;
      if constexpr (!from_zero) newest = source(1);
    }

    // All that does not wait for the row above: independent from one sweep to the next.
    T partial[H + 1][V];
#pragma unroll
    for (int s = 1; s <= H; ++s)
#pragma unroll
      for (int v = 0; v < V; ++v) {
        if (s == 1 && from_zero) {
          partial[s][v] = steps.weight[0] * g[1][v];
          continue;
        }
        const T centre = x[s - 1][1 - k][v];
        const T y = around(g[s][v], Shape::plane_of(s - 1), f - s, v, x[s - 1][1 - k], x[s - 1][k][v]);
        if (s > K) {
          partial[s][v] = y - centre;
          continue;
        }
        T kept = steps.keep[s - 1] * centre;
        if (!(s == 2 && from_zero) && !(s == 1 && in_time))
          kept = std::fma(steps.momentum[s - 1], s == 1 ? before[v] : x[s >= 2 ? s - 2 : 0][k][v], kept);
        partial[s][v] = std::fma(steps.weight[s - 1], y, kept);
      }
    // Up the chain of iterates.
    T r[V], last_but_one[V];
#pragma unroll
    for (int v = 0; v < V; ++v) {
      last_but_one[v] = x[K - 1][1 - k][v];
      T north = 0;
      if constexpr (!from_zero) x[0][k][v] = north = newest.v[v];
#pragma unroll
      for (int s = 1; s <= K; ++s) {
        if (s == 1 && from_zero)
          north = partial[1][v];
        else
          north = std::fma(fast ? inside.weight_north[s - 1] : steps.weight[s - 1] * north_of(f - s, v),
                           north, partial[s][v]);
        x[s][k][v] = north;
      }
      r[v] = std::fma(north_of(f - H, v), north, partial[H][v]) * diagonal_of(f - H, v);
    }
    if constexpr (!in_time && !from_zero) {
      const Pack b = source(2);
#pragma unroll
      for (int v = 0; v < V; ++v) before[v] = b.v[v];
    }
    const auto show_plane = [&](int p, const T(&row)[V]) {
      show[p * Shape::plane] = row[0], show[p * Shape::plane + Shape::side] = row[V - 1];
    };
    if constexpr (in_time) show_plane(0, u[k]);
#pragma unroll
    for (int s = from_zero; s <= K; ++s) show_plane(Shape::plane_of(s), x[s][k]);

    if (mine && unsigned(f - K - row0) < unsigned(rows)) {
      const int i = (f - K) * pitch + col;
      const auto store = [&](T* to, const Pack& p) { *reinterpret_cast<Pack*>(to + i) = p; };
      Pack d;
#pragma unroll
      for (int v = 0; v < V; ++v) d.v[v] = x[K][k][v];
      if constexpr (in_time) {
        Pack u_to = source(2), p_to = source(3);
#pragma unroll
        for (int v = 0; v < V; ++v) {
          u_to.v[v] += d.v[v];
          p_to.v[v] = std::fma(fields.carry, d.v[v], (T(1) - fields.carry) * p_to.v[v]);
        }
        store(fields.u_to, u_to);
        store(fields.p_to, p_to);
      } else {
        store(fields.x_to, d);
#pragma unroll
        for (int v = 0; v < V; ++v) d.v[v] = last_but_one[v];
        if (fields.before_to) store(fields.before_to, d);
      }
    }
    if (unsigned(f - H - row0) < unsigned(rows))
#pragma unroll
      for (int v = 0; v < V; ++v) residual.add(double(r[v]));
    __syncthreads();
  };

  // Two steps at a time, so that rows change places without being moved.
  // Fast: where every row at work is an inner one.
  int fast_from = t.wrap_y != 0 ? first : max(first, H + 1),
      fast_to = t.wrap_y != 0 ? last : min(last, t.ny - 1);
  fast_from += (fast_from - first) & 1;
  if (!constant) fast_from = fast_to = last;
  int f = first;
  const auto two = [&](auto fast) {
    step(f, fast, std::integral_constant<int, 0>{});
    step(f + 1, fast, std::integral_constant<int, 1>{});
    f += 2;
  };
  while (f < min(fast_from, last)) two(std::false_type{});
  while (f + 1 < fast_to) two(std::true_type{});
  while (f < last) two(std::false_type{});

  if (!mine) residual = reference = {};
  if constexpr (in_time)
    march_sum(StepNorms{residual.norms(), reference.norms()}, scratch, out, tail);
  else
    march_sum(residual.norms(), scratch, out, tail);
}

}  // namespace cuda

template <class T, int K, class Fields, class Tail>
void Cuda::march(const char* label, Extent e, const FivePointSystem<T, UniformCoefficients<T>>& system,
                 const Fields& fields, const MarchSteps<T, K>& steps, typename Fields::Result* out,
                 Tail tail) {
  tally_.add(label, double(e.points()) * fields.vectors() * sizeof(T), true);
  const MarchPlan plan = plan_march<T>(e, K);
  const auto launch = [&](auto from_zero) {
    constexpr bool zero = decltype(from_zero)::value;
    const auto kernel = cuda::march_kernel<T, K, zero, Fields, Tail>;
    const int shared = cuda::MarchShape<T, Fields, K, zero>::bytes;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    kernel<<<plan.blocks(), march::lanes, shared, stream_>>>(plan, e.pitch, system, fields, steps,
                                                             cuda::MarchInside<T, K>(system, steps), guard_,
                                                             scratch_, out, tail);
  };
  if (fields.from_zero())
    launch(std::true_type{});
  else
    launch(std::false_type{});
  check(cudaGetLastError());
}

}  // namespace wavesim
