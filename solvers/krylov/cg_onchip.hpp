#pragma once
// Conjugate gradients whose vectors stay in registers and shared memory, for small wave systems on a GPU:
// one persistent kernel for the whole solve, with one barrier of the grid an iteration. The recurrences are
// those of Chronopoulos & Gear (1989): with w = A r, one reduction gives both inner products of an iteration,
//   gamma = <r, r>, delta = <w, r>,  beta = gamma / gamma_before,  <p, A p> = delta - beta gamma /
//   alpha_before, p = r + beta p,  s = w + beta s (= A p),  x += alpha p,  r -= alpha s.
// Each block has a slab of rows. It also keeps r of the rows next to its slab and updates them as their owner
// does, with w and s, which the owner wrote to global memory in the turn before. So neighbours need no other
// synchronisation.

#include <string>

#include "kernels/backend/errors.hpp"
#include "kernels/formats/stencil.hpp"
#include "kernels/persistent/persistent_kernel.hpp"
#include "solvers/core/solve_loop.hpp"
#include "solvers/formats/row_passes.hpp"

namespace wavesim {

/// Rows of each block; the last block may have fewer.
struct Slabs {
  static constexpr int most_points = 16;  // of a lane
  int rows = 1, blocks = 1;
  explicit Slabs(Extent e)
      : rows((e.ny + persistent::blocks - 1) / persistent::blocks), blocks((e.ny + rows - 1) / rows) {}
  int points(Extent e) const { return rows * e.nx; }
  int points_per_lane(Extent e) const { return (points(e) + persistent::lanes - 1) / persistent::lanes; }
  /// Elements of shared memory: r with a row on each side, p and x.
  std::size_t shared(Extent e) const {
    return std::size_t(rows + 2) * std::size_t(e.pitch) + 2 * std::size_t(points(e));
  }
  /// Whether the vectors fit.
  template <class T>
  bool fit(Extent e) const {
    return points_per_lane(e) <= most_points && shared(e) * sizeof(T) <= persistent::shared_bytes;
  }
};

/// <r, r> and max |r|, <A r, r>
struct OnChipSums {
  Norms r;
  double delta = 0;
  HD void join(const OnChipSums& o) {
    r.join(o.r);
    delta += o.delta;
  }
};

struct OnChipState {
  IterationState control;
  double alpha = 0, beta = 0, gamma = 0, pq = 0;
  int turn = 0;
};

/// The program (persistent_kernel.hpp), for up to N points a lane.
template <class T, class View, int N>
struct CgOnChipProgram {
  using Shared = T;
  using State = OnChipState;
  using R = OnChipSums;
  /// A point's place in r of the slab, with flags in the upper bits: the edges it lies on (1 left, 2 right,
  /// 4 bottom, 8 top), and whether a neighbouring block needs it.
  static constexpr int place = (1 << 18) - 1, side = 18, asked_below = 1 << 22, asked_above = 1 << 23;
  static constexpr bool ahead = N < 16;  // a lane with few points has registers for prefetched values
  struct Lane {
    T s[N], w[N];
    int at[N];              // -1: no point
    T near[ahead ? 4 : 1];  // w and s of its column below and above the slab
  };

  View A;
  Extent e;
  Slabs slabs;
  const T* r;
  T* x;
  T* borders;  // [turn & 1][block][bottom, top][w, s][nx]
  IterationState* control;
  OnChipState state = {};

  HD int rows_of(int block) const {
    const int rest = e.ny - block * slabs.rows;
    return rest < slabs.rows ? rest : slabs.rows;
  }
  HD T* border(int turn, int block, int top) const {
    return borders + ((std::ptrdiff_t(turn & 1) * slabs.blocks + block) * 2 + top) * 2 * e.nx;
  }
  /// The block below or above; -1: there is none.
  HD int below(int block) const {
    return block > 0 ? block - 1 : A.system.topology().wrap_y ? slabs.blocks - 1 : -1;
  }
  HD int above(int block) const {
    return block < slabs.blocks - 1 ? block + 1 : A.system.topology().wrap_y ? 0 : -1;
  }

  HD void begin(LanePlace at, Lane& lane, T* rs) const {
    T *ps = rs + (slabs.rows + 2) * e.pitch, *xs = ps + slabs.rows * e.nx;
    const int first = at.block * slabs.rows, rows = rows_of(at.block);
    // Ghost rows and padding hold zeros; beyond a periodic edge are the rows of the other side.
    for (int k = at.lane; k < (rows + 2) * e.pitch; k += persistent::lanes) {
      int row = first + k / e.pitch - 1;
      if (A.system.topology().wrap_y) row = row < 0 ? e.ny - 1 : row == e.ny ? 0 : row;
      rs[k] = r[std::ptrdiff_t(row) * e.pitch + k % e.pitch];
    }
    UNROLL for (int k = 0; k < N; ++k) {
      const int q = at.lane + k * persistent::lanes;
      lane.at[k] = -1;
      lane.s[k] = lane.w[k] = 0;
      if (q < rows * e.nx) {
        const int row = q / e.nx, col = q - row * e.nx;
        const int sides = int(col == 0) | int(col == e.nx - 1) << 1 | int(first + row == 0) << 2 |
                          int(first + row == e.ny - 1) << 3;
        lane.at[k] = ((row + 1) * e.pitch + col) | sides << side | (row == 0 ? asked_below : 0) |
                     (row == rows - 1 ? asked_above : 0);
        ps[q] = 0;
        xs[q] = x[(first + row) * e.pitch + col];
      }
    }
  }

  /// w = A r
  HD R measure(LanePlace at, Lane& lane, T* rs, int turn) const {
    const int slab = (at.block * slabs.rows - 1) * e.pitch;
    R sum;
    UNROLL for (int k = 0; k < N; ++k) if (lane.at[k] >= 0) {
      const int i = lane.at[k] & place;
      const T ri = rs[i], wi = row(rs, i, lane.at[k] >> side & 15, slab);
      lane.w[k] = wi;
      sum.r.join(Norms::of(ri));
      sum.delta += double(wi) * ri;
      if (lane.at[k] & (asked_below | asked_above)) leave(at.block, lane, k, turn);
    }
    return sum;
  }
  /// Rows next to the slab are stored next to it here, also across a periodic edge.
  HD T row(const T* rs, int i, int sides, int slab) const {
    const auto r = [rs](int j) { return rs[j]; };
    const int south = i - e.pitch, north = i + e.pitch;
    if (sides == 0) return entries(0, i + slab).times(r, {{south, i - 1, i, i + 1, north}});
    const int wrap = A.system.topology().wrap_x;
    return entries(sides, i + slab)
        .times(r, {{south, i - 1 + (sides & 1 ? wrap : 0), i, i + 1 - (sides & 2 ? wrap : 0), north}});
  }
  HD StencilRow<T, FivePoint> entries(int sides, int i) const {
    if constexpr (View::matrix == Matrix::computed)
      return A.rows[sides];
    else
      return A.system.row(Row{i, 0, 0, e.pitch, true});
  }
  HD void leave(int block, const Lane& lane, int k, int turn) const {
    const int i = lane.at[k] & place, col = i % e.pitch;
    for (int top = 0; top < 2; ++top)
      if (lane.at[k] & (top ? asked_above : asked_below)) {
        T* to = border(turn, block, top) + col;
        to[0] = lane.w[k];
        to[e.nx] = lane.s[k];
      }
  }

  HD void fetch(LanePlace at, Lane& lane, int turn) const {
    if constexpr (ahead) {
      if (at.lane >= e.nx) return;
      UNROLL for (int top = 0; top < 2; ++top) {
        const int block = top ? below(at.block) : above(at.block);
        if (block < 0) continue;
        const T* from = border(turn, block, top) + at.lane;
        lane.near[2 * top] = fresh(from);
        lane.near[2 * top + 1] = fresh(from + e.nx);
      }
    }
  }

  HD bool next(State& now, const R& sum, bool first) const {
    if (now.turn++ == 0) {
      now.control = *control;
      now.beta = 0;
      now.pq = sum.delta;
    } else {
      IterationState& c = now.control;
      if (!first) c.history = nullptr;
      c.record(sum.r, &now.pq);
      if (c.status != Status::running) {
        if (first) *control = c;
        return false;
      }
      now.beta = now.gamma != 0 ? sum.r.squares / now.gamma : 0;
      now.pq = sum.delta - (now.alpha != 0 ? now.beta * sum.r.squares / now.alpha : 0);
    }
    now.gamma = sum.r.squares;
    now.alpha = now.pq != 0 ? now.gamma / now.pq : 0;
    return true;
  }

  HD void advance(LanePlace at, Lane& lane, T* rs, const State& now, int turn) const {
    T *ps = rs + (slabs.rows + 2) * e.pitch, *xs = ps + slabs.rows * e.nx;
    const T alpha = T(now.alpha), beta = T(now.beta);
    UNROLL for (int k = 0; k < N; ++k) if (lane.at[k] >= 0) {
      const int q = at.lane + k * persistent::lanes;
      T& ri = rs[lane.at[k] & place];
      const T pi = std::fma(beta, ps[q], ri), si = std::fma(beta, lane.s[k], lane.w[k]);
      ps[q] = pi;
      lane.s[k] = si;
      xs[q] = std::fma(alpha, pi, xs[q]);
      ri = std::fma(-alpha, si, ri);
    }
    for (int top = 0; top < 2; ++top) {
      const int block = top ? below(at.block) : above(at.block);
      if (block < 0) continue;
      T* const near = top ? rs : rs + (rows_of(at.block) + 1) * e.pitch;
      const T* from = border(turn, block, top);
      int col = at.lane;
      if constexpr (ahead) {
        if (col < e.nx) move(near[col], lane.near[2 * top], lane.near[2 * top + 1], alpha, beta);
        col += persistent::lanes;
      }
      for (; col < e.nx; col += persistent::lanes)
        move(near[col], fresh(from + col), fresh(from + e.nx + col), alpha, beta);
    }
  }
  /// Updates r of a point that another block owns, as the owner does.
  HD static void move(T& r, T w, T s, T alpha, T beta) { r = std::fma(-alpha, std::fma(beta, s, w), r); }

  HD void end(LanePlace at, Lane& lane, T* rs) const {
    const T* xs = rs + (slabs.rows + 2) * e.pitch + slabs.rows * e.nx;
    UNROLL for (int k = 0; k < N; ++k) if (lane.at[k] >= 0) {
      x[(lane.at[k] & place) + (at.block * slabs.rows - 1) * e.pitch] = xs[at.lane + k * persistent::lanes];
    }
  }
};

template <class B, class T>
class CgOnChip final : public SolveLoop<B, T> {
 public:
  using Vector = Field<B, T>;
  CgOnChip(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : SolveLoop<B, T>(backend, A.extent(), options),
        slabs_(A.extent()),
        r_(backend, A.extent()),
        borders_(backend, std::size_t(8) * std::size_t(slabs_.blocks) * std::size_t(A.extent().nx)),
        grid_(backend) {
    const Extent e = A.extent();
    const std::size_t bytes = slabs_.shared(e) * sizeof(T);
    if (!slabs_.fit<T>(e))
      throw InputError("method: cg-onchip keeps its vectors on the chip, in " +
                       std::to_string(persistent::blocks) + " slabs of rows with at most " +
                       std::to_string(Slabs::most_points * persistent::lanes) + " points and " +
                       std::to_string(persistent::shared_bytes >> 10) + " KiB each; slabs of " +
                       std::to_string(e.nx) + " x " + std::to_string(e.ny) + " points would have " +
                       std::to_string(slabs_.points(e)) + " points and " + std::to_string(bytes >> 10) +
                       " KiB; use method: cg");
  }

 protected:
  Vector* residual() override { return &r_; }
  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {}
  /// The whole solve.
  void step(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector&, Vector& x) override {
    const WaveSystemFacts<T>& facts = *A.wave_system();
    if (facts.uniform)
      run(facts.constant, facts, x);
    else
      run(facts.varying, facts, x);
  }
  bool looks_each_step() const override { return true; }

 private:
  static constexpr int most_points = Slabs::most_points;

  template <class Coefficients>
  void run(const Coefficients& c, const WaveSystemFacts<T>& facts, Vector& x) {
    WaveStencilView<T, Coefficients> A;
    A.set({c, T(facts.a), T(facts.b)});
    const int points = slabs_.points_per_lane(this->extent_);
    if (points <= 1)
      run<1>(A, x);
    else if (points <= 4)
      run<4>(A, x);
    else
      run<most_points>(A, x);
  }
  template <int N, class View>
  void run(const View& A, Vector& x) {
    const Extent e = this->extent_;
    grid_.run("all iterations on the chip", slabs_.blocks, slabs_.shared(e),
              double(e.points()) * (3 * sizeof(T) + View::bytes),
              CgOnChipProgram<T, View, N>{A, e, slabs_, r_.data(), x.data(), borders_.data(),
                                          this->control_.data()});
  }

  Slabs slabs_;
  Vector r_;
  Buffer<B, T> borders_;
  PersistentKernel<B> grid_;
};

}  // namespace wavesim
