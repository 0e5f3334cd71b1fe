#pragma once
// The loops of the CPU backend: one element or point with its operands, columns of a row with and without edges,
// and the order in which a block's lanes are joined (sum_order.hpp).

#include <type_traits>

#include "kernels/backend/access.hpp"
#include "kernels/reduce/sum_order.hpp"

namespace wavesim {

/// Joins 32 lanes in a tree, into the first.
template <class R>
void tree(R* lane) {
  for (int offset = 16; offset > 0; offset /= 2)
    for (int t = 0; t < offset; ++t) lane[t].join(lane[t + offset]);
}

namespace host {

template <class F, class... A>
auto point(const F& f, int i, const A&... a) {
  Locals<1, A...> v;
  v.load(i, a...);
  if constexpr (std::is_void_v<decltype(call(f, v, 0))>) {
    call(f, v, 0);
    v.store(i, a...);
  } else {
    const auto sum = call(f, v, 0);
    v.store(i, a...);
    return sum;
  }
}

template <class F, class... A>
auto at(const F& f, Row r, const A&... a) {
  Locals<1, A...> v;
  v.load(r.i, a...);
  if constexpr (std::is_void_v<decltype(call(f, v, 0, r))>) {
    call(f, v, 0, r);
    v.store(r.i, a...);
  } else {
    const auto sum = call(f, v, 0, r);
    v.store(r.i, a...);
    return sum;
  }
}

/// body(col, edge) for the columns from <= col < to of a row. `edge` is a compile-time constant:
/// std::false_type on the columns away from the edges, which have a loop of their own. Everything that this
/// loop calls is inlined: where g++ keeps a call of a format's row, because of its limits on inlining, the
/// loop is not vectorised and takes four times as long. The columns at the edges are few and stay calls.
template <class Body>
[[gnu::flatten]] void columns(const Rows& rows, int row, int from, int to, const Body& body) {
  const Extent& e = rows.extent;
  const auto on_edge = [&](int first, int last) __attribute__((noinline)) {
    for (int col = first; col < last; ++col) body(col, std::true_type{});
  };
  if (rows.edges && (row == 0 || row == e.ny - 1)) return on_edge(from, to);
  const int first = rows.edges && from < 1 ? 1 : from, last = rows.edges && to == e.nx ? e.nx - 1 : to;
  if (first > from) on_edge(0, 1);
  SIMD for (int col = first; col < last; ++col) body(col, std::false_type{});
  if (last < to && e.nx > 1) on_edge(e.nx - 1, e.nx);
}

/// body(row, col, edge) for the same columns of n rows, at each column in the order of the rows. If n is N,
/// rows away from the edges share one loop, and what is joined over them stays in a register.
template <int N, class Body>
[[gnu::flatten]] void columns_of(const Rows& rows, int row, int n, int from, int to, const Body& body) {
  const Extent& e = rows.extent;
  const bool care = rows.edges && (row == 0 || row + n == e.ny);
  if (n != N || care) {
    for (int k = 0; k < n; ++k)
      columns(rows, row + k, from, to, [&](int col, auto edge) { body(row + k, col, edge); });
    return;
  }
  const auto on_edge = [&](int col) __attribute__((noinline)) {
    for (int k = 0; k < N; ++k) body(row + k, col, std::true_type{});
  };
  const int first = rows.edges && from < 1 ? 1 : from, last = rows.edges && to == e.nx ? e.nx - 1 : to;
  if (first > from) on_edge(0);
  SIMD for (int col = first; col < last; ++col) UNROLL for (int k = 0; k < N; ++k)
      body(row + k, col, std::false_type{});
  if (last < to && e.nx > 1) on_edge(e.nx - 1);
}

/// Joins the lanes of a block: a tree in each 32, then one after the other.
template <int lanes = sum_order::lanes, class R>
R block_sum(R* lane) {
  for (int warp = 0; warp < lanes; warp += 32) tree(lane + warp);
  for (int warp = 32; warp < lanes; warp += 32) lane[0].join(lane[warp]);
  return lane[0];
}

}  // namespace host

}  // namespace wavesim
