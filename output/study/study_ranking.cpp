#include "output/study/study_ranking.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "output/study/study_scores.hpp"
#include "output/study/study_sentences.hpp"

namespace wavesim {

namespace {

/// The mean of what is known of a column; NaN if nothing is.
class Mean {
 public:
  void add(double v) {
    if (std::isnan(v)) return;
    sum_ += v;
    ++count_;
  }
  double value() const { return sum_ / count_; }

 private:
  double sum_ = 0;
  int count_ = 0;
};

double worse(double a, double b) { return std::isnan(a) || b > a ? b : a; }

Standing standing_of(const std::vector<const StudyRow*>& rows) {
  Standing s;
  s.candidate = rows.front()->candidate;
  s.status = "converged";
  s.residual = s.error = NAN;
  Mean seconds, setup, iterations, share, memory;
  for (const StudyRow* r : rows) {
    if (!r->converged() && s.converged) {
      s.converged = false;
      s.status = r->status;
      s.message = r->message;
    }
    seconds.add(r->solve_seconds);
    setup.add(r->setup_seconds);
    if (!std::isnan(r->solve_seconds)) iterations.add(double(r->iterations));
    share.add(r->bandwidth_share);
    memory.add(r->memory_bytes);
    s.residual = worse(s.residual, r->residual_2);
    s.error = worse(s.error, r->error_2);
  }
  s.seconds = seconds.value();
  s.setup_seconds = setup.value();
  s.iterations = iterations.value();
  s.bandwidth_share = share.value();
  s.memory_bytes = memory.value();
  return s;
}

PointRanking ranking_of(const std::vector<const StudyRow*>& rows) {
  PointRanking p;
  p.cells_x = rows.front()->cells_x;
  p.cells_y = rows.front()->cells_y;
  p.courant = rows.front()->courant;
  p.number = rows.front()->point;
  p.time_step = rows.front()->step > 0 ? rows.front()->time / double(rows.front()->step) : NAN;
  std::vector<std::string> names;
  std::map<std::string, std::vector<const StudyRow*>> of;
  for (const StudyRow* r : rows) {
    if (!of.count(r->candidate)) names.push_back(r->candidate);
    of[r->candidate].push_back(r);
  }
  for (const std::string& name : names) p.standings.push_back(standing_of(of[name]));
  std::stable_sort(p.standings.begin(), p.standings.end(), [](const Standing& a, const Standing& b) {
    if (a.converged != b.converged) return a.converged;
    if (std::isnan(a.seconds) || std::isnan(b.seconds))
      return !std::isnan(a.seconds) && std::isnan(b.seconds);
    return a.seconds < b.seconds;
  });
  return p;
}

std::vector<std::string> order_of(const std::vector<PointRanking>& points) {
  const std::map<std::string, Score> scores = scores_of(points);
  std::vector<std::string> order;
  for (const PointRanking& p : points)  // those that are equal: as they stand there
    for (const Standing& s : p.standings)
      if (std::find(order.begin(), order.end(), s.candidate) == order.end()) order.push_back(s.candidate);
  std::stable_sort(order.begin(), order.end(), [&](const std::string& a, const std::string& b) {
    const Score &x = scores.at(a), &y = scores.at(b);
    return x.count != y.count ? x.count > y.count : x.logs < y.logs;
  });
  return order;
}

}  // namespace

StudyRanking rank(const std::vector<StudyRow>& rows) {
  StudyRanking ranking;
  std::map<long, std::vector<const StudyRow*>> of;
  for (const StudyRow& r : rows) of[r.point].push_back(&r);
  for (const auto& [point, own] : of) ranking.points.push_back(ranking_of(own));
  ranking.order = order_of(ranking.points);
  if (!ranking.order.empty() && scores_of(ranking.points).at(ranking.order.front()).count > 0)
    ranking.best = ranking.order.front();

  ranking.sentences = study_sentences(ranking.points, rows);
  ranking.failures = failure_sentences(ranking.points);
  ranking.sentences.insert(ranking.sentences.end(), ranking.failures.begin(), ranking.failures.end());
  return ranking;
}

}  // namespace wavesim
