#pragma once
// A small dense block in memory, n x n by columns, worked on by a group of lanes (host_group.hpp).

#include "kernels/formats/csr.hpp"
#include "kernels/host_group.hpp"

namespace wavesim {

/// How a factorisation went.
enum class BlockState : int { regular, singular, not_finite };

HD inline BlockState state_of_pivot(double pivot) {
  return pivot == 0           ? BlockState::singular
         : pivot - pivot == 0 ? BlockState::regular
                              : BlockState::not_finite;
}

/// S <- rows and columns first .. first + n of A; `not_finite` if one of the entries is not. A lane takes a
/// row. `transposed`: S by rows.
template <class G, class T>
HD BlockState extract_block(const G& g, const CsrView<T>& A, int first, int n, bool transposed, double* S) {
  LanesOf<G, int> bad;
  g.each(n, [&](int i) {
    const int along = transposed ? 1 : n, from = transposed ? i * n : i;
    for (int j = 0; j < n; ++j) S[from + j * along] = 0;
    for (int k = A.start[first + i]; k < A.start[first + i + 1]; ++k) {
      const int j = A.column[k] - first;
      const double a = double(A.value[k]);
      if (j < 0 || j >= n) continue;
      S[from + j * along] += a;
      bad[i] |= !(a - a == 0);
    }
  });
  g.sync();
  return g.largest(bad) ? BlockState::not_finite : BlockState::regular;
}

/// ||S||_1, the largest sum of magnitudes in a column; NaN is lost.
template <class G>
HD double one_norm(const G& g, int n, const double* S) {
  LanesOf<G, double> column;
  g.each(n, [&](int j) {
    for (int i = 0; i < n; ++i) column[j] += std::fabs(S[j * n + i]);
  });
  return g.largest(column);
}

template <class G>
HD double largest_magnitude(const G& g, int n, const double* S) {
  LanesOf<G, double> row;
  g.each(n, [&](int i) {
    for (int j = 0; j < n; ++j) row[i] = std::fmax(row[i], std::fabs(S[j * n + i]));
  });
  return g.largest(row);
}

template <class G>
HD bool is_finite(const G& g, int n, const double* S) {
  LanesOf<G, int> bad;
  g.each(n, [&](int i) {
    for (int j = 0; j < n; ++j) bad[i] |= !(S[j * n + i] - S[j * n + i] == 0);
  });
  return !g.largest(bad);
}

/// S <- (S + S') / 2, symmetric to the bit. A lane takes the pairs left of the diagonal in its row.
template <class G>
HD void symmetrise(const G& g, int n, double* S) {
  g.each(n, [&](int i) {
    for (int j = 0; j < i; ++j) {
      const double mean = 0.5 * S[j * n + i] + 0.5 * S[i * n + j];
      S[j * n + i] = mean;
      S[i * n + j] = mean;
    }
  });
  g.sync();
}

/// A block in registers, a row (or a column) of it in each lane: v[j] is the j-th element of each.
template <class G>
struct BlockRegisters {
  static constexpr int W = G::lanes;
  LanesOf<G, double> v[W];

  /// v[j] of lane i is S[j * n + i]
  HD void load(const G& g, int n, const double* S) {
    UNROLL_REGISTERS for (int j = 0; j < W; ++j) {
      if (j < n) g.each(n, [&](int i) { v[j][i] = S[j * n + i]; });
    }
    g.sync();
  }
};

/// Pivots chosen without moving rows: the lane of each step, and the step of each lane ("implicit pivoting").
template <class G>
struct ImplicitPivots {
  LanesOf<G, int> lane, step;

  HD explicit ImplicitPivots(const G& g) {
    g.each([&](int i) { step[i] = G::lanes; });
  }
  HD bool free(int i) const { return step[i] == G::lanes; }
  /// Takes the largest magnitude of the lanes below n that are free. What is not a number counts as infinite:
  /// all lanes have to see the same pivot, or they would part company.
  HD int choose(const G& g, int k, int n, const LanesOf<G, double>& candidates) {
    LanesOf<G, double> magnitude;
    g.each([&](int i) {
      const double m = std::fabs(candidates[i]);
      magnitude[i] = i >= n || !free(i) ? -1 : m == m ? m : HUGE_VAL;
    });
    const int p = g.argmax(magnitude);
    g.each([&](int i) {
      if (i == p) step[i] = k;
      if (i == k) lane[i] = p;
    });
    return p;
  }
};

}  // namespace wavesim
