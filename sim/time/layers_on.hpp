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
    std::vector<int> face[2] = {std::vector<int>(n, -1), std::vector<int>(n, -1)};
    std::vector<T> flux[2] = {std::vector<T>(n, T(0)), std::vector<T>(n, T(0))}, reaction(n, T(-1));
    const Places places(host, unknowns.extent, frame_.topology);
    for (int tile = 0; tile < frame_.tiles(); ++tile) {
      const GridPart box = frame_.box(frame_.tile(tile));
      std::size_t k = std::size_t(tile) * std::size_t(stride_);
      for (int row = box.row; row < box.row_to; ++row)
        for (int col = box.col; col < box.col_to; ++col, ++k) {
          for (int axis = 0; axis < 2; ++axis) {
            const int at = places.face(axis, row, col);
            face[axis][k] = at;
            if (at >= 0) flux[axis][k] = T(host.own[std::size_t(at)]);
          }
          if (const int at = places.point(row, col); at >= 0) reaction[k] = T(host.reaction[std::size_t(at)]);
        }
    }
    upload(reaction, reaction_);
    const Stretching stretching(wave.setup.model, wave.setup.plan.dt);
    for (int axis = 0; axis < 2; ++axis) {
      upload(face[axis], face_[axis]);
      upload(flux[axis], flux_[axis]);
      std::vector<T> keep;
      const long first = unknowns.first[std::size_t(axis)];
      for (long k = -1; k < unknowns.count[std::size_t(axis)]; ++k)
        keep.push_back(T(pml_keep(stretching.of_cell(axis, first + k))));
      upload(keep, keep_[axis]);
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
    layers.psi = pml.psi(), layers.psi_to = pml.psi_to();
    layers.reaction = reaction_.data();
    for (int axis = 0; axis < 2; ++axis) {
      layers.face[axis] = face_[axis].data(), layers.flux[axis] = flux_[axis].data();
      layers.keep[axis] = keep_[axis].data() + 1;
    }
    return layers;
  }

 private:
  /// Where the points of a grid and its faces are in the lists of the layers.
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
    /// The one that begins at a point, which may lie beyond an edge: by either of its ends.
    int face(int axis, int row, int col) const {
      const auto of = [&](int end, int at) { return host_.face[std::size_t(end)][std::size_t(at)]; };
      const int begin = point(row, col), end = axis == 0 ? point(row, col + 1) : point(row + 1, col);
      return begin >= 0 ? of(2 * axis, begin) : end >= 0 ? of(2 * axis + 1, end) : -1;
    }

   private:
    const HostPml& host_;
    const Extent extent_;
    const Topology topology_;
  };

  template <class Value>
  void upload(const std::vector<Value>& from, Buffer<B, Value>& to) {
    to = Buffer<B, Value>(wave_.backend, from.size());
    to.upload(from);
  }

  const Wave& wave_;
  LayersFrame frame_;
  int stride_;
  Buffer<B, int> face_[2];
  Buffer<B, T> reaction_, flux_[2], keep_[2];
};

}  // namespace wavesim
