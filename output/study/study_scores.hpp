#pragma once
// What each candidate of a study achieved over all points of the sweep.

#include <map>
#include <string>
#include <vector>

#include "output/study/study_ranking.hpp"

namespace wavesim {

/// What a candidate did at the points where it converged.
struct Score {
  int count = 0;     // of these points
  int wins = 0;      // of them, those where it was the first
  double logs = 0;   // of its multiples of the winners' times, summed
  double least = 0;  // of these multiples
};

std::map<std::string, Score> scores_of(const std::vector<PointRanking>& points);

}  // namespace wavesim
