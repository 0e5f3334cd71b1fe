#pragma once
// The numbers that the row of a matrix is multiplied by: x_j of one vector, or those of N vectors at once. A format writes
// its row once, for both, so that the sum of each vector has the order, and the bits, of the product with that vector alone.

#include <cmath>
#include <type_traits>
#include <utility>

#include "kernels/backend/hd.hpp"

namespace wavesim {

/// x_j of N vectors.
template <class T, int N>
struct VectorValues {
  T of[N];
};

/// a x
template <class T>
HD T multiply(T a, T x) {
  return a * x;
}
template <class T, int N>
HD VectorValues<T, N> multiply(T a, const VectorValues<T, N>& x) {
  VectorValues<T, N> product;
  UNROLL for (int v = 0; v < N; ++v) product.of[v] = a * x.of[v];
  return product;
}

/// a + b
template <class T>
HD T add(T a, T b) {
  return a + b;
}
template <class T, int N>
HD VectorValues<T, N> add(const VectorValues<T, N>& a, const VectorValues<T, N>& b) {
  VectorValues<T, N> sum;
  UNROLL for (int v = 0; v < N; ++v) sum.of[v] = a.of[v] + b.of[v];
  return sum;
}

/// a x + sum, rounded once
template <class T>
HD T multiply_add(T a, T x, T sum) {
  return std::fma(a, x, sum);
}
template <class T, int N>
HD VectorValues<T, N> multiply_add(T a, const VectorValues<T, N>& x, const VectorValues<T, N>& sum) {
  VectorValues<T, N> longer;
  UNROLL for (int v = 0; v < N; ++v) longer.of[v] = std::fma(a, x.of[v], sum.of[v]);
  return longer;
}

/// What x(j) is: a number, or the numbers of several vectors.
template <class X>
using ValueOf = std::remove_cvref_t<decltype(std::declval<const X&>()(0))>;

}  // namespace wavesim
