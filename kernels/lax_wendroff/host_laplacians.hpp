#pragma once
// Laplacians of eighth order along neighbouring rows on a CPU (host_front.hpp): what is loaded of a column serves all of
// them, and caches are read half as often for two rows at once.

#include <array>
#include <utility>

#include "kernels/lax_wendroff/lax_wendroff.hpp"

namespace wavesim::lax_wendroff {

/// The rows that Laplacians of n neighbouring rows want.
template <class T, int n>
using RowsAround = std::array<const T*, n + 2 * eighth_order_reach>;

/// place(row) of n rows from `row` on.
template <int n, class F>
auto each_of_rows(int row, const F& place) {
  std::array<decltype(place(row)), n> at;
  for (int j = 0; j < n; ++j) at[std::size_t(j)] = place(row + j);
  return at;
}

/// f(j, k, the Laplacian there) at columns a .. end - 1 of row j < n. Rows and f go by value, and there is no loop over rows: g++
/// makes no vectors where it has to look for a row's address.
template <int n, class T, class F, std::size_t... y, std::size_t... j>
void with_laplacians(const EighthOrderLaplacian<T> laplacian, const RowsAround<T, n> at, int a, int end,
                     const F f, std::index_sequence<y...>, std::index_sequence<j...>) {
  constexpr int reach = eighth_order_reach;
  SIMD for (int k = a; k < end; ++k) {
    const T column[] = {at[y][k]...};
    (f(j, k,
       laplacian(
           column[j + reach], [&](int x) { return at[j + reach][k + x]; },
           [&](int up) { return column[int(j) + reach + up]; })),
     ...);
  }
}
template <int n, class T, class F>
void with_laplacians(const EighthOrderLaplacian<T>& laplacian, const RowsAround<T, n>& at, int a, int end,
                     const F& f) {
  with_laplacians<n>(laplacian, at, a, end, f, std::make_index_sequence<n + 2 * eighth_order_reach>{},
                     std::make_index_sequence<n>{});
}

}  // namespace wavesim::lax_wendroff
