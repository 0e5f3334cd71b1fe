#pragma once
// What a study found, in words.

#include <string>
#include <vector>

#include "output/study/study_ranking.hpp"

namespace wavesim {

/// The fastest on each grid; then times, set-up, scaling and accuracy, as far as there is something to say.
std::vector<std::string> study_sentences(const std::vector<PointRanking>& points,
                                         const std::vector<StudyRow>& rows);
/// One sentence for each candidate that failed somewhere.
std::vector<std::string> failure_sentences(const std::vector<PointRanking>& points);

/// "100 x 100 cells"
std::string cells_text(const PointRanking&);

}  // namespace wavesim
