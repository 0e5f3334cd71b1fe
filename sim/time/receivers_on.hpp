#pragma once
// Receivers in a backend's memory: samples are kept there and fetched many at a time, so that a step need not
// wait for them.

#include <algorithm>

#include "kernels/backend/errors.hpp"
#include "kernels/leapfrog/leapfrog.hpp"
#include "kernels/memory/field.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/time/points_by_row_on.hpp"
#include "solvers/core/archive.hpp"

namespace wavesim {

template <class B, class T>
class ReceiversOn {
 public:
  ReceiversOn(B& backend, const Model& m, const Unknowns& unknowns)
      : be_(backend), extent_(make_extent(int(m.receivers.size()), 1)) {
    if (m.receivers.empty()) return;
    const std::size_t pitch = extent_.pitch;
    std::size_t most = 0;
    for (const Receiver& r : m.receivers) most = std::max(most, r.node.size());
    points_ = int(most);
    std::vector<int> index(most * pitch, -1);
    std::vector<double> weight(most * pitch, 0);
    for (std::size_t r = 0; r < m.receivers.size(); ++r) {
      edge_share_.push_back({0, 0, 0, 0});
      held_.push_back(m.receivers[r].held);
      for (std::size_t k = 0; k < m.receivers[r].node.size(); ++k) {
        const auto [ix, iy] = m.grid.place(m.receivers[r].node[k]);
        index[k * pitch + r] = unknowns.index(ix, iy);
        weight[k * pitch + r] = m.receivers[r].weight[k];
        if (index[k * pitch + r] < 0) edge_share_[r][unknowns.side(ix, iy)] += m.receivers[r].weight[k];
      }
    }
    index_ = Buffer<B, int>(be_, index.size());
    weight_ = Buffer<B, double>(be_, weight.size());
    index_.upload(index);
    weight_.upload(weight);
    samples_ = Buffer<B, double>(be_, kept_limit * pitch);
  }

  bool full() const { return room() == 0; }
  /// How many samples may be kept before some are taken.
  long room() const { return long(kept_limit - kept_.size()); }

  /// Keeps a sample at time t: a sum of weights times the unknowns.
  void sample(const Field<B, T>& field, double t) { keep(t, FromField{field.data(), index_.data()}); }
  /// Where a pass of `count` steps from n on leaves what receivers read after those in between that are sampled; of a
  /// field of this extent.
  template <class Sampled>
  Taps<T> taps_between(long n, int count, const Sampled& sampled, const Extent& e) {
    bool any = false;
    for (int k = 1; k < count; ++k) any = any || sampled(n + k);
    return any ? taps(e.pitch, e.ny) : Taps<T>{};
  }
  template <class Sampled>
  void sample_between(long n, int count, const Sampled& sampled, double dt) {
    for (int k = 1; k < count; ++k)
      if (sampled(n + k)) sample_tapped(k, dt * double(n + k));
  }

  // Public for nvcc, which takes kernels from public members only.
  struct FromField {
    const T* u;
    const int* index;
    HD double operator()(int k) const { return double(u[index[k]]); }
  };
  struct FromTaps {
    const T* tapped;
    HD double operator()(int k) const { return double(tapped[k]); }
  };
  template <class From>
  void keep(double t, From from) {
    if (extent_.nx == 0) return;
    const int* index = index_.data();
    const double* weight = weight_.data();
    const int pitch = extent_.pitch, points = points_;
    be_.rows(
        "receivers", extent_, points * (sizeof(T) + sizeof(double) + sizeof(int)),
        [=] KERNEL(Row r, double& s) {
          s = 0;
          for (int k = 0; k < points; ++k)
            if (index[k * pitch + r.i] >= 0) s += weight[k * pitch + r.i] * from(k * pitch + r.i);
        },
        Out<double>{samples_.data() + kept_.size() * std::size_t(pitch)});
    kept_.push_back(t);
  }

  /// The samples kept so far, oldest first, with what edges at value(side, t) and driven rims contribute.
  template <class EdgeValue>
  std::vector<std::vector<double>> take(const EdgeValue& value) {
    std::vector<std::vector<double>> rows;
    if (kept_.empty()) return rows;
    std::vector<double> all(kept_.size() * std::size_t(extent_.pitch));
    be_.download(all.data(), samples_.data(), all.size());
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const double* row = all.data() + k * std::size_t(extent_.pitch);
      rows.emplace_back(row, row + extent_.nx);
      for (std::size_t r = 0; r < rows[k].size(); ++r) {
        for (int side = 0; side < 4; ++side)
          if (edge_share_[r][side] != 0) rows[k][r] += edge_share_[r][side] * value(side, kept_[k]);
        for (const Held& held : held_[r]) rows[k][r] += held.weight * held.by->at(kept_[k]);
      }
    }
    kept_.clear();
    return rows;
  }

  /// The samples that were not taken yet.
  void archive(Archive& a) {
    a.list("times", kept_);
    if (kept_.size() > kept_limit)
      throw InputError("saved state: it keeps " + std::to_string(kept_.size()) +
                       " samples of receivers, and there is room for " + std::to_string(kept_limit) +
                       "; go on with the program that it was saved with");
    const std::size_t count = kept_.size(), nx = std::size_t(extent_.nx), pitch = std::size_t(extent_.pitch);
    if (nx == 0 || count == 0) return;
    std::vector<double> padded(count * pitch), packed(count * nx);
    if (!a.loading()) be_.download(padded.data(), samples_.data(), padded.size());
    for (std::size_t k = 0; k < count; ++k) std::copy_n(&padded[k * pitch], nx, &packed[k * nx]);
    a.table("samples", packed, count, nx);
    for (std::size_t k = 0; k < count; ++k) std::copy_n(&packed[k * nx], nx, &padded[k * pitch]);
    if (a.loading()) be_.upload(samples_.data(), padded.data(), padded.size());
  }

 private:
  Taps<T> taps(int pitch, int rows) {
    if (extent_.nx == 0) return {};
    if (tapped_.size() == 0) {
      const std::vector<int> index = index_.download();
      tap_points_ = PointsByRowOn<B>(be_, index, pitch, rows);
      tapped_ = Buffer<B, T>(be_, most_leapfrog_steps * index.size());
    }
    return {tap_points_.view(), tap_points_.which(), tapped_.data(), int(index_.size())};
  }
  /// Keeps a sample of what step s of a pass has left.
  void sample_tapped(int s, double t) {
    keep(t, FromTaps{tapped_.data() + std::size_t(s - 1) * index_.size()});
  }

  static constexpr std::size_t kept_limit = 256;

  B& be_;
  Extent extent_;
  int points_ = 0;  // that a receiver reads, at most
  Buffer<B, int> index_;
  Buffer<B, double> weight_, samples_;
  PointsByRowOn<B> tap_points_;  // of passes of several steps
  Buffer<B, T> tapped_;
  std::vector<std::array<double, 4>>
      edge_share_;  // of a receiver's weights that lie on each edge that is no unknown
  std::vector<std::vector<Held>> held_;
  std::vector<double> kept_;  // times
};

}  // namespace wavesim
