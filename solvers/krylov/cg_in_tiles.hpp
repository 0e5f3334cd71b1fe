#pragma once
// All iterations of conjugate gradients (cg.hpp) in one launch, for small wave systems on a GPU: x, r, q = A p and p stay in registers
// and shared memory, in tiles (kernels/persistent/tile_kernel.hpp). The recurrences and the order of sums are those of the two passes
// over memory, so the bits are theirs. An iteration has two phases, each of which ends with a sum over all blocks:
//   0   q = A p, <p, q>                                alpha = <r, r> / <p, q>
//   1   x += alpha p, r -= alpha q, <r, r>             beta = <r, r> / <r, r> before,  p = r + beta p
// A tile also has p of the points beside it. Their r is written to memory by the tiles that own them in phase 1, and p follows from
// it as there.

#include "kernels/formats/stencil.hpp"
#include "kernels/persistent/tile_kernel.hpp"
#include "solvers/core/operator.hpp"

namespace wavesim {

struct CgTilesState {
  IterationState control;
  double alpha = 0, beta = 0, rr = 0, pq = 0;
  bool begun = false;
};

/// The program, for `rounds` tiles of a thread.
template <class T, class View, int N>
struct CgTilesProgram {
  static constexpr int rounds = N, height = sum_order::rows_per_lane, tile_rows = Bands::tile_height,
                       tile_columns = sum_order::tile_x, pitch = tile_columns + 2,
                       ring = pitch * (tile_rows + 2), points = tile_columns * tile_rows;
  static constexpr bool in_registers = N < 4;              // x and r: of few points
  static constexpr int kept = 1 + in_registers * (N - 1);  // tiles for which there are registers
  static constexpr int of_tile = ring + (in_registers ? 0 : 2 * points);  // p with the points beside it; x, r
  using Shared = T;
  using State = CgTilesState;
  template <int phase>
  using R = std::conditional_t<phase == 0, Sum<1>, Norms>;
  /// What a lane has of a tile: up to `height` points of a column.
  struct Lane {
    T q[N][height], r[kept][height], x[kept][height];
    T near[N][2];    // r of the points beside the tile that this lane keeps p of,
    int from[N][2];  // and where it lies; -1: no point
    int first[N];    // the linear index of the lowest point
    int about[N];
  };
  /// Bits of `about`: how many points; the edges of the field on which the column, the lowest and the highest point lie; those of
  /// the tile, next to which other tiles have points; and how many columns and rows the tile has.
  static constexpr int count = 7, left = 1 << 3, right = 1 << 4, bottom = 1 << 5, top = 1 << 6,
                       beside = 1 << 7, lowest = 1 << 8, highest = 1 << 9, rows_at = 10, columns_at = 14;
  struct Tile {
    int column, row, width, rows;
  };

  View A;
  Extent e;
  T *r, *x;
  const Norms* first;  // of r
  IterationState* control;
  State state = {};

  HD Tile tile(int number, int across) const {
    const int column = number % across * tile_columns, row = number / across * tile_rows;
    return {column, row, e.nx - column < tile_columns ? e.nx - column : tile_columns,
            e.ny - row < tile_rows ? e.ny - row : tile_rows};
  }
  /// The linear index of a point of a tile or beside it; -1: there is none.
  HD int index(const Tile& of, int row, int column) const {
    const Topology& t = A.system.topology();
    int i = e.index(of.row + row, of.column + column);
    if (of.column + column < 0 || of.column + column >= e.nx) {
      if (t.wrap_x == 0) return -1;
      i += column < 0 ? t.wrap_x : -t.wrap_x;
    }
    if (of.row + row < 0 || of.row + row >= e.ny) {
      if (t.wrap_y == 0) return -1;
      i += row < 0 ? t.wrap_y : -t.wrap_y;
    }
    return i;
  }
  HD static int place(int row, int column) { return (row + 1) * pitch + column + 1; }
  HD static int column_of(int lane) { return lane % tile_columns; }
  HD static int row_of(int lane) { return lane / tile_columns * height; }
  /// Where this lane keeps p of a point beside a tile: `k` 0 below or above, 1 left or right. -1: it has none.
  HD static int place_beside(int about, int lane, int k) {
    const int columns = about >> columns_at, rows = about >> rows_at & 15;
    if (k == 0) {
      const int column = lane % tile_columns;
      return column < columns ? place(lane < tile_columns ? -1 : rows, column) : -1;
    }
    const int row = lane % tile_rows;
    return lane < 2 * tile_rows && row < rows ? place(row, lane < tile_rows ? -1 : columns) : -1;
  }
  HD static T* tile_of(const TileLane& at, T* shared, int j) { return shared + at.place(j) * of_tile; }
  HD static T& x_of(Lane& lane, T* p, int at_lane, int j, int k) {
    if constexpr (in_registers)
      return lane.x[j][k];
    else
      return p[ring + (row_of(at_lane) + k) * tile_columns + column_of(at_lane)];
  }
  HD static T& r_of(Lane& lane, T* p, int at_lane, int j, int k) {
    if constexpr (in_registers)
      return lane.r[j][k];
    else
      return p[ring + points + (row_of(at_lane) + k) * tile_columns + column_of(at_lane)];
  }

  HD void begin(const TileLane& at, Lane& lane, T* shared) const {
    UNROLL for (int j = 0; j < N; ++j) {
      const int number = at.tile(j);
      lane.about[j] = lane.first[j] = 0;
      lane.from[j][0] = lane.from[j][1] = -1;
      if (number >= 0) begin_tile(tile(number, at.share.across), at.lane, lane, j, tile_of(at, shared, j));
    }
  }
  HD void begin_tile(const Tile& of, int at_lane, Lane& lane, int j, T* p) const {
    for (int k = at_lane; k < ring; k += sum_order::lanes) {
      const int row = k / pitch - 1, column = k % pitch - 1;
      const bool corner = (row < 0 || row >= of.rows) && (column < 0 || column >= of.width);
      const int i = row <= of.rows && column <= of.width && !corner ? index(of, row, column) : -1;
      p[k] = i < 0 ? T(0) : r[i];
    }
    lane.about[j] = of.rows << rows_at | of.width << columns_at;
    UNROLL for (int k = 0; k < 2; ++k) if (const int to = place_beside(lane.about[j], at_lane, k); to >= 0)
        lane.from[j][k] = index(of, to / pitch - 1, to % pitch - 1);
    const int column = column_of(at_lane), row = row_of(at_lane),
              rows = of.rows - row < height ? of.rows - row : height;
    if (column >= of.width || rows <= 0) return;
    lane.first[j] = e.index(of.row + row, of.column + column);
    const auto when = [](bool is, int bit) { return is ? bit : 0; };
    lane.about[j] |= rows | when(column == 0 || column == of.width - 1, beside) | when(row == 0, lowest) |
                     when(row + rows == of.rows, highest);
    if (A.edges)
      lane.about[j] |= when(of.column + column == 0, left) | when(of.column + column == e.nx - 1, right) |
                       when(of.row + row == 0, bottom) | when(of.row + row + rows == e.ny, top);
    UNROLL for (int k = 0; k < height; ++k) if (k < rows) {
      const int i = lane.first[j] + k * e.pitch;
      r_of(lane, p, at_lane, j, k) = r[i];
      x_of(lane, p, at_lane, j, k) = x[i];
    }
  }

  template <int phase>
  HD void measure(const TileLane& at, Lane& lane, T* shared, const State& now, R<phase> (&sums)[N]) const {
    UNROLL for (int j = 0; j < N; ++j) {
      T* const p = tile_of(at, shared, j);
      if constexpr (phase == 0)
        sums[j] = multiply(at.lane, lane, j, p);
      else
        sums[j] = update(at.lane, lane, j, p, T(now.alpha));
    }
  }
  /// q = A p, <p, q>
  HD Sum<1> multiply(int at_lane, Lane& lane, int j, const T* p) const {
    const T* const own = p + place(row_of(at_lane), column_of(at_lane));
    const int about = lane.about[j], rows = about & count, columns = about / left & 3;
    Sum<1> sum;
    UNROLL for (int k = 0; k < height; ++k) if (k < rows) {
      const T* const at = own + k * pitch;
      const T beside[5] = {at[-pitch], at[-1], at[0], at[1], at[pitch]};
      const int sides =
          columns | (k == 0 ? about / bottom & 1 : 0) << 2 | (k == rows - 1 ? about / top & 1 : 0) << 3;
      lane.q[j][k] = entries(sides, lane.first[j] + k * e.pitch)
                         .times([&](int n) { return beside[n]; }, {{0, 1, 2, 3, 4}});
      sum.join(Sum<1>{{double(beside[2]) * lane.q[j][k]}});
    }
    return sum;
  }
  HD decltype(auto) entries(int sides, int i) const {
    if constexpr (View::matrix == Matrix::computed)
      return (A.rows[sides]);
    else
      return A.system.row(Row{i, 0, 0, e.pitch, true});
  }
  /// x += alpha p, r -= alpha q, <r, r>
  HD Norms update(int at_lane, Lane& lane, int j, T* p, T alpha) const {
    const T* const own = p + place(row_of(at_lane), column_of(at_lane));
    const int about = lane.about[j], rows = about & count;
    Norms sum;
    UNROLL for (int k = 0; k < height; ++k) if (k < rows) {
      T &xi = x_of(lane, p, at_lane, j, k), &ri = r_of(lane, p, at_lane, j, k);
      xi = std::fma(alpha, own[k * pitch], xi);
      ri = std::fma(-alpha, lane.q[j][k], ri);
      sum.join(Norms::of(ri));
      if (about & (beside | (k == 0 ? lowest : 0)) || (k == rows - 1 && about & highest))
        r[lane.first[j] + k * e.pitch] = ri;
    }
    return sum;
  }

  template <int phase>
  HD void fetch(const TileLane&, Lane& lane) const {
    if constexpr (phase == 1)
      UNROLL for (int j = 0; j < N; ++j) UNROLL for (int k = 0; k < 2; ++k) if (lane.from[j][k] >= 0)
          lane.near[j][k] = fresh(r + lane.from[j][k]);
  }

  HD bool next(State& now, const Sum<1>& pq, bool) const {
    if (!now.begun) now.control = *control, now.rr = first->squares, now.begun = true;
    now.pq = pq.v[0];
    now.alpha = now.pq != 0 ? now.rr / now.pq : 0;
    return true;
  }
  HD bool next(State& now, const Norms& rr, bool may_write) const {
    now.beta = now.rr != 0 ? rr.squares / now.rr : 0;
    now.rr = rr.squares;
    IterationState& c = now.control;
    if (!may_write) c.history = nullptr;
    c.record(rr, &now.pq);
    if (c.status == Status::running) return true;
    if (may_write) *control = c;
    return false;
  }

  /// p = r + beta p
  template <int phase>
  HD void advance(const TileLane& at, Lane& lane, T* shared, const State& now) const {
    if constexpr (phase == 0) return;
    const T beta = T(now.beta);
    UNROLL for (int j = 0; j < N; ++j) {
      T* const p = tile_of(at, shared, j);
      T* const own = p + place(row_of(at.lane), column_of(at.lane));
      UNROLL for (int k = 0; k < height; ++k) if (k < (lane.about[j] & count)) own[k * pitch] =
          std::fma(beta, own[k * pitch], r_of(lane, p, at.lane, j, k));
      UNROLL for (int k = 0; k < 2; ++k) if (lane.from[j][k] >= 0) {
        T& pi = p[place_beside(lane.about[j], at.lane, k)];
        pi = std::fma(beta, pi, lane.near[j][k]);
      }
    }
  }
  HD void end(const TileLane& at, Lane& lane, T* shared) const {
    UNROLL for (int j = 0; j < N; ++j)
        UNROLL for (int k = 0; k < height; ++k) if (k < (lane.about[j] & count))
            x[lane.first[j] + k * e.pitch] = x_of(lane, tile_of(at, shared, j), at.lane, j, k);
  }
};

/// Runs it on systems that fit.
template <class B, class T>
class CgInTiles {
 public:
  CgInTiles(B& backend, Extent e) : e_(e), share_(e), grid_(backend, e) {}

  /// Whether the matrix is one whose rows are computed from a medium, and the device holds its vectors.
  bool fits(const Operator<B, T>& A) const {
    if (!A.wave_system() || A.stores_product()) return false;
    return with_program(A, nullptr, nullptr, nullptr, nullptr, [&](const auto& program, std::size_t shared) {
      return grid_.template fits<std::decay_t<decltype(program)>>(shared * sizeof(T));
    });
  }
  /// Iterations from r with the norms `first`, until *control is not `running`.
  void run(const Operator<B, T>& A, const Norms* first, IterationState* control, T* r, T* x) {
    with_program(A, first, control, r, x, [&](const auto& program, std::size_t shared) {
      grid_.run("all iterations of cg in tiles", shared,
                double(e_.points()) * (3 * sizeof(T) + program.A.bytes), program);
      return true;
    });
  }

 private:
  template <class F>
  bool with_program(const Operator<B, T>& A, const Norms* first, IterationState* control, T* r, T* x,
                    const F& f) const {
    const WaveSystemFacts<T>& facts = *A.wave_system();
    const auto of_medium = [&](const auto& c) {
      using View = WaveStencilView<T, std::decay_t<decltype(c)>>;
      View view;
      view.set({c, T(facts.a), T(facts.b)});
      const auto of_rounds = [&](auto n) {
        using Program = CgTilesProgram<T, View, n>;
        return f(Program{view, e_, r, x, first, control}, std::size_t(share_.of_block) * Program::of_tile);
      };
      const int rounds = share_.rounds();
      if (rounds <= 1) return of_rounds(std::integral_constant<int, 1>{});
      if (rounds <= 2) return of_rounds(std::integral_constant<int, 2>{});
      return of_rounds(std::integral_constant<int, TileShare::most_of_block / TileShare::at_once>{});
    };
    return facts.uniform ? of_medium(facts.constant) : of_medium(facts.varying);
  }

  Extent e_;
  TileShare share_;
  TileKernel<B> grid_;
};

}  // namespace wavesim
