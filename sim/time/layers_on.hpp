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
    std::vector<int> cell_of(n, -1), reacts(std::size_t(frame_.tiles()), 0);
    std::vector<T> along_x(n, T(0)), along_y(n, T(0)), reaction(n, T(0));
    const Places places(host, unknowns.extent, frame_.topology);
    const Stretching stretching(wave.setup.model, wave.setup.plan.dt);
    const auto in_layer = [&](int row, int col) {
      return stretching.at_node(0, unknowns.first[0] + col) != 0 ||
             stretching.at_node(1, unknowns.first[1] + row) != 0;
    };
    for (int tile = 0; tile < frame_.tiles(); ++tile) {
      const GridPart box = frame_.box(frame_.tile(tile));
      const std::size_t across = std::size_t(box.cols());
      std::size_t k = std::size_t(tile) * std::size_t(stride_);
      for (int row = box.row; row < box.row_to; ++row)
        for (int col = box.col; col < box.col_to; ++col, ++k) {
          cell_of[k] = places.cell(row, col);
          const int below = row > box.row ? cell_of[k - across] : places.cell(row - 1, col),
                    left = col > box.col ? cell_of[k - 1] : places.cell(row, col - 1);
          along_x[k] = T(places.flux(0, cell_of[k], below));
          along_y[k] = T(places.flux(1, cell_of[k], left));
          reaction[k] = T(places.reaction(row, col, in_layer));
          if (reaction[k] != 0) reacts[std::size_t(tile)] = 1;
        }
    }
    upload(cell_of, cell_of_);
    upload(reacts, reacts_);
    upload(reaction, reaction_);
    upload(along_x, flux_[0]);
    upload(along_y, flux_[1]);
    const Grid& grid = wave.setup.model.grid;
    for (int axis = 0; axis < 2; ++axis) {
      const long first = unknowns.first[std::size_t(axis)], count = unknowns.count[std::size_t(axis)];
      take_axis(stretching, axis, first, count);
      (axis == 0 ? cells_.col : cells_.row) = int(-first);
      (axis == 0 ? cells_.col_to : cells_.row_to) = int(std::min(count, grid.cells[axis] - first));
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
    LayersPass<Pass> layers;
    layers.pass = pass, layers.frame = frame_, layers.stride = stride_;
    layers.steps = count, layers.beta = T(form.beta_dt), layers.share = pml.share(n);
    for (int k = 0; k < 4; ++k) layers.psi[k] = pml.psi(k), layers.psi_to[k] = pml.psi_to(k);
    layers.cell_of = cell_of_.data();
    layers.reaction = reaction_.data(), layers.reacts = reacts_.data();
    for (int axis = 0; axis < 2; ++axis)
      layers.flux[axis] = flux_[axis].data(), layers.along[axis] = axes_[axis].view();
    layers.cells = cells_;
    return layers;
  }

 private:
  /// Where the points of a grid and its cells are in the lists of the layers.
  class Places {
   public:
    Places(const HostPml& host, const Extent& e, const Topology& t) : host_(host), extent_(e), topology_(t) {}
    /// Round periodic axes; whether it is on the grid.
    bool wrap(int& row, int& col) const {
      const Topology& t = topology_;
      if (t.wrap_y != 0) row = ring(row, t.ny);
      if (t.wrap_x != 0) col = ring(col, t.nx);
      return row >= 0 && row < t.ny && col >= 0 && col < t.nx;
    }
    int point(int row, int col) const {
      if (!wrap(row, col)) return -1;
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
    /// From the difference along the first face of a cell along an axis, which is the second one of the cell before it.
    double flux(int axis, int cell, int before) const {
      const auto& of = host_.flux[std::size_t(axis)];
      return cell >= 0 ? of[0][std::size_t(cell)] : before >= 0 ? of[2][std::size_t(before)] : 0;
    }
    /// As LayersPass has it.
    template <class InLayer>
    double reaction(int row, int col, const InLayer& in_layer) const {
      if (!wrap(row, col)) return 0;
      const int at = point(row, col);
      if (at >= 0) return host_.reaction[std::size_t(at)];
      return in_layer(row, col) ? -1 : 0;
    }

   private:
    const HostPml& host_;
    const Extent extent_;
    const Topology topology_;
  };

  /// What LayersAxis points to: four lists of `length` values, whose first one is that of the cell before node 0.
  struct Axis {
    Buffer<B, T> lists;
    long length = 0;
    LayersAxis<T> view() const {
      const T* const first = lists.data() + 1;
      return {first, first + length, first + 2 * length, first + 3 * length};
    }
  };
  /// Of unknowns, the first of which is node `first` of the grid.
  void take_axis(const Stretching& stretching, int axis, long first, long count) {
    const long length = count + 1;
    std::vector<T> lists(std::size_t(4 * length));
    for (long k = 0; k < length; ++k) {
      const long at = first + k - 1;
      const PmlStretch<T> cell(stretching.of_cell(axis, at));
      const auto put = [&](long list, T value) { lists[std::size_t(list * length + k)] = value; };
      put(0, cell.a), put(1, cell.keep), put(2, cell.weight);
      put(3, k == 0 ? T(0) : T(stretching.at_node(axis, at)));
    }
    axes_[axis].length = length;
    upload(lists, axes_[axis].lists);
  }
  template <class Value>
  void upload(const std::vector<Value>& from, Buffer<B, Value>& to) {
    to = Buffer<B, Value>(wave_.backend, from.size());
    to.upload(from);
  }

  const Wave& wave_;
  LayersFrame frame_;
  int stride_;
  Buffer<B, int> cell_of_, reacts_;
  Buffer<B, T> reaction_, flux_[2];
  Axis axes_[2];
  GridPart cells_;
};

}  // namespace wavesim
