#include "output/study/study_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "output/study/study_scores.hpp"
#include "sim/config/suggest.hpp"

namespace wavesim {

namespace {

constexpr double level = 1.05;  // candidates within this factor of the fastest count as equal

/// "cg is fastest up to Courant 2 (0.2 ms a solve), chebyshev from Courant 4 (0.5 ms a solve)": the points
/// of one grid by their Courant numbers; of several points it says the first and the last time.
std::string fastest(std::vector<const PointRanking*> points, bool name_grid) {
  std::sort(points.begin(), points.end(), [](auto* a, auto* b) { return a->courant < b->courant; });
  const auto winner = [](const PointRanking* p) {
    return p->decided() ? p->standings.front().candidate : std::string("no candidate");
  };
  std::string text = name_grid ? "On " + cells_text(*points.front()) + " " : "";
  for (std::size_t from = 0, to; from < points.size(); from = to) {
    for (to = from + 1; to < points.size() && winner(points[to]) == winner(points[from]);) ++to;
    const double low = points[from]->courant, high = points[to - 1]->courant;
    const bool first = from == 0, last = to == points.size();
    text += (first ? "" : ", ") + winner(points[from]);
    text += !points[from]->decided() ? " converges " : first ? " is fastest " : " ";
    if (first && last && to > 1)
      text += fmt::format("at Courant {:.4g} to {:.4g}", low, high);
    else if (first)
      text += fmt::format("{} Courant {:.4g}", to > 1 ? "up to" : "at", high);
    else
      text += fmt::format("from Courant {:.4g}", low);
    if (!points[from]->decided()) continue;
    const auto time = [](const PointRanking* p) { return short_duration(p->standings.front().seconds); };
    text += " (" + time(points[from]) + (to > from + 1 ? " to " + time(points[to - 1]) : "") + " a solve)";
  }
  return text + ".";
}

/// "pipelined-cg is level with it; chebyshev takes 1.4 times as long, cg 2.1 times."
std::string behind(const PointRanking& p) {
  const double best = p.standings.front().seconds;
  std::vector<std::string> equal, slower;
  for (std::size_t k = 1; k < p.standings.size(); ++k) {
    const Standing& s = p.standings[k];
    if (!s.converged) break;
    if (s.seconds <= level * best)
      equal.push_back(s.candidate);
    else if (slower.size() < 3)
      slower.push_back(fmt::format("{} {:.3g} times", s.candidate, s.seconds / best));
  }
  std::string text;
  if (!equal.empty())
    text += enumerate(equal) + (equal.size() == 1 ? " is" : " are") + " level with it, within 5 %";
  if (!slower.empty())
    text += std::string(text.empty() ? "" : "; ") + "in multiples of its time take " + enumerate(slower);
  return text.empty() ? "" : text + ".";
}

std::string set_up(const PointRanking& p) {
  const Standing& s = p.standings.front();
  return fmt::format("The set-up of {} takes {}, as long as {:.3g} of its solves.", s.candidate,
                     short_duration(s.setup_seconds), s.setup_seconds / s.seconds);
}

/// How far the solutions of those that converged are from the run's.
std::string accuracy(const std::vector<PointRanking>& points) {
  const Standing *near = nullptr, *far = nullptr;
  for (const PointRanking& p : points)
    for (const Standing& s : p.standings) {
      if (!s.converged) continue;
      if (!near || s.error < near->error) near = &s;
      if (!far || s.error > far->error) far = &s;
    }
  if (!near) return "";
  if (near->candidate == far->candidate)
    return fmt::format("Its solutions are within {:.2g} of the run's own.", far->error);
  return fmt::format("Solutions that converged are within {:.2g} ({}) to {:.2g} ({}) of the run's own.",
                     near->error, near->candidate, far->error, far->candidate);
}

/// "From 100 x 100 to 400 x 400 cells the fastest solve goes from 0.1 ms to 1 ms, 10 to 6 ns a cell."
std::string scaling(const PointRanking& small, const PointRanking& large) {
  const double a = small.standings.front().seconds, b = large.standings.front().seconds;
  const auto each = [](const PointRanking& p, double seconds) {
    const double ns = seconds * 1e9 / (double(p.cells_x) * double(p.cells_y));
    return ns < 100 ? fmt::format("{:.3g}", ns) : fmt::format("{:.0f}", ns);
  };
  return fmt::format("At Courant {:.4g} the fastest solve takes {} on {} and {} on {}, {} and {} ns a cell.",
                     small.courant, short_duration(a), cells_text(small), short_duration(b),
                     cells_text(large), each(small, a), each(large, b));
}

/// "Never the fastest: cg (at best 1.2 times as long), idr (1.5 times) and 20 others."
std::string never(const std::vector<PointRanking>& points) {
  std::vector<std::pair<double, std::string>> behind;
  for (const auto& [name, score] : scores_of(points))
    if (score.count > 0 && score.wins == 0) behind.emplace_back(score.least, name);
  if (behind.empty()) return "";
  std::sort(behind.begin(), behind.end());
  constexpr std::size_t most = 3;
  std::vector<std::string> words;
  for (std::size_t k = 0; k < behind.size() && k < most; ++k)
    words.push_back(fmt::format("{} ({}{:.3g} times as long)", behind[k].second, k == 0 ? "at best " : "",
                                behind[k].first));
  if (behind.size() == most + 1) words.push_back("one other");
  if (behind.size() > most + 1) words.push_back(fmt::format("{} others", behind.size() - most));
  return "Never the fastest: " + enumerate(words) + ".";
}

/// A sentence if the times vary so much that the machine was probably busy.
std::string scatter(const std::vector<StudyRow>& rows) {
  int timed = 0, scattered = 0;
  for (const StudyRow& r : rows) {
    if (!r.converged() || !(r.least_seconds > 0)) continue;
    ++timed;
    scattered += r.solve_seconds > 1.5 * r.least_seconds;
  }
  if (4 * scattered <= timed) return "";
  return fmt::format(
      "Times scatter: for {} of {} rows the median is more than 1.5 times the least; something else may be "
      "running here, so order them with care.",
      scattered, timed);
}

}  // namespace

std::string cells_text(const PointRanking& p) { return fmt::format("{} x {} cells", p.cells_x, p.cells_y); }

std::vector<std::string> study_sentences(const std::vector<PointRanking>& points,
                                         const std::vector<StudyRow>& rows) {
  std::vector<std::string> sentences;
  std::map<std::pair<long, long>, std::vector<const PointRanking*>> grids;
  for (const PointRanking& p : points) grids[{p.cells_x, p.cells_y}].push_back(&p);
  const auto say = [&](std::string s) {
    if (!s.empty()) sentences.push_back(std::move(s));
  };
  for (const auto& [cells, own] : grids) say(fastest(own, grids.size() > 1));
  if (points.size() == 1 && points.front().decided()) {
    say(behind(points.front()));
    say(set_up(points.front()));
  }
  if (grids.size() > 1) {  // at the least and the largest Courant number
    std::vector<std::string> scalings;
    for (const PointRanking* small : grids.begin()->second)
      for (const PointRanking* large : grids.rbegin()->second)
        if (std::abs(small->courant - large->courant) < 0.02 * small->courant && small->decided() &&
            large->decided())
          scalings.push_back(scaling(*small, *large));
    if (scalings.size() > 2) scalings.erase(scalings.begin() + 1, scalings.end() - 1);
    for (std::string& s : scalings) say(std::move(s));
  }
  if (points.size() > 1) say(never(points));
  say(accuracy(points));
  say(scatter(rows));
  return sentences;
}

std::vector<std::string> failure_sentences(const std::vector<PointRanking>& points) {
  std::vector<std::string> names, all;
  std::map<std::string, std::vector<std::pair<const PointRanking*, const Standing*>>> of;
  for (const PointRanking& p : points)
    for (const Standing& s : p.standings) {
      if (s.converged) continue;
      if (!of.count(s.candidate)) names.push_back(s.candidate);
      of[s.candidate].push_back({&p, &s});
    }
  for (const std::string& name : names) {
    const auto& where = of[name];
    const Standing& first = *where.front().second;
    if (first.status == "does-not-fit") {
      all.push_back(name + " does not fit: " + first.message + ".");
      continue;
    }
    std::vector<std::string> grids, places;  // "Courant 5, 10 and 50 on 200 x 200 cells"
    std::map<std::string, std::vector<std::string>> courants;
    for (const auto& [p, s] : where) {
      const std::string grid = cells_text(*p);
      if (!courants.count(grid)) grids.push_back(grid);
      courants[grid].push_back(fmt::format("{:.4g}", p->courant));
    }
    for (const std::string& grid : grids)
      places.push_back(fmt::format("Courant {} on {}", enumerate(courants[grid]), grid));
    if (where.size() == points.size())
      all.push_back(fmt::format("{} never converges ({}): {}.", name, first.status, first.message));
    else
      all.push_back(fmt::format("{} does not converge at {} ({}): {}.", name, enumerate(places), first.status,
                                first.message));
  }
  return all;
}

}  // namespace wavesim
