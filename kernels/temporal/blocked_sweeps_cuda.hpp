#pragma once
// Blocked sweeps on a GPU (blocked_sweeps.hpp). A lane has V neighbouring columns; two rows of every iterate and
// K + 2 of g = D^-1 b are in its registers, and it sees the columns of its neighbours through shared memory:
// one barrier for each row of the front. In a varying medium there are as many rows of faces, and a lane
// shows its last column as the product with its east face: so it needs no face but its own.

#include <cuda_pipeline.h>

#include "kernels/backend/cuda.hpp"
#include "kernels/temporal/cuda_shared_memory.hpp"

namespace wavesim {
namespace cuda {

/// Copies 16 bytes to shared memory without waiting. They are the first to leave the cache.
template <class T>
__device__ void copy_and_forget(T* to, const T* from) {
  unsigned long long first_out;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first_out));
  asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(
                   unsigned(__cvta_generic_to_shared(to))),
               "l"(from), "l"(first_out)
               : "memory");
}

/// Adds the lanes of each warp in a tree, warps one after the other, and the blocks' parts over 32 lanes: by
/// the block that ends last. Mostly all are resident at once, and one that waited for the parts of others
/// while they work would take a fifth of a pass.
template <class R, class Epilogue>
__device__ void blocked_sum(R r, double* parts, unsigned* ticket, R* out, const Epilogue& epilogue) {
  const int thread = threadIdx.x;
  r = block_sum<temporal::lanes>(r, thread);
  __shared__ bool last;
  if (thread == 0) {
    leave_part(r, parts, blockIdx.x);  // may arrive after the ticket: parts are waited for
    last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || thread >= 32) return;
  const R sum = warp_sum(join_parts<R, 32>(parts, gridDim.x, thread));
  if (thread == 0) {
    *out = sum;
    epilogue(sum);
  }
}

/// What is known of the rows at work: nothing; that all which are in the domain are like inner ones, but for
/// what they couple to beyond it, where iterates are zero; that all are inner ones.
enum class BlockedRows { any, some_beyond, inner };

/// Whether a row at a fixed edge is such a one.
template <class T>
HD bool is_inner_but_for(const ScaledRow<T>& a, const ScaledRow<T>& inner, bool bottom) {
  return a.west == inner.west && a.east == inner.east && a.inverse == inner.inverse &&
         a.diagonal == inner.diagonal && a.scaled_mass == inner.scaled_mass && a.stiff == inner.stiff &&
         (bottom ? a.south == 0 && a.north == inner.north : a.north == 0 && a.south == inner.south);
}

/// What inner rows have in common, in constant memory.
template <class T, int K, class Medium>
struct BlockedInside {
  ScaledRow<T> row;
  T weight_north[K];
  BlockedInside(const Medium& system, const SweepCoefficients<T, K>& steps)
      : row(ScaledRow<T>::of(system, system.coefficients.inside())) {
    for (int s = 0; s < K; ++s) weight_north[s] = steps.weight[s] * row.north;
  }
};
template <class T, int K, bool damped>
struct BlockedInside<T, K, ScaledMedium<T, damped>> {
  BlockedInside(const ScaledMedium<T, damped>&, const SweepCoefficients<T, K>&) {}
};

template <class T, int K, bool from_zero, bool centred, class Medium, class Fields, class Epilogue>
__global__ void __launch_bounds__(temporal::lanes, 2)
    blocked_kernel(BlockPlan plan, int pitch, Medium medium, Fields fields, SweepCoefficients<T, K> steps,
                   BlockedInside<T, K, Medium> inside, Guard guard, double* parts, unsigned* ticket,
                   typename Fields::Result* out, Epilogue epilogue) {
  if (guard.closed()) return;
  using Shape = SharedMemoryPlan<T, Medium, Fields, K, from_zero>;
  using Pack = typename LanePack<T>::Pack;
  constexpr int V = LanePack<T>::V, H = K + 1;
  constexpr bool is_step = Fields::is_step, varies = Shape::varies;
  const Topology& t = medium.topology();
  const int thread = threadIdx.x;
  const int strip = blockIdx.x % plan.strips, chunk = blockIdx.x / plan.strips;
  const int col = strip * plan.inner - plan.margin + thread * V;
  const int row0 = chunk * plan.rows, rows = min(t.ny - row0, plan.rows);
  const bool mine = thread * V >= plan.margin && thread * V < plan.margin + plan.inner && col < t.nx;
  // where the lane's columns are in memory
  const int from_col = t.wrap_x != 0 ? (col % t.nx + t.nx) % t.nx : col;
  const bool in_domain = from_col >= 0 && from_col < t.nx;

  // Rows that arrive: [row][source][columns]; a lane reads only what it fetched itself, and zeros if it is
  // outside of the domain.
  extern __shared__ __align__(128) unsigned char shared[];
  T* const arrivals = reinterpret_cast<T*>(shared);
  for (int k = thread; k < Shape::values_arriving(Shape::ahead); k += temporal::lanes) arrivals[k] = 0;
  T* const arriving = arrivals + unsigned(col - thread * V) % Shape::line + thread * V;
  // What lanes show: [2 turns][planes][first column, last column][lanes + 2]
  T* const shown = arrivals + Shape::values_arriving(Shape::ahead);
  for (int k = thread; k < 2 * Shape::turn; k += temporal::lanes) shown[k] = 0;
  // Coefficients by kind of point: [row class][column class]
  ScaledRow<T>* const table = reinterpret_cast<ScaledRow<T>*>(shown + 2 * Shape::turn);
  if constexpr (!varies) {
    if (thread < Shape::kinds) {
      const int c = thread % row_classes;
      const int at = c == bottom_row ? 0 : c == top_row ? t.nx - 1 : t.nx > 2 ? 1 : 0;
      table[thread] = c == no_row ? ScaledRow<T>{} : scaled_row(medium, thread / row_classes, at);
    }
  }
  constexpr int L = Shape::late;
  // Weights of the second step: [columns]
  [[maybe_unused]] T* const lighter = reinterpret_cast<T*>(table + Shape::kinds) + thread * V;
  if constexpr (Shape::may_go_by_mass)
#pragma unroll
    for (int v = 0; v < V; ++v) lighter[v] = 0;
  const int first = row0 - H - (is_step && L == 0), last = row0 + rows + H;  // in time, u is a row ahead of g
  const auto place = [&](int row) {
    return arriving + (unsigned(row - first + Shape::ahead) % Shape::ahead) * Shape::row;
  };
  // What arrives with row `row`, without waiting.
  const auto fetch = [&](int row) {
    // where it is: rows beyond the domain are ghost rows, which hold zeros
    enum { here, of_g, of_u, of_east, of_north, leaves, places };
    int where[places] = {row, row - L, row + 1 - L, row + Shape::early, row + Shape::early - 1, row - K};
    if (t.wrap_y != 0)  // a division would cost more than a turn or none
#pragma unroll
      for (int& w : where) {
        while (w < 0) w += t.ny;
        while (w >= t.ny) w -= t.ny;
      }
#pragma unroll
    for (int& w : where) w = max(min(w, t.ny), -1) * pitch + from_col;
    T* const to = place(row);
    int n = 0;
    const auto copy = [&](const T* from, int at) {
      __pipeline_memcpy_async(to + n++ * Shape::columns, from + where[at], 16);
    };
    const auto copy_once = [&](const T* from, int at) {
      if constexpr (Shape::forgets)
        copy_and_forget(to + n++ * Shape::columns, from + where[at]);
      else
        copy(from, at);
    };
    if (in_domain) {
      if constexpr (is_step) {
        copy(fields.u, of_u);
        copy(fields.p, of_g);
        if constexpr (varies) {
          copy(medium.sqrt_diagonal, of_u);
          copy_once(medium.scaled_mass, of_g);
          if constexpr (temporal::damped<Medium>) copy_once(medium.scaled_damped_mass, of_g);
        }
        if constexpr (!from_zero) copy_once(fields.tried, here);
      } else {
        copy_once(fields.b, of_g);
        if constexpr (varies) copy(medium.sqrt_diagonal, from_zero ? of_g : here);
      }
      if constexpr (varies) {
        n = Shape::vectors;
        copy_once(medium.east, of_east);
        copy_once(medium.north, of_north);
      }
      if constexpr (Shape::leaving > 0) {  // where the last iterate is by then
        n = Shape::arriving;
        if constexpr (is_step) {
          copy_once(fields.u, leaves);
          copy_once(fields.p, leaves);
        }
        if constexpr (varies) copy_once(medium.sqrt_diagonal, leaves);
      }
      if constexpr (!is_step && !from_zero) {
        n = Shape::vectors - 2;
        if (fields.x) copy_once(fields.x, here);
        n = Shape::vectors - 1;
        if (fields.before) copy_once(fields.before, of_g);
      }
    }
    __pipeline_commit();
  };
  __syncthreads();
  for (int k = 0; k < Shape::ahead - 1; ++k) fetch(first + k);
  [[maybe_unused]] int kind[V];
  [[maybe_unused]] bool constant = true;  // inner rows couple up and down as in the middle of the medium
  [[maybe_unused]] bool held = t.wrap_y == 0 && t.ny > 1;  // and the lowest and the highest, to zeros beyond
  [[maybe_unused]] T west_of[V], east_of[V];
  if constexpr (!varies) {
#pragma unroll
    for (int v = 0; v < V; ++v) {
      const int c = col + v;
      kind[v] = t.wrap_x != 0        ? int(inner_row)
                : c < 0 || c >= t.nx ? int(no_row)
                : c == 0             ? int(bottom_row)
                : c == t.nx - 1      ? int(top_row)
                                     : int(inner_row);
      const ScaledRow<T>& a = table[inner_row * row_classes + kind[v]];
      west_of[v] = a.west, east_of[v] = a.east;
      const ScaledRow<T>& m = inside.row;
      constant &= kind[v] == no_row || (a.south == m.south && a.north == m.north &&
                                        (!is_step || (a.scaled_mass == m.scaled_mass && a.stiff == m.stiff)));
      held &= is_inner_but_for(table[bottom_row * row_classes + kind[v]], a, true) &&
              is_inner_but_for(table[top_row * row_classes + kind[v]], a, false);
    }
    constant = __syncthreads_and(constant);
    held = __syncthreads_and(held) && constant;
  }

  // When the step of row f begins, in turn k: x[s][1 - k] is row f - 1 - s of iterate s, x[s][k] the one
  // below it; g[s] is row f - 1 - L - s of g; u[1 - k] is row f - L of u.
  T x[K + 1][2][V] = {}, before[V] = {}, g[H + 1 - L][V] = {}, u[2][V] = {};
  // In a varying medium: faces, as they arrived.
  constexpr int E = Shape::early;
  [[maybe_unused]] T to_east[H + E + 1][V] = {}, to_north[H + E + 1][V] = {};
  constexpr bool may_go_by_mass = Shape::may_go_by_mass;
  LaneNorms residual, reference;
  // Without a branch, so that the compiler can put other work in between; a varying medium has no registers
  // for that.
  const auto count = [](LaneNorms& norms, bool counts, T r) {
    if constexpr (varies) {
      if (counts) norms.add(double(r));
    } else {
      norms.add(counts ? double(r) : 0.0);
    }
  };
  [[maybe_unused]] T of_all = 0;
  if constexpr (is_step) of_all = fields.whole ? T(1) : T(0);

  const auto step = [&](int f, auto rows_, auto k_) {
    constexpr bool fast = decltype(rows_)::value != BlockedRows::any;
    const auto beyond = [&](int row) {
      return decltype(rows_)::value == BlockedRows::some_beyond && unsigned(row) >= unsigned(t.ny);
    };
    constexpr int k = decltype(k_)::value;
    const T* const see = shown + (1 - k) * Shape::turn + thread;
    T* const show = shown + k * Shape::turn + thread + 1;
    const auto row_of_table = [&](int row) { return table + row_class(row, t) * row_classes; };
    const auto pack = [](const T* from) { return *reinterpret_cast<const Pack*>(from); };
    // D^-1 (D - A) of plane p in row f - s, added to y, but for the northern neighbour
    const auto around = [&](T(&y)[V], int p, int s, const T(&centre)[V], const T(&south)[V]) {
      const T from_west = see[p * Shape::plane + Shape::side], from_east = see[p * Shape::plane + 2];
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const T west = v == 0 ? from_west : centre[v == 0 ? 0 : v - 1],
                east = v == V - 1 ? from_east : centre[v == V - 1 ? 0 : v + 1];
        if constexpr (varies) {
          y[v] = std::fma(to_north[s + E][v], south[v], y[v]);
          y[v] = v == 0 ? y[v] + west : std::fma(to_east[s + E][v == 0 ? 0 : v - 1], west, y[v]);
          y[v] = std::fma(to_east[s + E][v], east, y[v]);
        } else if constexpr (fast) {
          y[v] = coupled<T>(y[v], inside.row.south, south[v], west_of[v], west, east_of[v], east);
        } else {
          const ScaledRow<T>& a = row_of_table(f - s)[kind[v]];
          y[v] = coupled<T>(y[v], a.south, south[v], a.west, west, a.east, east);
        }
      }
    };
    const auto north_of = [&](int s, int v) {
      if constexpr (varies)
        return to_north[s + E - 1][v];
      else
        return fast ? inside.row.north : row_of_table(f - s)[kind[v]].north;
    };
    [[maybe_unused]] Pack weight_1 = {}, weight_2 = {};  // of the first two steps where they may go by mass
    const auto weight = [&](int s, int v) {
      if constexpr (may_go_by_mass)
        if (s <= 2) return s == 1 ? weight_1.v[v] : weight_2.v[v];
      return steps.weight[s - 1];
    };
    const auto keep = [&](int s, int v) {
      if constexpr (may_go_by_mass)
        if (s == 2) return medium.by_mass ? T(1) - weight_2.v[v] : steps.keep[1];
      return steps.keep[s - 1];
    };
    const auto weight_north = [&](int s, int v) {
      if constexpr (varies)
        return weight(s, v) * to_north[s + E - 1][v];
      else if constexpr (fast)
        return inside.weight_north[s - 1];
      else
        return steps.weight[s - 1] * north_of(s, v);
    };
    const auto diagonal_of = [&](int row, int v) {
      return (fast ? table + inner_row * row_classes : row_of_table(row))[kind[v]].diagonal;
    };
#pragma unroll
    for (int s = H - L; s > 0; --s)
#pragma unroll
      for (int v = 0; v < V; ++v) g[s][v] = g[s - 1][v];
    const bool leaves = mine && unsigned(f - K - row0) < unsigned(rows);
    const int to = (f - K) * pitch + col;
    __pipeline_wait_prior(Shape::ahead - 2);
    const T* const arrived = place(f);
    const auto source = [&](int n) { return pack(arrived + n * Shape::columns); };
    // In a varying medium, rows that arrived in the last turn are looked at again before others are fetched
    // in their place: D^1/2 of row f - H; D^1/2 of row f - L, and u, unscaled.
    [[maybe_unused]] Pack left_root, sqrt_diagonal, plain;
    if constexpr (varies) {
      const auto source_before = [&](int n) { return pack(place(f - 1) + n * Shape::columns); };
      left_root = source_before(Shape::sources - 1);
      if constexpr (is_step)
        plain = source_before(0), sqrt_diagonal = source_before(2);
      else
        sqrt_diagonal = from_zero ? source(1) : source_before(1);
    }
    fetch(f + Shape::ahead - 1);
    // Row f - K of the n-th field that leaves.
    [[maybe_unused]] Pack left[Shape::leaving + 1];
    const auto load_leaving = [&] {
      for (int n = 0; n < Shape::leaving; ++n) left[n] = source(Shape::arriving + n);
    };
    if constexpr (varies) {
#pragma unroll
      for (int s = H + E; s > 0; --s)
#pragma unroll
        for (int v = 0; v < V; ++v) to_east[s][v] = to_east[s - 1][v], to_north[s][v] = to_north[s - 1][v];
      const Pack e = source(Shape::vectors), n = source(Shape::vectors + 1);
#pragma unroll
      for (int v = 0; v < V; ++v) to_east[0][v] = e.v[v], to_north[0][v] = n.v[v];
    }
    [[maybe_unused]] Pack newest;  // row f of the first iterate
    if constexpr (is_step) {
      Pack north = source(0);
      const Pack p = source(1);
      const bool counted = unsigned(f - L - row0) < unsigned(rows);
      if constexpr (!from_zero) {
        newest = source(Shape::vectors - 1);
        const T* const u_there = varies ? north.v : u[1 - k];
#pragma unroll
        for (int v = 0; v < V; ++v) newest.v[v] -= u_there[v];
      }
      if constexpr (varies) {
        const Pack r = source(2);
#pragma unroll
        for (int v = 0; v < V; ++v) {
          north.v[v] *= r.v[v];
          if constexpr (!from_zero) newest.v[v] *= r.v[v];
        }
      }
      T y[V] = {};
      around(y, 0, L, u[1 - k], u[k]);
      [[maybe_unused]] Pack scaled_mass, scaled_damped_mass;
      if constexpr (varies) {
        scaled_damped_mass = scaled_mass = source(3);
        if constexpr (temporal::damped<Medium>) scaled_damped_mass = source(4);
      }
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const T centre = u[1 - k][v];
        y[v] = std::fma(north_of(L, v), north.v[v], y[v]);
        T diagonal;
        if constexpr (varies) {
          g[0][v] = scaled_right_hand_side<T>(scaled_mass.v[v], p.v[v], fields.ratio,
                                              -scaled_damped_mass.v[v], plain.v[v], y[v] - centre);
          diagonal = sqrt_diagonal.v[v];
          if constexpr (may_go_by_mass) {
            const T light = sqrt_diagonal.v[v] * inverse_or_zero(scaled_damped_mass.v[v]);  // D (M + a D)^-1
            weight_1.v[v] = medium.by_mass ? light : steps.weight[0];
            weight_2.v[v] = medium.by_mass ? light : steps.weight[1];
          }
        } else {
          const ScaledRow<T>& a = fast ? inside.row : row_of_table(f)[kind[v]];
          g[0][v] = beyond(f) ? T(0)
                              : scaled_right_hand_side<T>(a.scaled_mass, p.v[v], fields.ratio, a.stiff,
                                                          centre, y[v]);
          diagonal = diagonal_of(f, v);
        }
        count(reference, counted, std::fma(of_all, centre - y[v], g[0][v]) * diagonal);
        u[k][v] = north.v[v];
      }
    } else {
      const Pack b = source(0);
      if constexpr (!from_zero) newest = source(Shape::vectors - 2);
      if constexpr (varies) {
#pragma unroll
        for (int v = 0; v < V; ++v) g[0][v] = b.v[v] * inverse_or_zero(sqrt_diagonal.v[v]);
        if constexpr (!from_zero) {
          const Pack r = source(1), old = source(Shape::vectors - 1);
#pragma unroll
          for (int v = 0; v < V; ++v) newest.v[v] *= r.v[v], before[v] = old.v[v] * sqrt_diagonal.v[v];
        }
      } else {
#pragma unroll
        for (int v = 0; v < V; ++v)
          g[0][v] = b.v[v] * (fast ? table + inner_row * row_classes : row_of_table(f))[kind[v]].inverse;
      }
    }

    if constexpr (may_go_by_mass) {
      const Pack next = weight_2;
      weight_2 = pack(lighter);  // of row f - 2
      *reinterpret_cast<Pack*>(lighter) = next;
    }
    // All that does not wait for the row above: independent from one sweep to the next.
    T partial[H + 1][V];
#pragma unroll
    for (int s = 1; s <= H; ++s) {
      if (s == 1 && from_zero) {
#pragma unroll
        for (int v = 0; v < V; ++v) partial[s][v] = weight(1, v) * g[1 - L][v];
        continue;
      }
      T y[V];
#pragma unroll
      for (int v = 0; v < V; ++v) y[v] = g[s - L][v];
      around(y, Shape::plane_of(s - 1), s, x[s - 1][1 - k], x[s - 1][k]);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const T centre = x[s - 1][1 - k][v];
        if (s > K) {
          partial[s][v] = y[v] - centre;
          continue;
        }
        const T old = s == 1 ? before[v] : x[s >= 2 ? s - 2 : 0][k][v], m = steps.momentum[s - 1];
        T kept;
        if (centred && s > 2)
          kept = m * old;
        else if ((s == 2 && from_zero) || (s == 1 && is_step))
          kept = keep(s, v) * centre;
        else
          kept = std::fma(m, old, keep(s, v) * centre);
        partial[s][v] = std::fma(weight(s, v), y[v], kept);
      }
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
          north = std::fma(weight_north(s, v), north, partial[s][v]);
        if (beyond(f - s)) north = 0;
        x[s][k][v] = north;
      }
      r[v] = std::fma(north_of(H, v), north, partial[H][v]);
      if constexpr (!varies) r[v] *= diagonal_of(f - H, v);
    }
    if constexpr (!is_step && !from_zero && !varies) {
      const Pack b = source(Shape::vectors - 1);
#pragma unroll
      for (int v = 0; v < V; ++v) before[v] = b.v[v];
    }
    // What is row f - s: its last column is shown as the lane's neighbour in the east wants it.
    const auto show_plane = [&](int p, int s, const T(&row)[V]) {
      T for_east = row[V - 1];
      if constexpr (varies) for_east *= to_east[s + E][V - 1];
      show[p * Shape::plane] = row[0], show[p * Shape::plane + Shape::side] = for_east;
    };
    if constexpr (is_step) show_plane(0, L - 1, u[k]);
#pragma unroll
    for (int s = from_zero; s <= K; ++s) show_plane(Shape::plane_of(s), s, x[s][k]);

    if constexpr (varies) load_leaving();
    if (leaves) {
      const auto store = [&](T* field, const Pack& p) {
        if constexpr (Shape::forgets)
          __stcs(reinterpret_cast<uint4*>(field + to), *reinterpret_cast<const uint4*>(&p));
        else
          *reinterpret_cast<Pack*>(field + to) = p;
      };
      if constexpr (!varies) load_leaving();
      T inverse[V];
      if constexpr (varies)
#pragma unroll
        for (int v = 0; v < V; ++v) inverse[v] = inverse_or_zero(left[Shape::leaving - 1].v[v]);
      Pack d;
#pragma unroll
      for (int v = 0; v < V; ++v) d.v[v] = varies ? x[K][k][v] * inverse[v] : x[K][k][v];
      if constexpr (is_step) {
#pragma unroll
        for (int v = 0; v < V; ++v) {
          left[0].v[v] += d.v[v];
          left[1].v[v] = std::fma(fields.carry, d.v[v], (T(1) - fields.carry) * left[1].v[v]);
        }
        store(fields.u_to, left[0]);
        store(fields.p_to, left[1]);
      } else {
        store(fields.x_to, d);
#pragma unroll
        for (int v = 0; v < V; ++v) d.v[v] = varies ? last_but_one[v] * inverse[v] : last_but_one[v];
        if (fields.before_to) store(fields.before_to, d);
      }
    }
    const bool done = unsigned(f - H - row0) < unsigned(rows);
#pragma unroll
    for (int v = 0; v < V; ++v) {
      if constexpr (varies) r[v] *= left_root.v[v];
      count(residual, done, r[v]);
    }
    __syncthreads();
  };

  // Two steps at a time, so that rows change places without being moved.
  // Fast: where every row at work is an inner one; in a varying medium edges are faces like others.
  int fast_from = t.wrap_y != 0 ? first : max(first, H + 1),
      fast_to = t.wrap_y != 0 ? last : min(last, t.ny - 1);
  fast_from += (fast_from - first) & 1;
  if (!constant) fast_from = fast_to = last;
  int f = first;
  const auto two = [&](auto rows) {
    step(f, rows, std::integral_constant<int, 0>{});
    step(f + 1, rows, std::integral_constant<int, 1>{});
    f += 2;
  };
  constexpr std::integral_constant<BlockedRows, BlockedRows::inner> inner;
  if constexpr (varies) {
    while (f < last) two(inner);
  } else {
    const auto edge_rows = [&](int end) {
      while (f < end)
        if (held)
          two(std::integral_constant<BlockedRows, BlockedRows::some_beyond>{});
        else
          two(std::integral_constant<BlockedRows, BlockedRows::any>{});
    };
    edge_rows(min(fast_from, last));
    while (f + 1 < fast_to) two(inner);
    edge_rows(last);
  }

  if (!mine) residual = reference = {};
  if constexpr (is_step)
    blocked_sum(StepNorms{residual.norms(), reference.norms()}, parts, ticket, out, epilogue);
  else
    blocked_sum(residual.norms(), parts, ticket, out, epilogue);
}

}  // namespace cuda

template <class T, int K, class Fields, class Epilogue>
void Cuda::blocked_sweeps(const char* label, Extent e, const WaveSystem<T, UniformCoefficients<T>>& system,
                          const Fields& all, const SweepCoefficients<T, K>& steps,
                          typename Fields::Result* out, Epilogue epilogue) {
  counts_.add(label, double(e.points()) * all.vectors() * sizeof(T), true);
  const BlockPlan plan = plan_blocks<T>(e, K);
  const auto launch = [&](const auto& medium, const auto& fields, auto from_zero, auto centred) {
    constexpr bool zero = decltype(from_zero)::value;
    using Medium = std::decay_t<decltype(medium)>;
    using Some = std::decay_t<decltype(fields)>;
    const auto kernel = cuda::blocked_kernel<T, K, zero, decltype(centred)::value, Medium, Some, Epilogue>;
    const int shared = cuda::SharedMemoryPlan<T, Medium, Some, K, zero>::bytes;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    if (plan.blocks() > sum_order::most_blocks)
      throw DeviceError("a pass of several sweeps has room for sums of " +
                        std::to_string(sum_order::most_blocks) + " blocks, and a grid as wide as this has " +
                        std::to_string(plan.blocks()) + "; use method: cg");
    kernel<<<plan.blocks(), temporal::lanes, shared, stream_>>>(
        plan, e.pitch, medium, fields, steps, cuda::BlockedInside<T, K, Medium>(medium, steps), guard_,
        parts_, tickets_ + 1, out, epilogue);
  };
  const auto with_medium = [&](const auto& medium, const auto& fields) {
    const auto from = [&](auto zero) {
      if constexpr (!std::decay_t<decltype(fields)>::is_step)
        if (!steps.centred()) return launch(medium, fields, zero, std::false_type{});
      launch(medium, fields, zero, std::true_type{});
    };
    if (fields.from_zero())
      from(std::true_type{});
    else
      from(std::false_type{});
  };
  if constexpr (requires { all.medium; })
    with_medium(all.medium, all.fields);
  else
    with_medium(system, all);
  check(cudaGetLastError());
}

}  // namespace wavesim
