#pragma once
// Which of several methods takes the next solve. It starts with the one whose cost estimate is the lowest, learns
// from the iterations that solves took, and gives another one a solve where that may pay: what such trials
// cost beyond the method of choice stays below a small share of the whole. A pure function of estimates and
// iterations; docs/math.md has the rules.

#include <string>
#include <vector>

#include "solvers/automatic/cost_model.hpp"
#include "solvers/core/archive.hpp"

namespace wavesim {

class Selector {
 public:
  /// `expected`: solves to come; 0: nobody knows. `first`: the number of the first of them, from 1.
  Selector(std::vector<MethodCandidate> candidates, long expected, long first = 1);

  /// The candidate for the next solve; -1: none is left.
  int now() const { return now_; }
  /// The one that is not merely tried.
  int chosen() const { return chosen_; }
  const std::vector<MethodCandidate>& candidates() const { return candidates_; }
  /// How many can still be asked.
  int left() const;
  /// The number of its first solve.
  long first() const { return first_; }
  /// The next solve was done, by now(), after so many iterations; 0: there was nothing to solve.
  void solved(int iterations);
  /// How many of the next solves, `most` or fewer, are now()'s and change no decision before the last, if each takes so many
  /// iterations.
  int alike(int iterations, int most) const;
  /// now() cannot do it, and is left out from here on; `why` is a few words.
  void failed(const std::string& why);

  /// Quotes, and all that was learnt, for the same candidates and as many solves to come.
  void archive(Archive& a);

  /// A sentence for each time that the method of choice became another.
  const std::vector<std::string>& decisions() const { return decisions_; }
  /// Share of the seconds of all solves, by their estimates, that went into trials and failures.
  double regret() const { return spent_ > 0 ? trials_ / spent_ : 0; }

 private:
  struct State {
    double iterations;  // seen lately, or likely
    bool seen = false;  // under the conditions of now
    bool out = false;
  };
  double cost(int k) const { return candidates_[k].estimate.cost(states_[k].iterations); }
  /// What it might cost at best, as far as is known.
  double hoped(int k) const;
  double least_iterations(int k) const;
  double of_cg() const;  // iterations that cg would take, if any seen method tells; 0: none does
  long remaining() const;
  void look_again();
  void choose(int k, const std::string& why);
  void consider_a_trial();
  std::string text(int k) const {
    return candidates_[k].name + ": " + candidates_[k].text(states_[k].iterations);
  }

  std::vector<MethodCandidate> candidates_;
  std::vector<State> states_;
  std::vector<std::string> decisions_;
  long expected_, first_, done_ = 0, next_look_ = 64;
  int now_ = -1, chosen_ = -1;
  double spent_ = 0, trials_ = 0;
  double seen_cost_ = 0;  // of the chosen one when the others were last looked at
};

}  // namespace wavesim
