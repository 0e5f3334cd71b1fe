#pragma once
// The forces of explicit steps, where a pass of several steps meets them (points_by_row.hpp).

#include "kernels/leapfrog/leapfrog.hpp"
#include "sim/time/points_by_row_on.hpp"
#include "sim/time/step_system.hpp"

namespace wavesim {

template <class B, class T, class Coefficients>
class PushesOn {
 public:
  /// Forces over M + damped D.
  PushesOn(const WaveOn<B, T, Coefficients>& wave, double damped) : wave_(wave) {
    std::vector<int> index, force;
    std::vector<double> weight;
    const std::vector<Force>& all = wave.forces.all();
    const Extent& rows = wave.state.u.extent();
    for (std::size_t f = 0; f < all.size(); ++f)
      for (std::size_t k = 0; k < all[f].index.size(); ++k) {
        // a pass computes rows beside this rank's, too
        if (!rows.is_near(rows.row_of(all[f].index[k]), most_ghosts)) continue;
        index.push_back(rows.index(all[f].index[k]));
        force.push_back(int(f));
        weight.push_back(all[f].weight[k]);
      }
    points_ = PointsByRowOn<B>(wave.backend, index, rows);
    if (points_.order().empty()) return;
    const auto in_order = [&](auto values) {
      auto sorted = values;
      sorted.clear();
      for (const int k : points_.order()) sorted.push_back(values[std::size_t(k)]);
      return sorted;
    };
    index = in_order(index), force = in_order(force), weight = in_order(weight);
    const std::size_t n = index.size();
    Buffer<B, int> at(wave.backend, n);
    force_ = Buffer<B, int>(wave.backend, n), weight_ = Buffer<B, double>(wave.backend, n);
    at.upload(index), force_.upload(force), weight_.upload(weight);
    weigh(at.data(), int(n), rows.starts(), damped);
  }

  /// Of `count` steps from n on, the first of which is of `form` and the others of `later`. Fewer steps are left where
  /// a signal has no value at the time of one; of the first that is an error.
  Pushes of(const StepForm& form, const StepForm& later, long n, int& count,
            ForceWeights (*weights_of)(const StepForm&) = force_weights) {
    const std::vector<Force>& all = wave_.forces.all();
    if (std::none_of(all.begin(), all.end(), [](const Force& f) { return f.anywhere; })) return {};
    const std::size_t forces = all.size();
    std::vector<double> amounts;
    const double dt = wave_.setup.plan.dt;
    for (int s = 0; s < count; ++s) {
      const ForceWeights weights = weights_of(s == 0 ? form : later);
      try {
        for (std::size_t f = 0; f < forces; ++f)
          amounts.push_back(wave_.forces.value(f, weights, dt * double(n + s), dt));
      } catch (const InputError&) {
        if (s == 0) throw;
        amounts.resize(std::size_t(s) * forces);
        count = s;
      }
    }
    if (points_.order().empty() ||  // of this rank, which has counted like those that have some
        std::all_of(amounts.begin(), amounts.end(), [](double v) { return v == 0; }))
      return {};
    Pushes pushes{points_.view(), force_.data(), weight_.data(), int(forces)};
    if (amounts.size() <= Pushes::most_by_value) {
      std::copy(amounts.begin(), amounts.end(), pushes.few);
      return pushes;
    }
    if (amounts_.size() == 0) amounts_ = Buffer<B, double>(wave_.backend, most_leapfrog_steps * forces);
    amounts_.upload(amounts);
    pushes.many = amounts_.data();
    return pushes;
  }

  // Public for nvcc, which takes kernels from public members only.
  void weigh(const int* at, int n, RowStarts starts, double damped) {
    const OverMass<Coefficients> share{wave_.medium.view(), starts, damped};
    double* const weight = weight_.data();
    wave_.backend.rows("g / (M + damped D)", make_extent(n, 1), sizeof(int) + sizeof(double) + 2 * sizeof(T),
                       [=] KERNEL(Row r) { weight[r.i] *= share(at[r.i]); });
  }

 private:
  const WaveOn<B, T, Coefficients>& wave_;
  PointsByRowOn<B> points_;
  Buffer<B, int> force_;
  Buffer<B, double> weight_, amounts_;
};

}  // namespace wavesim
