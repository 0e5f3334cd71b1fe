#pragma once
// Nibbeling (2016): back substitution by levels with one and with many right-hand sides, in double precision.

#include <vector>

#include "kernels/formats/host_csr.hpp"

namespace wavesim::nibbeling {

/// The five-point matrix of n x n points with fixed edges.
HostCsr five_point_grid(int n);
/// The U of ILU(0) of A after its rows and columns are sorted by the levels of its lower triangle (section
/// 4.2). Throws InputError or SolveError if A has none.
HostCsr factor_by_levels(const HostCsr& A);

/// The U of ILU(0) of A as it is.
HostCsr factor(const HostCsr& A);

/// Seconds with so many right-hand sides; bytes that a solve has to move, 0 where we do not know; seconds of products one
/// after the other, and with all at once in tiles of rows, 0 where they were not measured.
struct Times {
  int vectors = 0;
  double product = 0, solve = 0, analysis = 0, bytes = 0, one_by_one = 0, in_tiles = 0;
};
struct Result {
  std::vector<Times> times;
  int bands = 0;        // ours (kernels/sptrsv/level_schedule.hpp)
  double residual = 0;  // max |b - U x| / max |b| of the last solve, first vector
};

Result measure_host(const HostCsr& U, const std::vector<int>& vectors, int repetitions);
#ifdef WAVESIM_HAVE_CUDA
Result measure_cuda(const HostCsr& U, const std::vector<int>& vectors, int repetitions);
#endif
#ifdef WAVESIM_HAVE_CUSPARSE
/// SpMV and SpSV for one vector, SpMM and SpSM for several.
Result measure_cusparse(const HostCsr& U, const std::vector<int>& vectors, int repetitions);
#endif

/// The same for all who solve: b of numbers between 1 and 2.
std::vector<double> right_hand_side(int rows);
/// max |b - U x| / max |b|
double residual_of(const HostCsr& U, const std::vector<double>& b, const std::vector<double>& x);

}  // namespace wavesim::nibbeling
