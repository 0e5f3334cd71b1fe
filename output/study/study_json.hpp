#pragma once
// A study as JSON, for the script of its page (output/pages/study.js): short, and never longer than asked.

#include <map>
#include <string>

#include "output/study/study_ranking.hpp"

namespace wavesim {

/// A number for the colour and dash of each candidate: those that are first or second somewhere come before the
/// others, so that their colours differ.
std::map<std::string, std::size_t> looks_of(const StudyRanking&);

struct StudyJson {
  std::string text;
  /// What was left out to stay short, as a sentence; empty if all is there.
  std::string left_out;
};

/// {"name", "candidates": the best first, "looks": the number of each,
///  "points": [{"number", "cells", "courant", "dt", "standings": [{"candidate": its place above, ...}]}],
///  "columns": {NAME: [numbers] or {"texts": [...], "at": [place among the texts]}}, as in study.csv,
///  "histories": {"stride": [...],
///                "values": [[residual after 0, stride, 2 stride, ... and the last iteration]]}}
/// in at most `most` bytes where fewer digits and thinner histories can do that. "<" is written as \u003c.
StudyJson study_json(const std::string& name, const std::vector<StudyRow>&, const StudyRanking&,
                     std::size_t most);

}  // namespace wavesim
