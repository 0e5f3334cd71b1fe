#pragma once
// Which rows of a sparse matrix make up the diagonal blocks of block-Jacobi. Blocks are runs of neighbouring
// rows; rows without entries, such as the padding of a wave system, are kept apart from the others.

#include <vector>

#include "kernels/formats/host_csr.hpp"

namespace wavesim {

/// Block b has rows first[b] .. first[b + 1], all with entries or all without (empty[b]).
struct Blocks {
  std::vector<int> first{0};
  std::vector<char> empty;
  int count() const { return int(first.size()) - 1; }
  int size(int b) const { return first[std::size_t(b) + 1] - first[b]; }
};

inline bool is_empty(const HostCsr& A, int i) { return A.start[i] == A.start[std::size_t(i) + 1]; }

/// The last block ends before row i.
inline void end_block(Blocks& blocks, const HostCsr& A, int i) {
  blocks.first.push_back(i);
  blocks.empty.push_back(is_empty(A, i - 1));
}

/// Pieces of `bound` rows.
inline Blocks fixed_blocks(const HostCsr& A, int bound) {
  Blocks blocks;
  for (int i = 1; i <= A.rows; ++i)
    if (i == A.rows || i - blocks.first.back() == bound || is_empty(A, i) != is_empty(A, i - 1))
      end_block(blocks, A, i);
  return blocks;
}

/// Supervariables: neighbouring rows with entries in the same columns, in whatever order, at most `bound` of
/// them. They are the variables of one node of a mesh, say. In time proportional to the entries.
inline Blocks supervariables(const HostCsr& A, int bound) {
  Blocks blocks;
  std::vector<int> row_that_has(A.rows, -1);  // the last row of those looked at that has an entry in a column
  const auto mark = [&](int i) {
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k) row_that_has[A.column[k]] = i;
  };
  const auto has_the_columns_of_the_last = [&](int i) {
    if (A.start[std::size_t(i) + 1] - A.start[i] != A.start[i] - A.start[i - 1]) return false;
    for (int k = A.start[i]; k < A.start[std::size_t(i) + 1]; ++k)
      if (row_that_has[A.column[k]] != i - 1) return false;
    return true;
  };
  if (A.rows > 0) mark(0);
  for (int i = 1; i <= A.rows; ++i) {
    if (i == A.rows || i - blocks.first.back() == bound || !has_the_columns_of_the_last(i))
      end_block(blocks, A, i);
    if (i < A.rows) mark(i);
  }
  return blocks;
}

/// Neighbouring blocks joined as long as they fit into `bound` rows: larger blocks catch more of the matrix,
/// and fill a warp better (Anzt et al., PMAM 2017, "supervariable agglomeration").
inline Blocks agglomerated(const HostCsr& A, const Blocks& parts, int bound) {
  Blocks blocks;
  for (int b = 1; b <= parts.count(); ++b)
    if (b == parts.count() || parts.first[std::size_t(b) + 1] - blocks.first.back() > bound ||
        parts.empty[b] != parts.empty[std::size_t(b) - 1])
      end_block(blocks, A, parts.first[b]);
  return blocks;
}

inline Blocks supervariable_blocks(const HostCsr& A, int bound) {
  return agglomerated(A, supervariables(A, bound), bound);
}

}  // namespace wavesim
