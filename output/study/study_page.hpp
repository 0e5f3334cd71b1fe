#pragma once
// A study as one HTML page: the answer in words, tables and interactive plots, without any network access.

#include <string>

#include "output/study/study_files.hpp"

namespace wavesim {

/// Below 3 MB: the page says what was left out for that. Sections without data are left out.
/// Without Chart.js at build time it has tables and a sentence instead of plots.
std::string study_page(const StudyFacts&, const std::vector<StudyRow>&);

}  // namespace wavesim
