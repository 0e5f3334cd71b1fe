#pragma once
// One row of a triangle in its level schedule (kernels/sptrsv/level_schedule.hpp), wherever that is made.

#include "kernels/sptrsv/level_schedule.hpp"
#include "solvers/triangular/chains.hpp"

namespace wavesim {

struct TriangleRows {
  const int *start, *column;
  const double* value;
  SolveOrder order;
};
template <class T>
struct ScheduleEntries {
  int* reference;
  T* value;
};

/// Writes what row i depends on into its places, those of place k of the sorted order in slice s, and returns its diagonal.
/// reference_to(j): to the value of row j; no_reference where that is zero, as in rows without entries.
template <class T, class F>
HD double write_row(const TriangleRows& a, int i, const ScheduleSlice& s, int k, const ScheduleEntries<T>& to,
                    const F& reference_to) {
  double diagonal = 0;
  int at = s.entry + k - s.first, left = s.width;
  for (int e = a.start[i]; e < a.start[i + 1]; ++e) {
    const int j = a.column[e];
    if (j == i) diagonal = a.value[e];
    if (!a.order.before(j, i)) continue;
    const int reference = reference_to(j);
    if (reference == no_reference) continue;
    to.reference[at] = reference;
    to.value[at] = T(a.value[e]);
    at += s.height;
    --left;
  }
  for (; left > 0; --left, at += s.height) {
    to.reference[at] = no_reference;
    to.value[at] = 0;
  }
  return diagonal;
}

}  // namespace wavesim
