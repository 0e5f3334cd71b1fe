#pragma once
// Solves that were recorded to be enqueued again as a whole, by what they were recorded for.

#include <list>
#include <utility>
#include <vector>

#include "kernels/backend/operation_counts.hpp"
#include "kernels/memory/field.hpp"
#include "kernels/reduce/reduce.hpp"

namespace wavesim {

/// All that kernels have of a solve by value or address: with the same, they do the same.
struct SolveKey {
  const void* A = nullptr;
  long version = 0;
  const void* M = nullptr;
  long set_ups = 0;
  const void *b = nullptr, *x = nullptr;
  const Norms* reference = nullptr;
  bool zero = false;
  bool operator==(const SolveKey&) const = default;
};

template <class B>
struct RecordedSolve {
  SolveKey key;
  typename B::Recording work;
  /// What its parts move: what comes before the first step, each step that was recorded, and the look at the
  /// true residual. Steps from number `repeats` on are repeated by a loop.
  OperationCounts before, claim;
  std::vector<OperationCounts> steps;
  std::size_t repeats = 0;
  int uses = 0;

  /// Counts a run of it; closed guards move nothing.
  void count(OperationCounts& total, long steps_done, bool claimed) const {
    total.add(before, 1);
    const long first = long(repeats), turn = long(steps.size()) - first;
    for (long k = 0; k < long(steps.size()); ++k) {
      const long later = steps_done - k;  // this one and all after it
      if (later > 0) total.add(steps[std::size_t(k)], k < first ? 1 : (later + turn - 1) / turn);
    }
    if (claimed) total.add(claim, 1);
  }
};

/// A few of them: time steps may take turns with their vectors. A recording costs as much as several solves;
/// when one was of no use again, the next is made for what is asked twice running.
template <class B>
class RecordedSolves {
 public:
  /// The one for the key, made by `make` if need be; null if it cannot be or may not pay.
  template <class Make>
  const RecordedSolve<B>* find(const SolveKey& key, Make make) {
    const bool asked_again = std::exchange(last_, key) == key;
    for (auto r = kept_.begin(); r != kept_.end(); ++r)
      if (r->key == key) {
        kept_.splice(kept_.begin(), kept_, r);
        ++r->uses;
        wary_ = false;
        return &*r;
      }
    if (impossible_ || (wary_ && !asked_again)) return nullptr;
    RecordedSolve<B> made = make();
    if (!made.work) {
      impossible_ = true;
      return nullptr;
    }
    ++made_;
    made.key = key;
    made.uses = 1;
    kept_.push_front(std::move(made));
    if (kept_.size() > most) drop_last();
    return &kept_.front();
  }
  void clear() {
    while (!kept_.empty()) drop_last();
  }
  long made() const { return made_; }

 private:
  static constexpr std::size_t most = 4;
  void drop_last() {
    wary_ = wary_ || kept_.back().uses == 1;
    kept_.pop_back();
  }

  std::list<RecordedSolve<B>> kept_;  // the last used first
  SolveKey last_;
  bool wary_ = false, impossible_ = false;
  long made_ = 0;
};

}  // namespace wavesim
