#pragma once
// The marched pass on a GPU (march.hpp). A lane has V neighbouring columns; two rows of every iterate and
// K + 2 of g = D^-1 b are in its registers, and it sees the columns of its neighbours through shared memory:
// one barrier for each row of the front. Included by cuda.hpp.

#include <cuda_pipeline.h>

#include "kernels/march.hpp"

namespace wavesim::cuda {

template <class T>
struct MarchLane {
  static constexpr int V = march::columns_per_lane<T>;
  struct alignas(16) Pack {
    T v[V];
  };
};

/// Rows of b, x and x_before that are on their way from memory or have just arrived.
inline constexpr int march_ahead = 4;

/// Bytes of shared memory of a block: what lanes show one another, twice; the classes of rows; and rows that
/// arrive.
template <class T, int K>
int march_shared(const MarchPlan& p) {
  constexpr int V = MarchLane<T>::V;
  return int(sizeof(T)) *
         (4 * (K + 1) * (p.lanes + 2) + (row_classes * ScaledRow<T>::values + 3 * march_ahead) * p.lanes * V);
}

/// Fetches a lane's V columns of a row into shared memory, without waiting; zeros outside of the domain.
/// Round a periodic axis one by one, because a row need not be a multiple of V.
template <class T>
struct MarchColumns {
  static constexpr int V = MarchLane<T>::V;
  const Topology& topology;
  int pitch, col;
  __device__ void fetch(const T* from, int row, T* to) const {
    const Topology& t = topology;
    if (t.wrap_y != 0) row = (row % t.ny + t.ny) % t.ny;
    const bool within = row >= 0 && row < t.ny;
    const T* const line = from + (within ? long(row) * pitch : 0);
    if (t.wrap_x == 0) {
      const bool inside = within && col >= 0 && col < t.nx;
      __pipeline_memcpy_async(to, inside ? line + col : from, 16, inside ? 0 : 16);
    } else {
#pragma unroll
      for (int v = 0; v < V; ++v)
        __pipeline_memcpy_async(to + v, line + ((col + v) % t.nx + t.nx) % t.nx, sizeof(T),
                                within ? 0 : sizeof(T));
    }
  }
};

/// Adds the lanes of each warp in a tree, warps one after the other, and the blocks' parts over 32 lanes.
template <class Tail>
__device__ void march_sum(Norms r, const MarchPlan& plan, Scratch scratch, Norms* out, const Tail& tail) {
  __shared__ Norms of_warp[march::resident_lanes / 32];
  __shared__ bool last;
  Norms* const partial = reinterpret_cast<Norms*>(scratch.partial);
  const int thread = threadIdx.x;
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) r.join(shuffle_down(r, offset));
  if (thread % 32 == 0) of_warp[thread / 32] = r;
  __syncthreads();
  if (thread == 0) {
    for (int w = 1; w < plan.lanes / 32; ++w) r.join(of_warp[w]);
    partial[blockIdx.x] = r;
    last = take_ticket(scratch.ticket) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || thread >= 32) return;
  Norms sum;
  for (int k = thread; k < int(gridDim.x); k += 32)
    sum.join({__ldcg(&partial[k].squares), __ldcg(&partial[k].largest)});
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
  T south, north, weight_north[K];
  MarchInside(const FivePointSystem<T, UniformCoefficients<T>>& system, const MarchSteps<T, K>& steps) {
    const ScaledRow<T> a = ScaledRow<T>::of(system.row_of(system.coefficients.inside()));
    south = a.south, north = a.north;
    for (int s = 0; s < K; ++s) weight_north[s] = steps.weight[s] * a.north;
  }
};

template <class T, int K, class Tail>
__global__ void __launch_bounds__(march::resident_lanes, 1)
    march_kernel(MarchPlan plan, int pitch, FivePointSystem<T, UniformCoefficients<T>> system,
                 MarchFields<T> fields, MarchSteps<T, K> steps, MarchInside<T, K> inside, Guard guard,
                 Scratch scratch, Norms* out, Tail tail) {
  if (guard.closed()) return;
  constexpr int V = MarchLane<T>::V, H = K + 1;
  const Topology& t = system.topology();
  const int thread = threadIdx.x, columns = plan.lanes * V;
  const int strip = blockIdx.x % plan.strips, chunk = blockIdx.x / plan.strips;
  const int col = strip * plan.inner - plan.margin + thread * V;
  const int row0 = chunk * plan.rows, row1 = min(t.ny, row0 + plan.rows);
  const bool mine = thread * V >= plan.margin && thread * V < plan.margin + plan.inner && col < t.nx;
  const MarchColumns<T> line{t, pitch, col};

  // What lanes show: [2 turns][K + 1 iterates][first column, last column][lanes + 2]
  extern __shared__ double shared[];
  T* const shown = reinterpret_cast<T*>(shared);
  const int side = plan.lanes + 2, iterate = 2 * side, turn = (K + 1) * iterate;
  for (int k = thread; k < 2 * turn; k += plan.lanes) shown[k] = 0;
  // Coefficients: [row class][south, west, east, north, inverse, diagonal][columns]
  T* const table = shown + 2 * turn;
  bool constant = true;  // inner rows couple up and down as in the middle of the medium
  T to_west[V], to_east[V];
  for (int c = 0; c < row_classes; ++c)
#pragma unroll
    for (int v = 0; v < V; ++v) {
      const ScaledRow<T> a = scaled_row(system, c, col + v);
      T* at = table + c * a.values * columns + thread * V + v;
      at[0] = a.south, at[columns] = a.west, at[2 * columns] = a.east, at[3 * columns] = a.north;
      at[4 * columns] = a.inverse, at[5 * columns] = a.diagonal;
      if (c == inner_row) {
        to_west[v] = a.west, to_east[v] = a.east;
        constant &= a.diagonal == 0 || (a.south == inside.south && a.north == inside.north);
      }
    }
  // Rows that arrive: [row][b, x, x_before][columns]; a lane reads only what it fetched itself.
  T* const arriving = table + row_classes * ScaledRow<T>::values * columns + thread * V;
  const T* const sources[3] = {fields.b, fields.x, fields.before};
  const int first = row0 - H, last = row1 + H;
  const auto fetch = [&](int row) {
    T* const to = arriving + ((row - first) % march_ahead) * 3 * columns;
#pragma unroll
    for (int k = 0; k < 3; ++k)
      if (sources[k]) line.fetch(sources[k], row, to + k * columns);
    __pipeline_commit();
  };
  for (int k = 0; k < 3 * march_ahead; ++k)
#pragma unroll
    for (int v = 0; v < V; ++v) arriving[k * columns + v] = 0;
  for (int k = 0; k < march_ahead - 1; ++k) fetch(first + k);
  constant = __syncthreads_and(constant);
  // When the step of row f begins: x[s] has rows f - 1 - s and f - 2 - s of iterate s, g[s] row f - 1 - s.
  T x[K + 1][2][V] = {}, before[V] = {}, g[H + 1][V] = {};
  Norms norms;

  const auto step = [&](int f, auto fast_, auto k_) {
    constexpr bool fast = decltype(fast_)::value;
    constexpr int k = decltype(k_)::value;  // the turn
    const T* const see = shown + (1 - k) * turn + thread;
    T* const show = shown + k * turn + thread + 1;
    const auto row_of_table = [&](int row) {
      return table + (fast ? int(inner_row) : row_class(row, t)) * ScaledRow<T>::values * columns +
             thread * V;
    };
#pragma unroll
    for (int s = H; s > 0; --s)
#pragma unroll
      for (int v = 0; v < V; ++v) g[s][v] = g[s - 1][v];
    __pipeline_wait_prior(march_ahead - 2);
    const T* const arrived = arriving + ((f - first) % march_ahead) * 3 * columns;
    const T* const of_front = row_of_table(f);
#pragma unroll
    for (int v = 0; v < V; ++v) g[0][v] = arrived[v] * of_front[4 * columns + v];
    fetch(f + march_ahead - 1);

    // All that does not wait for the row above: independent from one sweep to the next.
    T partial[H + 1][V];
#pragma unroll
    for (int s = 1; s <= H; ++s) {
      const T from_west = see[(s - 1) * iterate + side], from_east = see[(s - 1) * iterate + 2];
      const T* const at = row_of_table(f - s);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const T centre = x[s - 1][0][v];
        const T z = partial_defect<T>(
            g[s][v], centre, fast ? inside.south : at[v], x[s - 1][1][v], fast ? to_west[v] : at[columns + v],
            v == 0 ? from_west : x[s - 1][0][v == 0 ? 0 : v - 1], fast ? to_east[v] : at[2 * columns + v],
            v == V - 1 ? from_east : x[s - 1][0][v == V - 1 ? 0 : v + 1]);
        if (s <= K)
          partial[s][v] = partial_step<T>(steps.momentum[s - 1], steps.weight[s - 1], centre,
                                          s == 1 ? before[v] : x[s >= 2 ? s - 2 : 0][1][v], z);
        else
          partial[s][v] = z;
      }
    }
    // Up the chain of iterates.
    T r[V], last_but_one[V];
#pragma unroll
    for (int v = 0; v < V; ++v) {
      last_but_one[v] = x[K - 1][0][v];
      before[v] = arrived[2 * columns + v];
      T north = arrived[columns + v];
      x[0][1][v] = x[0][0][v], x[0][0][v] = north;
#pragma unroll
      for (int s = 1; s <= K; ++s) {
        const T* const at = row_of_table(f - s);
        north = std::fma(fast ? inside.weight_north[s - 1] : steps.weight[s - 1] * at[3 * columns + v], north,
                         partial[s][v]);
        x[s][1][v] = x[s][0][v], x[s][0][v] = north;
      }
      const T* const at = row_of_table(f - H);
      r[v] = std::fma(fast ? inside.north : at[3 * columns + v], north, partial[H][v]) * at[5 * columns + v];
    }
#pragma unroll
    for (int s = 0; s <= K; ++s) show[s * iterate] = x[s][0][0], show[s * iterate + side] = x[s][0][V - 1];

    if (mine && f - K >= row0 && f - K < row1) {
      const long i = long(f - K) * pitch + col;
      typename MarchLane<T>::Pack p;
#pragma unroll
      for (int v = 0; v < V; ++v) p.v[v] = col + v < t.nx ? x[K][0][v] : T(0);  // padding stays zero
      *reinterpret_cast<typename MarchLane<T>::Pack*>(fields.x_to + i) = p;
      if (fields.before_to) {
#pragma unroll
        for (int v = 0; v < V; ++v) p.v[v] = col + v < t.nx ? last_but_one[v] : T(0);
        *reinterpret_cast<typename MarchLane<T>::Pack*>(fields.before_to + i) = p;
      }
    }
    if (mine && f - H >= row0 && f - H < row1)
#pragma unroll
      for (int v = 0; v < V; ++v)
        if (col + v < t.nx) norms.join(Norms::of(double(r[v])));
    __syncthreads();
  };

  // Two steps at a time, so that rows change places without being moved. Fast: where every row at work is an
  // inner one.
  using Even = std::integral_constant<int, 0>;
  using Odd = std::integral_constant<int, 1>;
  int fast_from = t.wrap_y != 0 ? first : max(first, H + 1),
      fast_to = t.wrap_y != 0 ? last : min(last, t.ny - 1);
  fast_from += (fast_from - first) & 1;
  if (!constant) fast_from = fast_to = last;
  int f = first;
  const auto general_until = [&](int end) {
    for (; f < end; f += 2) {
      step(f, std::false_type{}, Even{});
      step(f + 1, std::false_type{}, Odd{});
    }
  };
  general_until(min(fast_from, last));
  for (; f + 1 < fast_to; f += 2) {
    step(f, std::true_type{}, Even{});
    step(f + 1, std::true_type{}, Odd{});
  }
  general_until(last);

  march_sum(norms, plan, scratch, out, tail);
}

}  // namespace wavesim::cuda
