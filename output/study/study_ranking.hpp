#pragma once
// The ranking of a study: its candidates in order of time at each point, with sentences for people.

#include "sim/config/tree.hpp"
#include "sim/study/study.hpp"

namespace wavesim {

/// A candidate at one point of the sweep, over the steps that were looked at.
struct Standing {
  std::string candidate;
  bool converged = true;        // at every step
  std::string status, message;  // of the first step that it failed at; else "converged"
  double seconds = 0;           // of a solve: the mean of the steps' medians
  double setup_seconds = 0, iterations = 0, bandwidth_share = 0, memory_bytes = 0;  // means
  double residual = 0, error = 0;  // in the 2-norm, the worst of the steps
};

struct PointRanking {
  long cells_x = 0, cells_y = 0;
  double courant = 0;
  long number = 0;                  // of the point in the study
  double time_step = 0;             // seconds; NaN if no row says it
  std::vector<Standing> standings;  // those that converged first, the fastest first
  bool decided() const { return !standings.empty() && standings.front().converged; }
};

struct StudyRanking {
  std::vector<PointRanking> points;
  std::vector<std::string> sentences;
  std::vector<std::string>
      failures;  // the last of the sentences: one for each candidate that failed somewhere
  /// All candidates, the best first: it converged at the most points and needs there the least multiple of
  /// the winners' times (geometric mean).
  std::vector<std::string> order;
  std::string best;  // the first of them; empty if none converged at all
};

StudyRanking rank(const std::vector<StudyRow>&);
/// Tables and sentences as text of 80 columns where names allow.
std::string ranking_text(const StudyRanking&);
/// The same as data, for JSON.
Tree ranking_tree(const StudyRanking&);

/// "0.21 ms", "35 us", "1.4 s"
std::string short_duration(double seconds);

}  // namespace wavesim
