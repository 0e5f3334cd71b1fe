#pragma once
// Blocks made orthonormal in the inner product of M, x'M y, after Hetmaniuk & Lehoucq ("Basis selection in LOBPCG",
// J. Comput. Phys. 218, 2006) and Duersch et al. ("A robust and efficient implementation of LOBPCG", SIAM J. Sci.
// Comput. 40, 2018): a projection, then the singular values of what is left (Stathopoulos & Wu 2002), in turn until
// rounding is gone. Directions that are combinations of others are dropped.

#include "solvers/core/operator.hpp"
#include "solvers/eigenpairs/vector_block.hpp"

namespace wavesim {

/// A set of vectors, with what an operator makes of each.
template <class B, class T>
struct FieldBlock {
  std::vector<Field<B, T>> fields;
  FieldBlock() = default;
  FieldBlock(B& backend, Extent e, int columns) {
    for (int k = 0; k < columns; ++k) fields.emplace_back(backend, e);
  }
  VectorBlock<T> first(int count) const {
    VectorBlock<T> block;
    for (int k = 0; k < count; ++k) block.push_back(fields[std::size_t(k)].data());
    return block;
  }
};

/// The first `count` of AY <- A Y.
template <class B, class T>
void apply_to_first(const Operator<B, T>& A, const FieldBlock<B, T>& y, FieldBlock<B, T>& Ay, int count) {
  const std::size_t n = std::size_t(count);
  A.apply_all(std::span<const Field<B, T>>(y.fields).first(n), std::span<Field<B, T>>(Ay.fields).first(n));
}

/// What makes the columns of a block Y orthonormal, by the eigenpairs of Y'M Y.
struct SingularDirections {
  SmallMatrix combinations;  // Y C is orthonormal but for rounding
  double deviation = 0;      // largest |x'M y - delta| of what came in
  bool positive = true;      // x'M x > 0 for all that was not zero
};

/// From G = Y'M Y. `whole`: the squares of the columns' lengths before a projection; what has less than 1e-12 of its
/// length left is dropped.
inline SingularDirections singular_directions(const SmallMatrix& G, const std::vector<double>& whole) {
  const int n = G.rows;
  SingularDirections found;
  std::vector<int> kept;
  for (int i = 0; i < n; ++i) {
    if (whole[std::size_t(i)] != 0 && !(G(i, i) > -1e-12 * std::abs(whole[std::size_t(i)])))
      found.positive = false;
    if (G(i, i) > 1e-24 * whole[std::size_t(i)] && G(i, i) > 0) kept.push_back(i);
    for (int j = 0; j <= i; ++j)
      found.deviation = std::max(found.deviation, std::abs(G(i, j) - (i == j ? 1 : 0)));
  }
  const int m = int(kept.size());
  SmallMatrix unit(m, m);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j)
      unit(i, j) = G(kept[std::size_t(i)], kept[std::size_t(j)]) /
                   std::sqrt(G(kept[std::size_t(i)], kept[std::size_t(i)]) *
                             G(kept[std::size_t(j)], kept[std::size_t(j)]));
  const SmallEigenpairs pairs = eigenpairs_of(unit);
  int first = 0;
  while (first < m && !(pairs.value[std::size_t(first)] > 1e-13 * pairs.value.back())) ++first;
  found.combinations = SmallMatrix(n, m - first);
  for (int i = 0; i < m; ++i)
    for (int j = first; j < m; ++j)
      found.combinations(kept[std::size_t(i)], j - first) =
          pairs.vectors(i, j) /
          std::sqrt(pairs.value[std::size_t(j)] * G(kept[std::size_t(i)], kept[std::size_t(i)]));
  return found;
}

/// Columns made orthonormal in the plain inner product, without those that are combinations of others.
inline SmallMatrix orthonormal(SmallMatrix C) {
  for (int turn = 0; turn < 2 && C.columns > 0; ++turn) {
    const SmallMatrix G = transposed_product(C, C);
    std::vector<double> whole;
    for (int j = 0; j < C.columns; ++j) whole.push_back(G(j, j));
    C = product(C, singular_directions(G, whole).combinations);
  }
  return C;
}

template <class B, class T>
class Orthonormaliser {
 public:
  /// `mass`: M; null: the identity. `most`: columns of a block.
  Orthonormaliser(B& backend, Extent e, const Operator<B, T>* mass, BlockPasses<B, T>& passes, int most)
      : mass_(mass), passes_(passes), spare_(backend, e, most) {}

  /// Makes the first `count` of `y` orthonormal to the columns q, which are so themselves, and to each other; `My` takes
  /// M y and `Mq` holds M q. Returns how many are left; -1 where M is not positive definite, or not a number.
  int operator()(const VectorBlock<T>& q, const VectorBlock<T>& Mq, FieldBlock<B, T>& y, FieldBlock<B, T>& My,
                 int count) {
    for (int turn = 0; turn < most_turns && count > 0; ++turn) {
      double apart = 0;
      std::vector<double> whole(std::size_t(count), 0);
      if (!q.empty()) {
        SmallMatrix C = passes_.inner_products(Mq, y.first(count));
        for (int k = 0; k < C.rows; ++k)
          for (int j = 0; j < count; ++j) {
            apart = std::max(apart, std::abs(C(k, j)));
            whole[std::size_t(j)] = std::fma(C(k, j), C(k, j), whole[std::size_t(j)]);
            C(k, j) = -C(k, j);
          }
        passes_.add(q, C, y.first(count));
      }
      apply_mass(y, My, count);
      const SmallMatrix G = passes_.inner_products(y.first(count), of_mass(y, My, count), true);
      for (int j = 0; j < count; ++j) whole[std::size_t(j)] += G(j, j);
      const SingularDirections found = singular_directions(G, whole);
      if (!found.positive || !std::isfinite(apart + found.deviation)) return -1;
      const int left = found.combinations.columns;
      passes_.combine(y.first(count), found.combinations, spare_.first(left));
      std::swap(y.fields, spare_.fields);
      count = left;
      if (turn > 0 && std::max(apart, found.deviation) < 1e-7)
        break;  // what this turn took off leaves rounding alone
    }
    apply_mass(y, My, count);
    return count;
  }

  /// M y, or y where M is the identity.
  VectorBlock<T> of_mass(const FieldBlock<B, T>& y, const FieldBlock<B, T>& My, int count) const {
    return mass_ ? My.first(count) : y.first(count);
  }
  void apply_mass(const FieldBlock<B, T>& y, FieldBlock<B, T>& My, int count) const {
    if (mass_) apply_to_first(*mass_, y, My, count);
  }

 private:
  static constexpr int most_turns = 4;
  const Operator<B, T>* mass_;
  BlockPasses<B, T>& passes_;
  FieldBlock<B, T> spare_;
};

}  // namespace wavesim
