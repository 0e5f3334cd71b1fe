#pragma once
// A lower triangular matrix like that of Fiorentini (2022), section 3.1, built the same on every machine.

#include <cstdint>
#include <vector>

namespace wavesim::fiorentini {

/// Compressed sparse rows, the diagonal last in each.
struct Matrix {
  int rows = 0;
  std::vector<int> start, column;
  std::vector<float> value;
  std::vector<int> of_level;  // rows of each level; its size is the length of the longest chain
  int levels() const { return int(of_level.size()); }
};

/// So many rows with two entries each in the mean. A row of level l > 0 depends on a recent row of level l -
/// 1, and half of them on another of a lower level as well: the longest chain is known exactly. It is 91 from
/// about a million rows on; a third of the rows depend on none.
Matrix make_matrix(int rows);

/// A forward substitution: seconds, launches of kernels in the mean, and its result.
struct Outcome {
  double seconds = 0, launches = 1;
  std::vector<float> x;
};
/// By one kernel whose rows wait for those they depend on (section 1.2 of the paper).
Outcome substitute_host(const Matrix&, int repetitions);
/// By the paper's final algorithm (section 2): a kernel that does the rows which depend on no row that is left, launched again
/// until none is left.
Outcome substitute_by_launches_host(const Matrix&, int repetitions);
#ifdef WAVESIM_HAVE_CUDA
Outcome substitute_cuda(const Matrix&, int repetitions);
Outcome substitute_by_launches_cuda(const Matrix&, int repetitions);
#endif

}  // namespace wavesim::fiorentini
