#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "output/study/study_ranking.hpp"

namespace wavesim {

/// A study with what the parts of its page ask for.
struct StudyView {
  explicit StudyView(const std::vector<StudyRow>& rows);

  /// Whether there are several points.
  bool swept() const { return ranking.points.size() > 1; }
  std::set<long> steps() const;
  /// What tells a point from the others.
  std::string name_of(const PointRanking&) const;
  /// The colour of a candidate, for what is inside the element.
  std::string colour_of(const std::string& candidate) const;
  /// The candidate's name after a mark in its colour.
  std::string marked(const std::string& candidate) const;
  /// Null if the study has no such point.
  const PointRanking* point_at(std::pair<long, long> cells, double courant) const;
  /// The points grid by grid, by their Courant numbers.
  std::vector<const PointRanking*> by_grid() const;

  const std::vector<StudyRow>& rows;
  const StudyRanking ranking;
  std::set<std::pair<long, long>> grids;
  std::vector<double> courants;  // of all grids; a run's number is a little off the wanted one
  const std::map<std::string, std::size_t> looks;
};

/// "35 µs"
std::string time_words(double seconds);
/// For HTML, with µs: sentences are made for a terminal, where "us" is the microsecond of ASCII.
std::string html_sentence(const std::string& s);

}  // namespace wavesim
