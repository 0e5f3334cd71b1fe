#pragma once
// A small dense block, worked on by a group of lanes (host_group.hpp): gathered from a sparse matrix in the
// scratch memory of the group (scratch.hpp), eliminated in registers, and written to memory by columns, n x n.

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/backend/host_group.hpp"
#include "kernels/blocks/scratch.hpp"
#include "kernels/formats/csr.hpp"

namespace wavesim {

/// How a factorisation went.
enum class BlockState : unsigned char { regular, singular, not_finite };

/// What W lanes share.
template <int W>
struct BlockScratch {
  static constexpr int stride = W + 1;  // odd: neighbours in a row or column lie in different banks
  double tile[W * stride];              // (i, j) at i * stride + j
  double line[W];
  int order[W == 4 ? 24
                   : W];  // the lane of each step; its size moves the scratch of neighbours to other banks

  HD double& at(int i, int j) { return tile[i * stride + j]; }
};

/// On a GPU: loops over registers are unrolled, and memory has a long latency.
template <class G>
inline constexpr bool on_gpu = requires {
  G::turns;
};

/// The tile <- rows and columns first .. first + n of A. A lane adds up its row.
template <class G, class T, int W>
HD void extract_row_by_row(const G& g, const CsrView<T>& A, int first, int n, BlockScratch<W>& scratch) {
  g.each(n, [&](auto i) {
    for (int j = 0; j < n; ++j) scratch.at(i, j) = 0;
    for (int k = A.start[first + i]; k < A.start[first + i + 1]; ++k) {
      const int j = A.column[k] - first;
      if (0 <= j && j < n) scratch.at(i, j) += double(A.value[k]);
    }
  });
  g.sync();
}

/// The same for a GPU: the lanes read the entries of a row together, and several rows together, to wait for
/// memory only once. False where columns of a row do not increase, so that an entry may occur twice.
template <class G, class T, int W>
HD bool extract_together(const G& g, const CsrView<T>& A, int first, int n, BlockScratch<W>& scratch) {
  constexpr int at_once = W < 8 ? W : 8;
  constexpr int none = 0x7fffffff - W;  // + i: columns that increase, and lie in no block
  LanesOf<G, int> disorder;
  const int rows = together(g, n);
  for (int top = 0; top < rows; top += at_once) {
    int start[at_once + 1], longest = 0;
    UNROLL_REGISTERS for (int r = 0; r <= at_once; ++r) {
      start[r] = A.start[first + (top + r < n ? top + r : n)];
      if (r > 0) longest = start[r] - start[r - 1] > longest ? start[r] - start[r - 1] : longest;
    }
    longest = together(g, longest);
    UNROLL_REGISTERS for (int r = 0; r < at_once; ++r) {
      g.each([&](auto j) { scratch.at(top + r, j) = 0; });
    }
    g.sync();
    for (int done = 0; done < longest; done += W) {
      LanesOf<G, int> column[at_once];
      LanesOf<G, T> value[at_once];
      UNROLL_REGISTERS for (int r = 0; r < at_once; ++r) {
        g.each([&](auto i) {
          const int k = start[r] + done + i;
          column[r][i] = none + i;
          if (k >= start[r + 1]) return;
          column[r][i] = A.column[k];
          value[r][i] = A.value[k];
        });
      }
      UNROLL_REGISTERS for (int r = 0; r < at_once; ++r) {
        const LanesOf<G, int> before = g.before(column[r]);
        g.each([&](auto i) {
          const int j = column[r][i] - first;
          if (0 <= j && j < n) scratch.at(top + r, j) = double(value[r][i]);
          disorder[i] |= i > 0 && column[r][i] <= before[i];
        });
      }
      if (done == 0) continue;
      UNROLL_REGISTERS for (int r = 0; r < at_once; ++r) {
        const int k = start[r] + done;
        if (k < start[r + 1]) g.each(1, [&](auto i) { disorder[i] |= column[r][i] <= A.column[k - 1]; });
      }
    }
  }
  g.sync();
  return !together(g, g.largest(disorder));
}

template <class G, class T, int W>
HD void extract_block(const G& g, const CsrView<T>& A, int first, int n, BlockScratch<W>& scratch) {
  if constexpr (on_gpu<G>)
    if (extract_together(g, A, first, n, scratch)) return;
  extract_row_by_row(g, A, first, n, scratch);
}

/// S(i, j) <- element(i, j), by columns; returns zeros, but for lanes with something that is not finite.
template <class G, class F>
HD LanesOf<G, double> store_block(const G& g, int n, double* S, const F& element) {
  LanesOf<G, double> zero;
  for (int j = 0; j < n; ++j)
    g.each(n, [&](auto i) {
      const double v = element(i, j) + 0.0;  // no zero has a sign
      S[j * n + i] = v;
      zero[i] = std::fma(v, 0.0, zero[i]);
    });
  return zero;
}

/// The largest sum of magnitudes of elements along .. n * along, `across` from one another; NaN is lost.
template <class G>
HD double largest_sum(const G& g, int n, const double* S, int along, int across) {
  LanesOf<G, double> sum;
  g.each(n, [&](auto j) {
    for (int i = 0; i < n; ++i) sum[j] += std::fabs(S[j * across + i * along]);
  });
  return g.largest(sum);
}

template <class G>
HD double largest_magnitude(const G& g, int n, const double* S) {
  LanesOf<G, double> row;
  g.each(n, [&](auto i) {
    for (int j = 0; j < n; ++j) row[i] = std::fmax(row[i], std::fabs(S[j * n + i]));
  });
  return g.largest(row);
}

/// A block in registers, of which each lane has a line: a row, with a place for each column, or a column,
/// with a place for each row. The first place is that of the current step: elimination shifts the others by one
/// place as it changes them, and appends finished values behind the last. So the loop over the steps has one
/// body, whose places are constants, and it fits into a GPU's small instruction cache. Rows and columns
/// beyond n are those of the identity.
template <class G>
struct BlockRegisters {
  static constexpr int W = G::lanes, piece = on_gpu<G> ? W : 2;
  /// Elimination goes through the places in chunks, and ends with the last chunk in which one matters.
  static constexpr int chunk = !on_gpu<G> ? piece : W < 32 ? 4 : 8;
  LanesOf<G, double> v[W];
  int steps;  // n, or more where the groups of a warp have different n
  int end;    // of the places in use

  /// v[j] of lane i is S[i * lane + j * place]
  HD BlockRegisters(const G& g, int n, const double* S, int lane, int place)
      : steps(together(g, n)), end(on_gpu<G> ? W : (n + 1) / 2 * 2) {
    UNROLL_REGISTERS for (int j = 0; j < W; ++j) {
      if (j >= end) continue;
      if (j < n)
        g.each(n, [&](auto i) { v[j][i] = S[i * lane + j * place]; });
      else if (on_gpu<G>)
        g.each([&](auto i) { v[j][i] = i == j; });
    }
    g.sync();
  }

  /// The place of the k-th line to come behind the last, in the end.
  HD int place(int k) const { return end - steps + k; }

  /// Places move up, and become v + factor (those of lane p), as far as `count` of them matter; below `from`
  /// they stay what they are.
  HD void add_and_move(const G& g, int count, const LanesOf<G, double>& factor, int p, int from = 0) {
    UNROLL_REGISTERS for (int first = 0; first < W; first += chunk) {
      if (first >= count) break;
      UNROLL_REGISTERS for (int j = first + 1; j <= first + chunk; ++j) {
        if (j == W) continue;
        const double of_p = g.broadcast(v[j % W], p), by = j < from ? 0 : of_p;
        g.each([&](auto i) { v[j - 1][i] = std::fma(factor[i], by, v[j % W][i]); });
      }
    }
  }

  /// x comes behind the last place.
  HD void append(const G& g, const LanesOf<G, double>& x) {
    UNROLL_REGISTERS for (int last = piece - 1; last < W; last += piece) {
      if (last == end - 1) g.each([&](auto i) { v[last][i] = x[i]; });
    }
  }

  /// y + the places from `from` on, times the numbers of `line` at these places; those below have to be 0.
  HD LanesOf<G, double> plus_places(const G& g, int from, const double* line, LanesOf<G, double> y) const {
    UNROLL_REGISTERS for (int first = 0; first < W; first += piece) {
      if (first + piece <= from || first >= end) continue;
      UNROLL_REGISTERS for (int j = first; j < first + piece; ++j) {
        const double by = line[j];
        g.each([&](auto i) { y[i] = std::fma(by, v[j][i], y[i]); });
      }
    }
    return y;
  }
};

/// Pivots chosen without moving rows ("implicit pivoting"): the step of each lane, and the reciprocal of its
/// pivot. The scratch memory holds the lane of each step.
template <class G>
struct ImplicitPivots {
  static_assert(G::lanes <= 32);
  LanesOf<G, int> step;
  LanesOf<G, double> inverse;
  int* order;

  HD ImplicitPivots(const G& g, int* order_of_steps) : order(order_of_steps) {
    g.each([&](auto i) { step[i] = G::lanes; });
  }
  template <class Lane>
  HD bool free(Lane i) const {
    return step[i] == G::lanes;
  }
  /// Takes the largest magnitude of the free lanes, without its last bits: the upper half of a double, as an
  /// integer, increases with the number. Its last six bits are replaced by the lane, so that one maximum of
  /// integers gives both. A NaN is larger than all numbers.
  HD int choose(const G& g, int k, const LanesOf<G, double>& candidates) {
    LanesOf<G, unsigned> key;
    g.each(
        [&](auto i) { key[i] = free(i) ? (upper_half(candidates[i]) & 0x7fffffc0u) | unsigned(63 - i) : 0; });
    const int p = 63 - int(g.largest(key) & 63u);
    g.each([&](auto i) { step[i] = i == p ? k : step[i]; });
    return p;
  }
  HD void set(const G& g, int p, double inverse_pivot) {
    g.each([&](auto i) { inverse[i] = i == p ? inverse_pivot : inverse[i]; });
  }
  /// Stores the lane of each step.
  HD void list(const G& g) const {
    g.each([&](auto i) {
      if (!free(i)) order[step[i]] = i;
    });
    g.sync();
  }
  /// Of the first pivot that is no good; else of the results, of which `zero` is a multiple.
  HD BlockState state(const G& g, const LanesOf<G, double>& zero) const {
    LanesOf<G, int> worst;
    g.each([&](auto i) {
      worst[i] = zero[i] == 0 || free(i) ? 0 : 2;
      const bool good = inverse[i] - inverse[i] == 0 && inverse[i] != 0,
                 singular = std::fabs(inverse[i]) == HUGE_VAL;
      if (!free(i) && !good) worst[i] = 2 * (1 + G::lanes - step[i]) + singular;
    });
    const int first = g.largest(worst);
    return first == 0 ? BlockState::regular : first % 2 ? BlockState::singular : BlockState::not_finite;
  }

 private:
  HD static unsigned upper_half(double v) {
#ifdef __CUDA_ARCH__
    return unsigned(__double2hiint(v));
#else
    return unsigned(std::bit_cast<std::uint64_t>(v) >> 32);
#endif
  }
};

}  // namespace wavesim
