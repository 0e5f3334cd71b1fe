#pragma once
// Perfectly matched layers of explicit steps, where a pass of several steps goes over what is inside of them
// (kernels/leapfrog/layers.hpp).

#include <algorithm>

#include "kernels/leapfrog/layers.hpp"
#include "sim/model/layers_frame.hpp"
#include "sim/time/step_system.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class LayersOn {
 public:
  using Wave = WaveOn<B, T, Coefficients>;
  /// For passes of up to `steps` steps.
  LayersOn(const Wave& wave, const Unknowns& unknowns, const HostPml& host, int steps)
      : wave_(wave),
        frame_(layers_frame(wave.setup.model, unknowns, steps, B::asynchronous)),
        stride_(frame_.box_points()) {
    const std::size_t n = std::size_t(frame_.tiles()) * std::size_t(stride_);
    std::vector<int> cell_of(n, -1), point_of(n, -1);
    const Places places(host, unknowns.extent, frame_.topology);
    for (int tile = 0; tile < frame_.tiles(); ++tile) {
      const GridPart box = frame_.box(frame_.tile(tile));
      std::size_t k = std::size_t(tile) * std::size_t(stride_);
      for (int row = box.row; row < box.row_to; ++row)
        for (int col = box.col; col < box.col_to; ++col, ++k)
          point_of[k] = places.point(row, col), cell_of[k] = places.cell(row, col);
    }
    cell_of_ = Buffer<B, int>(wave.backend, n);
    cell_of_.upload(cell_of);
    Buffer<B, int> points(wave.backend, n);
    points.upload(point_of);
    Buffer<B, double> over_mass;
    wave.pml.weigh(over_mass, OverMass<Coefficients>{wave.medium.view(), unknowns.extent.starts(), 0.5});
    put_in_place(over_mass.data(), points.data(), over_mass_);
    put_in_place(wave.pml.reaction(), points.data(), reaction_);
    const PmlCells<T> cells = wave.pml.cells();
    for (int axis = 0; axis < 2; ++axis) {
      put_in_place(cells.keep[axis], cell_of_.data(), keep_[axis]);
      put_in_place(cells.first[axis], cell_of_.data(), first_[axis]);
      put_in_place(cells.second[axis], cell_of_.data(), second_[axis]);
    }
  }

  /// Whether passes may step the layers of a wave: not those beside driven edges, and of ranks each has a part of the fluxes.
  static bool fit(const Wave& wave) {
    return wave.pml.any() && !wave.state.u.extent().shared && !has_driven_edge(wave.setup.model);
  }

  /// What a pass has left is the state from here on.
  void turn() { wave_.pml.turn(); }

  /// The points that a pass over what is inside may step: K and more away from the layers.
  const GridPart& window() const { return frame_.window; }

  /// Steps from n on, `count` in a pass, which are of `form`, of what is outside of the window.
  template <class Pass>
  LayersPass<Pass> around(const Pass& pass, const StepForm& form, long n, int count) {
    PmlOn<B, T>& pml = wave_.pml;
    LayersPass<Pass> layers{
        pass,    frame_,          count, T(form.beta_dt),  T(form.delta),    pml.share(n), {}, {},
        stride_, cell_of_.data(), {},    reaction_.data(), over_mass_.data()};
    for (int k = 0; k < 4; ++k) layers.psi[k] = pml.psi(k), layers.psi_to[k] = pml.psi_to(k);
    for (int axis = 0; axis < 2; ++axis) {
      layers.cells.keep[axis] = keep_[axis].data(), layers.cells.mixed[axis] = nullptr;
      layers.cells.first[axis] = first_[axis].data(), layers.cells.second[axis] = second_[axis].data();
    }
    return layers;
  }

  // Public for nvcc, which takes kernels from public members only.

  /// to[k] = from[which[k]], 0 where that is -1.
  template <class Value>
  void put_in_place(const Value* from, const int* which, Buffer<B, Value>& to) {
    const int n = stride_ * frame_.tiles();
    to = Buffer<B, Value>(wave_.backend, std::size_t(n));
    wave_.backend.rows(
        "layers by place", make_extent(n, 1), sizeof(int) + sizeof(Value),
        [=] KERNEL(Row r, Value & v) { v = which[r.i] < 0 ? Value(0) : from[which[r.i]]; },
        Out<Value>{to.data()});
  }

 private:
  /// Where the points of a grid and its cells are in the lists of the layers.
  class Places {
   public:
    Places(const HostPml& host, const Extent& e, const Topology& t) : host_(host), extent_(e), topology_(t) {}
    int point(int row, int col) const {
      const Topology& t = topology_;
      if (t.wrap_y != 0) row = ring(row, t.ny);
      if (t.wrap_x != 0) col = ring(col, t.nx);
      if (row < 0 || row >= t.ny || col < 0 || col >= t.nx) return -1;
      const long i = extent_.number(row, col);  // points are in the order of their indices
      const auto at = std::lower_bound(host_.point.begin(), host_.point.end(), i);
      return at != host_.point.end() && *at == i ? int(at - host_.point.begin()) : -1;
    }
    /// By any of its corners.
    int cell(int row, int col) const {
      for (int corner = 0; corner < 4; ++corner) {
        const int at = point(row + corner / 2, col + corner % 2);
        if (at >= 0) return host_.cell[std::size_t(corner)][std::size_t(at)];
      }
      return -1;
    }

   private:
    const HostPml& host_;
    const Extent extent_;
    const Topology topology_;
  };

  const Wave& wave_;
  LayersFrame frame_;
  int stride_;
  Buffer<B, int> cell_of_;
  Buffer<B, double> over_mass_;
  Buffer<B, T> reaction_, keep_[2], first_[2], second_[2];
};

}  // namespace wavesim
