#pragma once
// Receivers in a backend's memory: samples are kept there and fetched many at a time, so that a step need not
// wait for them.

#include <algorithm>
#include <utility>

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
      : be_(backend), extent_(make_extent(int(m.receivers.size()), 1)), rows_(unknowns.extent) {
    if (m.receivers.empty()) return;
    const std::size_t pitch = extent_.pitch;
    std::size_t most = 0;
    for (const Receiver& r : m.receivers) most = std::max(most, r.node.size());
    points_ = int(most);
    std::vector<int> index(most * pitch, -1);
    std::vector<double> weight(most * pitch, 0);
    for (std::size_t r = 0; r < m.receivers.size(); ++r) {
      lowest_row_.push_back(rows_.ny);
      int highest = -1;
      edge_share_.push_back({0, 0, 0, 0});
      held_.push_back(m.receivers[r].held);
      for (std::size_t k = 0; k < m.receivers[r].node.size(); ++k) {
        const auto [ix, iy] = m.grid.place(m.receivers[r].node[k]);
        const long i = unknowns.index(ix, iy);
        if (i >= 0 && rows_.is_near(rows_.row_of(i), reach_of_receivers))
          index[k * pitch + r] = rows_.index(i);
        weight[k * pitch + r] = m.receivers[r].weight[k];
        if (i >= 0) {
          lowest_row_[r] = std::min(lowest_row_[r], rows_.row_of(i));
          highest = std::max(highest, rows_.row_of(i));
        } else {
          edge_share_[r][unknowns.side(ix, iy)] += m.receivers[r].weight[k];
        }
      }
      between_bands_ = between_bands_ || is_between_bands(lowest_row_[r], highest);
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

  /// How many steps from n on a pass takes at most: samples in between need room. Where ranks share the rows, a pass leaves
  /// values of its own rows only: with a receiver between two ranks it ends with the step that is sampled.
  template <class Sampled>
  long most_steps(long n, long most, const Sampled& sampled) const {
    most = std::min(most, 1 + room());
    if (!rows_.shared || !between_bands_) return most;
    for (long k = 1; k < most; ++k)
      if (sampled(n + k)) return k;
    return most;
  }
  /// Of how many steps one after the other a pass may leave what receivers read.
  int most_tapped() const {
    constexpr std::size_t most_bytes = std::size_t(16) << 20;
    const std::size_t bytes = std::max<std::size_t>(1, index_.size() * sizeof(T));
    return int(std::clamp<std::size_t>(most_bytes / bytes, most_leapfrog_steps, most_slots));
  }
  /// The first rank whose rows a receiver reads has its samples; first_own as of share_of.
  bool is_own(std::size_t receiver, const Extent& rows) const {
    return lowest_row_[receiver] < rows.ny
               ? lowest_row_[receiver] >= rows.first_own && lowest_row_[receiver] < rows.end_own()
               : rows.first_own == 0;
  }

  /// Keeps a sample at time t, a sum of weights times the unknowns: of the state that the last pass led to.
  void sample(const Field<B, T>& field, double t) {
    if (last_tapped_ >= 0) return keep_tapped(std::exchange(last_tapped_, -1), t);
    be_.fetch_ghosts(reach_of_receivers, field);
    keep_from_field(field.data(), t);
  }
  /// Forgets the last sample, which was none of a pass.
  void drop_last() { kept_.pop_back(); }
  /// Where a pass of `count` steps from n on leaves what receivers read after those that are sampled; of a field of this
  /// extent. `complete`: the pass leaves the state after its last step as it is read.
  template <class Sampled>
  Taps<T> taps_of_pass(long n, int count, bool complete, const Sampled& sampled, const Extent& e) {
    last_tapped_ = -1;
    taps_last_ = complete && !(rows_.shared && between_bands_);
    tapping_ = false;
    for (int k = 1; k < count + taps_last_; ++k) tapping_ = tapping_ || (sampled && sampled(n + k));
    tapping_ = tapping_ && extent_.nx > 0;
    return tapping_ ? taps(count, e) : Taps<T>{};
  }
  /// Keeps samples of what that pass leaves.
  template <class Sampled>
  void sample_between(long n, int count, const Sampled& sampled, double dt) {
    if (!tapping_) return;
    for (int k = 1; k < count; ++k)
      if (sampled(n + k)) keep_tapped(slot_ + k - 1, dt * double(n + k));
    if (taps_last_) last_tapped_ = slot_ + count - 1;
    slot_ += count;
  }

  // Public for nvcc, which takes kernels and their types from public members only.

  static constexpr int most_slots = 64;
  struct Slots {
    unsigned char of[most_slots];
  };
  void keep_from_field(const T* u, double t) {
    if (extent_.nx == 0) return;
    sum_tapped();
    const int* index = index_.data();
    const double* weight = weight_.data();
    const int pitch = extent_.pitch, points = points_;
    be_.rows(
        "receivers", extent_, points * (sizeof(T) + sizeof(double) + sizeof(int)),
        [=] KERNEL(Row r, double& s) {
          s = 0;
          for (int k = 0; k < points; ++k)
            if (const int i = index[k * pitch + r.i]; i >= 0) s += weight[k * pitch + r.i] * double(u[i]);
        },
        Out<double>{samples_.data() + kept_.size() * std::size_t(pitch)});
    kept_.push_back(t);
  }
  /// The samples of tapped values that wait, all in one kernel.
  void sum_tapped() {
    if (waiting_.empty()) return;
    Slots slots{};
    std::copy(waiting_.begin(), waiting_.end(), slots.of);
    const int* index = index_.data();
    const double* weight = weight_.data();
    const T* tapped = tapped_.data();
    const int pitch = extent_.pitch, points = points_;
    const std::size_t size = index_.size(), first = kept_.size() - waiting_.size();
    be_.rows(
        "receivers", make_extent(extent_.nx, int(waiting_.size())),
        points * (sizeof(T) + sizeof(double) + sizeof(int)),
        [=] KERNEL(Row r, double& s) {
          const T* const left = tapped + slots.of[r.row] * size;
          s = 0;
          for (int k = r.col; k < points * pitch; k += pitch)
            if (index[k] >= 0) s += weight[k] * double(left[k]);
        },
        Out<double>{samples_.data() + first * std::size_t(pitch)});
    waiting_.clear();
  }

  std::size_t count() const { return std::size_t(extent_.nx); }

  /// The samples kept so far, oldest first, with what edges at value(side, t) and driven rims contribute. `gather` brings
  /// those of other ranks, in a list of count() for each time.
  template <class EdgeValue, class Gather>
  std::vector<std::vector<double>> take(const EdgeValue& value, const Gather& gather) {
    sum_tapped();
    std::vector<std::vector<double>> rows;
    const std::vector<double> all = kept_samples(gather);
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const double* row = all.data() + k * count();
      rows.emplace_back(row, row + count());
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
  template <class Gather>
  void archive(Archive& a, const Gather& gather) {
    sum_tapped();
    a.list("times", kept_);
    if (kept_.size() > kept_limit)
      throw InputError("saved state: it keeps " + std::to_string(kept_.size()) +
                       " samples of receivers, and there is room for " + std::to_string(kept_limit) +
                       "; go on with the program that it was saved with");
    const std::size_t rows = kept_.size(), nx = count(), pitch = std::size_t(extent_.pitch);
    if (nx == 0 || rows == 0) return;
    std::vector<double> packed = a.loading() ? std::vector<double>(rows * nx) : kept_samples(gather);
    a.table("samples", packed, rows, nx);
    if (!a.loading()) return;
    std::vector<double> padded(rows * pitch);
    for (std::size_t k = 0; k < rows; ++k) std::copy_n(&packed[k * nx], nx, &padded[k * pitch]);
    be_.upload(samples_.data(), padded.data(), padded.size());
  }

 private:
  static constexpr int reach_of_receivers = 8;  // rows: of an interpolation of eighth order

  /// Those that are kept, count() for each time.
  template <class Gather>
  std::vector<double> kept_samples(const Gather& gather) const {
    const std::size_t nx = count(), pitch = std::size_t(extent_.pitch);
    std::vector<double> padded(kept_.size() * pitch), packed(kept_.size() * nx);
    be_.download(padded.data(), samples_.data(), padded.size());
    for (std::size_t k = 0; k < kept_.size(); ++k) std::copy_n(&padded[k * pitch], nx, &packed[k * nx]);
    gather(packed);
    return packed;
  }
  /// Of two rows of the field.
  bool is_between_bands(int lowest, int highest) const {
    const Bands bands = bands_of(rows_);
    for (int band = 1; band < bands.count; ++band)
      if (lowest < bands.first_row(band) && highest >= bands.first_row(band)) return true;
    return false;
  }
  /// Room for a pass of `count` steps on a field of such rows.
  Taps<T> taps(int count, const Extent& e) {
    if (tapped_.size() == 0) {
      const std::vector<int> index = index_.download();
      tap_points_ = PointsByRowOn<B>(be_, index, e);
      slots_ = most_tapped();
      tapped_ = Buffer<B, T>(be_, std::size_t(slots_) * index.size());
    }
    if (slot_ + count > slots_) {
      sum_tapped();
      slot_ = 0;
    }
    return {tap_points_.view(), tap_points_.which(), tapped_.data() + std::size_t(slot_) * index_.size(),
            int(index_.size())};
  }
  void keep_tapped(int slot, double t) {
    waiting_.push_back(static_cast<unsigned char>(slot));
    kept_.push_back(t);
  }

  static constexpr std::size_t kept_limit = 256;

  B& be_;
  Extent extent_, rows_;         // of the receivers; of the field
  std::vector<int> lowest_row_;  // that each reads
  bool between_bands_ = false;   // whether one reads rows of two bands, which may be two ranks'
  int points_ = 0;               // that a receiver reads, at most
  Buffer<B, int> index_;
  Buffer<B, double> weight_, samples_;
  PointsByRowOn<B> tap_points_;               // of passes of several steps
  Buffer<B, T> tapped_;                       // a slot for each step
  int slots_ = 0, slot_ = 0;                  // the next one
  bool tapping_ = false, taps_last_ = false;  // of the last pass
  int last_tapped_ = -1;                      // the slot of the state that it led to; -1: none
  std::vector<unsigned char> waiting_;        // slots of the latest samples, not summed up yet
  std::vector<std::array<double, 4>>
      edge_share_;  // of a receiver's weights that lie on each edge that is no unknown
  std::vector<std::vector<Held>> held_;
  std::vector<double> kept_;  // times
};

}  // namespace wavesim
