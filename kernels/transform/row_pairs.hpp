#pragma once
// Two rows of reals as one row of complex values for the Fourier transforms, and the transforms of periodic
// axes to cosines and sines.

#include "kernels/backend/access.hpp"

namespace wavesim {

/// The values of two neighbouring rows as real and imaginary part: the transform is linear, so it transforms
/// both.
template <class T>
struct alignas(2 * sizeof(T)) RowPair {
  T a, b;
  HD RowPair operator+(const RowPair& o) const { return {a + o.a, b + o.b}; }
  HD RowPair operator-(const RowPair& o) const { return {a - o.a, b - o.b}; }
  HD RowPair operator*(T s) const { return {a * s, b * s}; }
  HD RowPair times_i() const { return {-b, a}; }
  HD RowPair turned(const RowPair& by) const {  // the complex product
    return {a * by.a - b * by.b, a * by.b + b * by.a};
  }
  HD RowPair turned_back(const RowPair& by) const {  // by the conjugate
    return {a * by.a + b * by.b, b * by.a - a * by.b};
  }
};

/// A field as pairs. Its padding holds zero, and so does the row after the last.
template <class T>
struct FieldPairs {
  const T* field;
  int pitch;
  HD RowPair<T> operator()(int p, int col) const {
    const T* from = field + std::ptrdiff_t(2 * p) * pitch + col;
    return {from[0], from[pitch]};
  }
};

/// Where pairs go in a field. `adds`: to what `old` says of another field, or of the same.
template <class T, bool adds>
struct ToField {
  T* to;
  const T* from;
  T weight;
  int rows, columns, pitch;

  HD RowPair<T> old(int p, int col) const { return FieldPairs<T>{from, pitch}(p, col) * weight; }
  HD void store(int p, int col, const RowPair<T>& v) const {
    if (col < 0 || col >= columns) return;
    T* const at = to + std::ptrdiff_t(2 * p) * pitch + col;
    at[0] = v.a;
    if (2 * p + 1 < rows) at[pitch] = v.b;
  }
};

/// The transformed pairs of rows from `first` on.
template <class T>
struct PairModes {
  RowPair<T>* values;
  int pitch, first;
  HD RowPair<T>* of(int p) const { return values + std::ptrdiff_t(p) * pitch; }
};

/// Values at points to pairs, without a split. `From` gives a pair at (p, col), and zero outside of the rows.
template <class T, class From>
struct PairRows {
  From from;
  PairModes<T> modes;
  int columns;
  template <class Width>
  HD void operator()(Width, int first, int piece) const {
    const int p = modes.first + piece;
    for (int col = first; col < first + Width::value && col < columns; ++col) modes.of(p)[col] = from(p, col);
  }
};
template <class T, bool adds>
struct PartRows {
  ToField<T, adds> field;
  PairModes<T> modes;
  template <class Width>
  HD void operator()(Width, int first, int piece) const {
    const int p = modes.first + piece;
    for (int col = first; col < first + Width::value && col < field.columns; ++col) {
      const RowPair<T> v = modes.of(p)[col];
      field.store(p, col, adds ? field.old(p, col) + v : v);
    }
  }
};

/// Round a periodic axis value k of a transform is C_k - i S_k: cosines go to place k, sines to place n - k.
template <class T>
struct CosinesApart {
  RowPair<T>* modes;
  int n, pitch;
  template <class Width>
  HD void operator()(Width, int first, int p) const {
    RowPair<T>* const z = modes + std::ptrdiff_t(p) * pitch;
    for (int k = first; k < first + Width::value && 2 * k < n; ++k) {
      if (k == 0) continue;
      const RowPair<T> u = z[k], v = z[n - k];
      z[k] = (u + v) * T(0.5);
      z[n - k] = ((u - v) * T(0.5)).times_i();
    }
  }
};
/// The transpose.
template <class T>
struct CosinesTogether {
  RowPair<T>* modes;
  int n, pitch;
  template <class Width>
  HD void operator()(Width, int first, int p) const {
    RowPair<T>* const z = modes + std::ptrdiff_t(p) * pitch;
    for (int k = first; k < first + Width::value && 2 * k < n; ++k) {
      if (k == 0) continue;
      const RowPair<T> c = z[k], is = z[n - k].times_i();
      z[k] = (c + is) * T(0.5);
      z[n - k] = (c - is) * T(0.5);
    }
  }
};

}  // namespace wavesim
