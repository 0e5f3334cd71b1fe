#pragma once
// When a run saves its state and when it has to stop, by its steps and by the clock.

#include <algorithm>

#include "sim/run/supervision.hpp"

namespace wavesim {

class CheckpointClock {
 public:
  explicit CheckpointClock(const Supervision& s)
      : s_(s), saved_(clock::now()), stepped_(saved_), save_seconds_(s.expected_save) {}

  /// Whether a state is to be saved after this step. Clears the request of one.
  bool due(long step) {
    if (!s_.keeper) return false;
    const bool asked = s_.now && s_.now->exchange(false);
    return asked || due_by_steps(step) || seconds_since(saved_) >= s_.wall;
  }
  /// The same as far as steps alone say.
  bool due_by_steps(long step) const { return s_.keeper && s_.every && step % *s_.every == 0; }
  bool saves_at_end() const { return s_.keeper && s_.at_end; }
  /// Calls f, which saves, and remembers how long that takes.
  template <class F>
  void saves(const F& f) {
    const auto before = clock::now();
    f();
    saved_ = stepped_ = clock::now();
    save_seconds_ = seconds(saved_ - before);
  }
  /// Whether what is left of the time on the clock may not suffice for another step, the state and the end of
  /// the files. To be asked after each step.
  bool time_is_up() {
    const auto now = clock::now();
    const double step = seconds(now - stepped_);
    stepped_ = now;
    longest_step_ = std::max(step, 0.9 * longest_step_);  // steps may become quicker
    const double margin = 2 * longest_step_ + 2 * save_seconds_ + std::min(10.0, 0.02 * s_.wall_limit);
    return seconds(now - s_.started) + margin > s_.wall_limit;
  }

 private:
  using clock = std::chrono::steady_clock;
  static double seconds(clock::duration d) { return std::chrono::duration<double>(d).count(); }
  static double seconds_since(clock::time_point t) { return seconds(clock::now() - t); }

  const Supervision s_;
  clock::time_point saved_, stepped_;
  double save_seconds_, longest_step_ = 0;
};

}  // namespace wavesim
