#pragma once
// Points in a backend's memory in the order in which a pass meets them (points_by_row.hpp).

#include <algorithm>
#include <vector>

#include "kernels/leapfrog/points_by_row.hpp"
#include "kernels/memory/field.hpp"

namespace wavesim {

template <class B>
class PointsByRowOn {
 public:
  PointsByRowOn() = default;
  /// Of a list of linear indices in a field; negative ones are none. Of several at one
  /// point the first in the list comes first.
  PointsByRowOn(B& backend, const std::vector<int>& index, const Extent& e) {
    const RowStarts starts = e.starts();
    const int rows = e.ny;
    for (std::size_t k = 0; k < index.size(); ++k)
      if (index[k] >= 0) order_.push_back(int(k));
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return index[std::size_t(a)] < index[std::size_t(b)]; });
    if (order_.empty()) return;
    std::vector<int> first(std::size_t(rows) + 1, 0), column;
    for (const int k : order_) {
      const int at = index[std::size_t(k)];
      ++first[std::size_t(starts.row_of(at)) + 1];
      column.push_back(at % starts.pitch);
    }
    for (std::size_t row = 0; row < std::size_t(rows); ++row) first[row + 1] += first[row];
    first_ = filled(backend, first), column_ = filled(backend, column), which_ = filled(backend, order_);
  }

  PointsByRow view() const { return {first_.data(), column_.data()}; }
  /// The place in the list of each point: in the backend's memory, and here.
  const int* which() const { return which_.data(); }
  const std::vector<int>& order() const { return order_; }

 private:
  static Buffer<B, int> filled(B& backend, const std::vector<int>& values) {
    Buffer<B, int> to(backend, values.size());
    to.upload(values);
    return to;
  }

  Buffer<B, int> first_, column_, which_;
  std::vector<int> order_;
};

}  // namespace wavesim
