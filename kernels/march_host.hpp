#pragma once
// The marched pass on a CPU (march.hpp): a block's rows of all iterates stay in a core's caches, and a sweep
// goes along a row of them. Included by host.hpp.

#include <vector>

#include "kernels/march.hpp"

namespace wavesim {

/// Joins 32 lanes in a tree, into the first.
template <class R>
void tree(R* lane) {
  for (int offset = 16; offset > 0; offset /= 2)
    for (int t = 0; t < offset; ++t) lane[t].join(lane[t + offset]);
}

template <class T, int K>
class HostMarch {
  static constexpr int V = march::columns_per_lane<T>, H = K + 1;

 public:
  HostMarch(const MarchPlan& plan, int pitch, const FivePointSystem<T, UniformCoefficients<T>>& system,
            const MarchFields<T>& fields, const MarchSteps<T, K>& steps)
      : plan_(plan),
        pitch_(pitch),
        system_(system),
        fields_(fields),
        steps_(steps),
        columns_(plan.lanes * V),
        stride_((columns_ + 2 * pad + 15) / 16 * 16),
        rows_(std::size_t(stride_) * (3 * (K + 1) + (H + 1) + 2 + 1)),
        table_(std::size_t(row_classes) * ScaledRow<T>::values * columns_),
        lane_(plan.lanes) {}

  /// One block; returns its part of the norms.
  Norms block(int index) {
    const Topology& t = system_.topology();
    const int strip = index % plan_.strips, chunk = index / plan_.strips;
    first_col_ = strip * plan_.inner - plan_.margin;
    const int row0 = chunk * plan_.rows, row1 = t.ny < row0 + plan_.rows ? t.ny : row0 + plan_.rows;
    for (int c = 0; c < row_classes; ++c)
      for (int k = 0; k < columns_; ++k) {
        const ScaledRow<T> a = scaled_row(system_, c, first_col_ + k);
        T* at = table_.data() + std::size_t(c) * a.values * columns_ + k;
        at[0] = a.south, at[columns_] = a.west, at[2 * columns_] = a.east, at[3 * columns_] = a.north;
        at[4 * columns_] = a.inverse, at[5 * columns_] = a.diagonal;
      }
    rows_.assign(rows_.size(), T(0));
    lane_.assign(lane_.size(), Norms{});
    const int from = plan_.margin, most = t.nx - first_col_,
              to = most < plan_.margin + plan_.inner ? most : plan_.margin + plan_.inner;
    for (int f = row0 - H; f < row1 + H; ++f) {
      arrive(f);
      for (int s = 1; s <= K; ++s) sweep(s, f - s);
      if (f - K >= row0 && f - K < row1) {
        store(fields_.x_to, f - K, x(K, f - K), from, to);
        if (fields_.before_to) store(fields_.before_to, f - K, x(K - 1, f - K), from, to);
      }
      if (f - H >= row0 && f - H < row1) residual(f - H, from, to);
    }
    for (int w = 0; w < plan_.lanes; w += 32) tree(lane_.data() + w);
    for (int w = 32; w < plan_.lanes; w += 32) lane_[0].join(lane_[w]);
    return lane_[0];
  }

 private:
  static constexpr int pad = 8;  // zeros at both ends of a row
  static int ring(int row, int n) { return (row % n + n) % n; }
  T* place(int k) { return rows_.data() + std::size_t(k) * stride_ + pad; }
  T* x(int s, int row) { return place(3 * s + ring(row, 3)); }
  T* g(int row) { return place(3 * (K + 1) + ring(row, H + 1)); }
  T* before(int row) { return place(3 * (K + 1) + H + 1 + ring(row, 2)); }
  const T* coefficients(int row) const {
    return table_.data() + std::size_t(row_class(row, system_.topology())) * ScaledRow<T>::values * columns_;
  }

  void load(const T* from, int row, T* to) const {
    const Topology& t = system_.topology();
    if (t.wrap_y != 0) row = ring(row, t.ny);
    if (!from || row < 0 || row >= t.ny) {
      for (int k = 0; k < columns_; ++k) to[k] = 0;
      return;
    }
    const T* const line = from + long(row) * pitch_;
    if (t.wrap_x != 0) {
      for (int k = 0; k < columns_; ++k) to[k] = line[ring(first_col_ + k, t.nx)];
      return;
    }
    const int begin = first_col_ < 0 ? -first_col_ : 0,
              end = t.nx - first_col_ < columns_ ? t.nx - first_col_ : columns_;
    for (int k = 0; k < begin; ++k) to[k] = 0;
    for (int k = begin; k < end; ++k) to[k] = line[first_col_ + k];
    for (int k = end > begin ? end : begin; k < columns_; ++k) to[k] = 0;
  }
  void store(T* to, int row, const T* from, int begin, int end) const {
    T* const line = to + long(row) * pitch_ + first_col_;
    for (int k = begin; k < end; ++k) line[k] = from[k];
  }

  void arrive(int row) {
    T* const gs = g(row);
    const T* const inverse = coefficients(row) + 4 * columns_;
    load(fields_.b, row, gs);
    for (int k = 0; k < columns_; ++k) gs[k] *= inverse[k];
    load(fields_.x, row, x(0, row));
    load(fields_.before, row, before(row));
  }

  void sweep(int s, int row) {
    const T* const a = coefficients(row);
    const T *const south = x(s - 1, row - 1), *const centre = x(s - 1, row), *const north = x(s - 1, row + 1);
    const T *const gs = g(row), *const old = s == 1 ? before(row) : x(s - 2, row);
    T* const to = x(s, row);
    const T m = steps_.momentum[s - 1], w = steps_.weight[s - 1];
    const int n = columns_;
    SIMD for (int k = 0; k < n; ++k) {
      const T z = partial_defect<T>(gs[k], centre[k], a[k], south[k], a[n + k], centre[k - 1], a[2 * n + k],
                                    centre[k + 1]);
      to[k] = std::fma(w * a[3 * n + k], north[k], partial_step<T>(m, w, centre[k], old[k], z));
    }
  }

  void residual(int row, int from, int to) {
    const T* const a = coefficients(row);
    const T *const south = x(K, row - 1), *const centre = x(K, row), *const north = x(K, row + 1);
    const T* const gs = g(row);
    T* const r = place(3 * (K + 1) + H + 1 + 2);
    const int n = columns_;
    SIMD for (int k = 0; k < n; ++k) {
      const T z = partial_defect<T>(gs[k], centre[k], a[k], south[k], a[n + k], centre[k - 1], a[2 * n + k],
                                    centre[k + 1]);
      r[k] = std::fma(a[3 * n + k], north[k], z) * a[5 * n + k];
    }
    for (int k = from; k < to; ++k) lane_[std::size_t(k) / V].join(Norms::of(double(r[k])));
  }

  MarchPlan plan_;
  int pitch_;
  FivePointSystem<T, UniformCoefficients<T>> system_;
  MarchFields<T> fields_;
  MarchSteps<T, K> steps_;
  int columns_, stride_, first_col_ = 0;
  std::vector<T> rows_, table_;
  std::vector<Norms> lane_;
};

}  // namespace wavesim
