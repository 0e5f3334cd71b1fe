#pragma once
// The tables of a study's page, as sections of HTML; "" where there is nothing to compare.

#include <string>

#include "output/study/study_view.hpp"

namespace wavesim {

/// Who is the fastest where: Courant numbers down, grids across.
std::string winners_table(const StudyView&);
/// All candidates at all points, in multiples of the fastest there.
std::string multiples_table(const StudyView&);
/// The ranking at each point.
std::string ranking_tables(const StudyView&);

}  // namespace wavesim
