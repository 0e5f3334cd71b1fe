#include "solvers/automatic/selector.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {
constexpr double allowed = 0.02;         // share of all seconds for trials
constexpr double worth = 0.03;           // a gain that is worth the change
constexpr double changed = 1.25;         // the factor of a cost after which the others are looked at again
constexpr long unknown_remaining = 100;  // solves to come, at first, if nobody knows
// A set-up that does not pay within so many solves can wait for what the first of them shows.
constexpr long soon = 5;
}  // namespace

Selector::Selector(std::vector<MethodCandidate> candidates, long expected, long first)
    : candidates_(std::move(candidates)), expected_(expected), first_(first) {
  for (const MethodCandidate& c : candidates_) states_.push_back({c.estimate.likely});
  const auto whole = [&](int k) {
    return candidates_[k].estimate.set_up + double(std::clamp(remaining(), 1L, soon)) * cost(k);
  };
  for (int k = 0; k < int(candidates_.size()); ++k)
    if (chosen_ < 0 || whole(k) < whole(chosen_)) chosen_ = k;
  now_ = chosen_;
  if (chosen_ < 0) return;
  std::string others;
  for (int k = 0; k < int(candidates_.size()); ++k)
    if (k != chosen_ && candidates_[k].estimate.each > 0) others += (others.empty() ? " (" : "; ") + text(k);
  choose(chosen_,
         candidates_[chosen_].estimate.each > 0 ? " foreseen" + (others.empty() ? "" : others + ")") : "");
}

long Selector::remaining() const {
  if (expected_ > 0) return std::max(0L, expected_ - done_);
  return std::max(unknown_remaining, done_);
}

void Selector::choose(int k, const std::string& why) {
  chosen_ = now_ = k;
  seen_cost_ = cost(k);
  const bool estimated = candidates_[k].estimate.each > 0;
  decisions_.push_back("solve " + std::to_string(first_ + done_) + ": " +
                       (estimated ? text(k) : candidates_[k].name) + why);
}

void Selector::solved(int iterations) {
  if (now_ < 0) return;
  ++done_;
  if (iterations <= 0) return;  // teaches nothing
  const int k = now_;
  State& s = states_[k];
  const double took = candidates_[k].estimate.cost(iterations);
  const bool trial = k != chosen_;
  s.iterations = s.seen && !trial ? 0.75 * s.iterations + 0.25 * iterations : iterations;
  const bool first = !s.seen;
  s.seen = true;
  spent_ += took;
  if (trial) {
    trials_ += std::max(0.0, took - cost(chosen_));
    if (cost(k) < (1 - worth) * cost(chosen_)) choose(k, ", instead of " + text(chosen_));
    now_ = chosen_;
  } else if (first) {
    seen_cost_ = cost(k);
  } else if (cost(k) > changed * seen_cost_ || cost(k) < seen_cost_ / changed || done_ >= next_look_) {
    look_again();
  }
  consider_a_trial();
}

int Selector::alike(int iterations, int most) const {
  Selector later = *this;
  int n = 1;
  for (; n < most; ++n) {
    later.solved(iterations);
    if (later.now() != now_ || later.chosen() != chosen_) break;
  }
  return n;
}

/// What others took is out of date.
void Selector::look_again() {
  seen_cost_ = cost(chosen_);
  for (int k = 0; k < int(states_.size()); ++k)
    if (k != chosen_) states_[k].seen = false;
  while (next_look_ <= done_) next_look_ += next_look_ / 2;
}

double Selector::of_cg() const {
  double n = 0;
  for (int k = 0; k < int(states_.size()); ++k) {
    const double share = candidates_[k].estimate.of_cg;
    if (share > 0 && states_[k].seen && (n == 0 || k == chosen_)) n = states_[k].iterations / share;
  }
  return n;
}

double Selector::least_iterations(int k) const {
  const CostEstimate& q = candidates_[k].estimate;
  double n = q.least;
  if (q.of_cg > 0) n = std::max(n, 0.7 * q.of_cg * of_cg());
  return n;
}

double Selector::hoped(int k) const {
  return states_[k].seen ? cost(k) : candidates_[k].estimate.cost(least_iterations(k));
}

void Selector::consider_a_trial() {
  const double own = cost(chosen_), to_come = double(remaining());
  const double allowance = allowed * (spent_ + (expected_ > 0 ? to_come * own : 0)) - trials_;
  double best = 0;
  for (int k = 0; k < int(states_.size()); ++k) {
    State& s = states_[k];
    if (k == chosen_ || s.out || s.seen) continue;
    const CostEstimate& q = candidates_[k].estimate;
    if (q.of_cg > 0 && of_cg() > 0) s.iterations = std::max(q.least, q.of_cg * of_cg());
    const double gain = own - hoped(k);
    const double extra = q.set_up + std::max(0.0, cost(k) - own);
    const bool affordable = extra < allowance && extra < 0.5 * gain * to_come;
    // better as far as is known: some need no proof
    const double doubt = q.likely <= q.least ? 1.02 : 3;
    const bool foreseen = doubt * extra < (own - cost(k)) * to_come;
    if (gain < worth * own || !(affordable || foreseen)) continue;
    if (gain * to_come - extra > best) best = gain * to_come - extra, now_ = k;
  }
  if (now_ != chosen_)
    trials_ += candidates_[now_].estimate.set_up, spent_ += candidates_[now_].estimate.set_up;
}

int Selector::left() const {
  return int(std::count_if(states_.begin(), states_.end(), [](const State& s) { return !s.out; }));
}

void Selector::failed(const std::string& why) {
  if (now_ < 0) return;
  states_[now_].out = true;
  trials_ += cost(now_), spent_ += cost(now_);
  const std::string who = candidates_[now_].name;
  if (now_ != chosen_) {
    now_ = chosen_;
    return;
  }
  int next = -1;
  for (int k = 0; k < int(states_.size()); ++k)
    if (!states_[k].out && (next < 0 || cost(k) < cost(next))) next = k;
  if (next < 0) {
    now_ = chosen_ = -1;
    decisions_.push_back("solve " + std::to_string(first_ + done_) + ": " + who + " ended with " + why);
    return;
  }
  choose(next, ", because " + who + " ended with " + why);
}

void Selector::archive(Archive& a) {
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const auto part = a.part(std::to_string(k));
    MethodCandidate& c = candidates_[k];
    std::string name = c.name;
    a.text("method", name);
    if (name != c.name)
      throw InputError("saved state: method: auto chose between others, '" + name + "' where there is '" +
                       c.name + "' now; go on with the config that it was saved with");
    CostEstimate& e = c.estimate;  // machines, and the states they are in, differ in their prices
    a.number("set-up", e.set_up);
    a.number("solve", e.solve);
    a.number("each", e.each);
    a.number("pass", e.pass);
    a.number("likely", e.likely);
    a.number("least", e.least);
    a.number("of cg", e.of_cg);
    a.number("iterations", states_[k].iterations);
    a.number("seen", states_[k].seen);
    a.number("out", states_[k].out);
  }
  a.number("done", done_);
  a.number("next look", next_look_);
  a.number("now", now_);
  a.number("chosen", chosen_);
  for (const int k : {now_, chosen_})
    if (k < -1 || k >= int(candidates_.size()))
      throw InputError("saved state: method: auto took candidate " + std::to_string(k) + " of " +
                       std::to_string(candidates_.size()) + "; go on from another checkpoint");
  a.number("spent", spent_);
  a.number("trials", trials_);
  a.number("seen cost", seen_cost_);
  a.list("decisions", decisions_);
}

}  // namespace wavesim
