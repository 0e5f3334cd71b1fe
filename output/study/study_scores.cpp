#include "output/study/study_scores.hpp"

#include <algorithm>
#include <cmath>

namespace wavesim {

std::map<std::string, Score> scores_of(const std::vector<PointRanking>& points) {
  std::map<std::string, Score> scores;
  for (const PointRanking& p : points)
    for (const Standing& s : p.standings) {
      Score& score = scores[s.candidate];
      if (!s.converged) continue;
      const double multiple = s.seconds / p.standings.front().seconds;
      score.least = score.count == 0 ? multiple : std::min(score.least, multiple);
      score.logs += std::log(multiple);
      score.wins += &s == &p.standings.front();
      ++score.count;
    }
  return scores;
}

}  // namespace wavesim
