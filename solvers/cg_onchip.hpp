#pragma once
// Conjugate gradients whose vectors never leave the chip, for small wave systems on a GPU: one kernel for the
// whole solve, and one wait of all blocks for one another an iteration. The recurrences are those of
// Chronopoulos & Gear (1989): with w = A r, both inner products of an iteration are known at once,
//   gamma = <r, r>, delta = <w, r>,  beta = gamma / gamma_before,  <p, A p> = delta - beta gamma /
//   alpha_before, p = r + beta p,  s = w + beta s (= A p),  x += alpha p,  r -= alpha s.
// Each block has a slab of rows. It keeps r of the rows next to it as well and moves them as their owner
// does, from w and s, which the owner leaves in memory in the turn before: so neighbours need no wait of
// their own.

#include <string>

#include "kernels/errors.hpp"
#include "kernels/formats/stencil.hpp"
#include "kernels/resident.hpp"
#include "solvers/row_passes.hpp"
#include "solvers/solver.hpp"

namespace wavesim {

/// Rows for each block, so that all are alike but the last.
struct Slabs {
  int rows = 1, blocks = 1;
  explicit Slabs(Extent e)
      : rows((e.ny + resident::blocks - 1) / resident::blocks), blocks((e.ny + rows - 1) / rows) {}
  int points(Extent e) const { return rows * e.nx; }
  int points_per_lane(Extent e) const { return (points(e) + resident::lanes - 1) / resident::lanes; }
  /// Elements of shared memory: r with a row on each side, p and x.
  std::size_t shared(Extent e) const {
    return std::size_t(rows + 2) * std::size_t(e.pitch) + 2 * std::size_t(points(e));
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
  Control control;
  double alpha = 0, beta = 0, gamma = 0, pq = 0;
  int turn = 0;
};

/// r[j] of the slab, from the linear index j of the whole: the slab begins with the row below it. Across a
/// periodic edge an index lies a whole field away.
template <class T>
struct InSlab {
  const T* r;
  int first, size, wrap;
  HD T operator()(int j) const {
    int k = j - first;
    k = k < 0 ? k + wrap : k;
    k = k >= size ? k - wrap : k;
    return r[k];
  }
};

/// The program (resident.hpp), for up to N points a lane.
template <class T, class View, int N>
struct CgOnChipProgram {
  using Shared = T;
  using State = OnChipState;
  using R = OnChipSums;
  struct Lane {
    T s[N], w[N];
    int at[N];  // row of the slab << 16 | column; -1: none
  };

  View A;
  Extent e;
  Slabs slabs;
  const T* r;
  T* x;
  T* borders;  // [turn & 1][block][bottom, top][w, s][nx]
  Control* control;
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

  HD void begin(Place at, Lane& lane, T* rs) const {
    T *ps = rs + (slabs.rows + 2) * e.pitch, *xs = ps + slabs.rows * e.nx;
    const int first = at.block * slabs.rows, rows = rows_of(at.block);
    // Ghost rows and padding hold zeros; beyond a periodic edge are the rows of the other side.
    for (int k = at.lane; k < (rows + 2) * e.pitch; k += resident::lanes) {
      int row = first + k / e.pitch - 1;
      if (A.system.topology().wrap_y) row = row < 0 ? e.ny - 1 : row == e.ny ? 0 : row;
      rs[k] = r[std::ptrdiff_t(row) * e.pitch + k % e.pitch];
    }
    UNROLL for (int k = 0; k < N; ++k) {
      const int q = at.lane + k * resident::lanes;
      lane.at[k] = -1;
      lane.s[k] = lane.w[k] = 0;
      if (q < rows * e.nx) {
        const int row = q / e.nx, col = q - row * e.nx;
        lane.at[k] = row << 16 | col;
        ps[q] = 0;
        xs[q] = x[(first + row) * e.pitch + col];
      }
    }
  }

  /// w = A r
  HD R measure(Place at, Lane& lane, T* rs, const State& now) const {
    const int first = at.block * slabs.rows, rows = rows_of(at.block);
    const InSlab<T> x_of{rs, (first - 1) * e.pitch, (rows + 2) * e.pitch, A.system.topology().wrap_y};
    R sum;
    UNROLL for (int k = 0; k < N; ++k) if (lane.at[k] >= 0) {
      const int row = lane.at[k] >> 16, col = lane.at[k] & 0xffff;
      const bool edge = col == 0 || col == e.nx - 1 || first + row == 0 || first + row == e.ny - 1;
      const Row here{(first + row) * e.pitch + col, col, first + row, e.pitch, edge};
      const T ri = rs[(row + 1) * e.pitch + col], wi = A.row(here, x_of);
      lane.w[k] = wi;
      sum.r.join(Norms::of(ri));
      sum.delta += double(wi) * ri;
      if (row == 0) leave(border(now.turn, at.block, 0) + col, wi, lane.s[k]);
      if (row == rows - 1) leave(border(now.turn, at.block, 1) + col, wi, lane.s[k]);
    }
    return sum;
  }
  HD void leave(T* to, T w, T s) const {
    to[0] = w;
    to[e.nx] = s;
  }

  HD bool next(State& now, const R& sum, bool first) const {
    if (now.turn == 0) {
      now.control = *control;
      now.beta = 0;
      now.pq = sum.delta;
    } else {
      Control& c = now.control;
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
    ++now.turn;
    return true;
  }

  HD void advance(Place at, Lane& lane, T* rs, const State& now) const {
    T *ps = rs + (slabs.rows + 2) * e.pitch, *xs = ps + slabs.rows * e.nx;
    const T alpha = T(now.alpha), beta = T(now.beta);
    const int rows = rows_of(at.block);
    UNROLL for (int k = 0; k < N; ++k) if (lane.at[k] >= 0) {
      const int q = at.lane + k * resident::lanes;
      T& ri = rs[((lane.at[k] >> 16) + 1) * e.pitch + (lane.at[k] & 0xffff)];
      const T pi = std::fma(beta, ps[q], ri), si = std::fma(beta, lane.s[k], lane.w[k]);
      ps[q] = pi;
      lane.s[k] = si;
      xs[q] = std::fma(alpha, pi, xs[q]);
      ri = std::fma(-alpha, si, ri);
    }
    move_neighbour(below(at.block), 1, at.lane, rs, now, alpha, beta);
    move_neighbour(above(at.block), 0, at.lane, rs + (rows + 1) * e.pitch, now, alpha, beta);
  }
  /// r of a row that another block owns, as it does it.
  HD void move_neighbour(int block, int top, int lane, T* rs, const State& now, T alpha, T beta) const {
    if (block < 0) return;
    const T* from = border(now.turn - 1, block, top);
    for (int col = lane; col < e.nx; col += resident::lanes) {
      const T si = std::fma(beta, fresh(from + e.nx + col), fresh(from + col));
      rs[col] = std::fma(-alpha, si, rs[col]);
    }
  }

  HD void end(Place at, Lane& lane, T* rs) const {
    const T* xs = rs + (slabs.rows + 2) * e.pitch + slabs.rows * e.nx;
    UNROLL for (int k = 0; k < N; ++k) if (lane.at[k] >= 0) {
      const int row = at.block * slabs.rows + (lane.at[k] >> 16), col = lane.at[k] & 0xffff;
      x[row * e.pitch + col] = xs[at.lane + k * resident::lanes];
    }
  }
};

template <class B, class T>
class CgOnChip final : public Solver<B, T> {
 public:
  using Vector = Field<B, T>;
  CgOnChip(B& backend, const Operator<B, T>& A, const SolverOptions& options)
      : Solver<B, T>(backend, A.extent(), options),
        slabs_(A.extent()),
        r_(backend, A.extent()),
        borders_(backend, std::size_t(8) * std::size_t(slabs_.blocks) * std::size_t(A.extent().nx)),
        grid_(backend) {
    const Extent e = A.extent();
    const std::size_t bytes = slabs_.shared(e) * sizeof(T);
    if (slabs_.points_per_lane(e) > most_points || bytes > resident::shared_bytes)
      throw InputError(
          "method: cg-onchip keeps its vectors on the chip, in " + std::to_string(resident::blocks) +
          " slabs of rows with at most " + std::to_string(most_points * resident::lanes) + " points and " +
          std::to_string(resident::shared_bytes >> 10) + " KiB each; slabs of " + std::to_string(e.nx) +
          " x " + std::to_string(e.ny) + " points would have " + std::to_string(slabs_.points(e)) +
          " points and " + std::to_string(bytes >> 10) + " KiB; use method: cg");
  }

 protected:
  Vector* residual() override { return &r_; }
  void start(const Operator<B, T>&, Preconditioner<B, T>*, Vector&) override {}
  /// The whole solve.
  void step(const Operator<B, T>& A, Preconditioner<B, T>*, const Vector&, Vector& x) override {
    const FivePointSystemFacts<T>& facts = *A.five_point();
    if (facts.uniform)
      run(facts.constant, facts, x);
    else
      run(facts.varying, facts, x);
  }
  bool looks_each_step() const override { return true; }

 private:
  static constexpr int most_points = 16;

  template <class Coefficients>
  void run(const Coefficients& c, const FivePointSystemFacts<T>& facts, Vector& x) {
    StencilView<T, Coefficients> A;
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
  Resident<B> grid_;
};

}  // namespace wavesim
