#pragma once
// A study as one HTML page: the answer in words, tables, plots to play with; no network, everything inside.

#include <string>

#include "output/study/study_files.hpp"

namespace wavesim {

/// Below 3 MB: what had to be left out for that is said on the page. Sections without data are not there.
/// Without Chart.js at build time it has tables and a sentence instead of plots.
std::string study_page(const StudyFacts&, const std::vector<StudyRow>&);

}  // namespace wavesim
