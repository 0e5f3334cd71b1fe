#pragma once
// Orders in which rows can be visited in parallel: stages of rows that do not depend on each other. Host
// set-up on the pattern of a matrix; rows without entries (padding of an extent) are in no stage.

#include <algorithm>

#include "kernels/formats/host_csr.hpp"

namespace wavesim {

/// Rows sorted by stage, ascending within each: stage s is row[start[s]] .. row[start[s + 1] - 1].
struct RowStages {
  std::vector<int> start{0}, row;
  int count() const { return int(start.size()) - 1; }
};

/// Sorts rows by their stage; -1: in none.
inline RowStages sorted_by_stage(const std::vector<int>& stage) {
  RowStages s;
  int count = 0;
  for (int g : stage) count = std::max(count, g + 1);
  s.start.assign(std::size_t(count) + 1, 0);
  for (int g : stage)
    if (g >= 0) ++s.start[std::size_t(g) + 1];
  for (int g = 0; g < count; ++g) s.start[std::size_t(g) + 1] += s.start[g];
  s.row.resize(s.start.back());
  std::vector<int> next(s.start.begin(), s.start.end() - 1);
  for (std::size_t i = 0; i < stage.size(); ++i)
    if (stage[i] >= 0) s.row[next[stage[i]]++] = int(i);
  return s;
}

/// Which couplings of row i order it against row j.
enum class Depends {
  lower,    // a_ij with j < i: a forward substitution
  upper,    // a_ij with j > i: a backward substitution, whose first stage is that of the last row
  in_place  // a_ij or a_ji: a sweep that overwrites x also has to leave x_j until row i has read it
};

/// Level scheduling (Saad, Iterative Methods, 11.6.3; Nibbeling 2016, Algorithm 3): a row is one level after
/// the last row that it waits for, so that going by levels gives what going row by row gives.
inline RowStages levels_of(const HostCsr& A, Depends depends) {
  std::vector<int> level(A.rows, 0);
  const bool forward = depends != Depends::upper;
  for (int n = 0; n < A.rows; ++n) {
    const int i = forward ? n : A.rows - 1 - n, begin = A.start[i], end = A.start[std::size_t(i) + 1];
    for (int k = begin; k < end; ++k) {
      const int j = A.column[k];
      if (forward ? j < i : j > i) level[i] = std::max(level[i], level[j] + 1);
    }
    if (depends == Depends::in_place)
      for (int k = begin; k < end; ++k)
        if (const int j = A.column[k]; j > i) level[j] = std::max(level[j], level[i] + 1);
  }
  for (int i = 0; i < A.rows; ++i)
    if (A.start[i] == A.start[std::size_t(i) + 1]) level[i] = -1;
  return sorted_by_stage(level);
}

/// Greedy colouring of the graph of A + A', first fit in the order of the rows: rows of one colour are not
/// coupled. At most one colour more than a row has neighbours.
inline RowStages colours_of(const HostCsr& A) {
  const HostCsr t = transpose(A);
  std::vector<int> colour(A.rows, -1), taken_by;  // taken_by[c]: the last row that found colour c taken
  for (int i = 0; i < A.rows; ++i) {
    if (A.start[i] == A.start[std::size_t(i) + 1]) continue;
    for (const HostCsr* m : {&A, &t})
      for (int k = m->start[i]; k < m->start[std::size_t(i) + 1]; ++k)
        if (const int c = colour[m->column[k]]; c >= 0 && m->column[k] != i) taken_by[c] = i;
    int c = 0;
    while (c < int(taken_by.size()) && taken_by[c] == i) ++c;
    if (c == int(taken_by.size())) taken_by.push_back(-1);
    colour[i] = c;
  }
  return sorted_by_stage(colour);
}

}  // namespace wavesim
