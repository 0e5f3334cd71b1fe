#pragma once
// The filter u = S v of the scheme of fourth order (sim/fourth_order/filter.hpp) in a backend's memory.

#include "kernels/memory/field.hpp"
#include "sim/fourth_order/filter.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/time/medium_on.hpp"

namespace wavesim {

template <class T>
struct FilterView {
  Topology topology;
  T constant = 0;            // 1/24 where S is the same at all points; 0: u = v
  const T* share = nullptr;  // or one for each point
  HD bool acts() const { return constant != 0 || share != nullptr; }

  /// u at a point, from v.
  HD double operator()(const T* v, Row r) const {
    const double s = share ? double(share[r.i]) : double(constant), here = v[r.i];
    if (s == 0) return here;
    return here + s * (second_difference(v, r.i, 1, r.col, topology.nx, topology.wrap_x) +
                       second_difference(v, r.i, r.pitch, r.row, topology.ny, topology.wrap_y));
  }
  /// Along an axis: one-sided at the outermost points, and of second order there as well.
  HD static double second_difference(const T* v, int i, int step, int place, int count, int wrap) {
    const double here = v[i];
    if (wrap == 0 && (place == 0 || place == count - 1)) {
      if (count < 4) return 0;
      const int inwards = place == 0 ? step : -step;
      return 2 * here - 5 * double(v[i + inwards]) + 4 * double(v[i + 2 * inwards]) -
             double(v[i + 3 * inwards]);
    }
    const int before = place == 0 ? i - step + wrap : i - step,
              after = place == count - 1 ? i + step - wrap : i + step;
    return double(v[before]) - 2 * here + double(v[after]);
  }
};

template <class B, class T>
class FilterOn {
 public:
  FilterOn(B& backend, const Model& m, const Unknowns& unknowns) {
    view_.topology = unknowns.topology;
    const Filter filter(m);
    if (m.space_order != 4) return;
    if (filter.uniform()) {
      view_.constant = T(1.0 / 24);
      return;
    }
    const Extent e = unknowns.extent;
    Array<double> shares = zeros_in(e, {e.first_own, e.end_own()});
#pragma omp parallel for schedule(static)
    for (int row = e.first_own; row < e.end_own(); ++row)
      for (int col = 0; col < e.nx; ++col)
        shares[std::size_t(row + 1) * std::size_t(e.pitch) + std::size_t(col)] =
            filter.share(unknowns.first[0] + col, unknowns.first[1] + row);
    share_ = field_of<B, T>(backend, e, shares);
    view_.share = share_.data();
  }
  const FilterView<T>& view() const { return view_; }

 private:
  Field<B, T> share_;
  FilterView<T> view_;
};

}  // namespace wavesim
