#include "output/study/study_ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "output/run/result_directory.hpp"

namespace wavesim {

namespace {

constexpr double level = 1.05;  // times of the fastest: no difference to speak of

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

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k)
    text.append(k == 0 ? "" : k + 1 == words.size() ? " and " : ", ").append(words[k]);
  return text;
}

std::string cells_text(const PointRanking& p) { return fmt::format("{} x {} cells", p.cells_x, p.cells_y); }

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
    text += joined(equal) + (equal.size() == 1 ? " is" : " are") + " level with it, within 5 %";
  if (!slower.empty())
    text += std::string(text.empty() ? "" : "; ") + "in multiples of its time take " + joined(slower);
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

/// One sentence for each candidate that failed somewhere.
std::vector<std::string> failures(const std::vector<PointRanking>& points) {
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
      places.push_back(fmt::format("Courant {} on {}", joined(courants[grid]), grid));
    if (where.size() == points.size())
      all.push_back(fmt::format("{} never converges ({}): {}.", name, first.status, first.message));
    else
      all.push_back(fmt::format("{} does not converge at {} ({}): {}.", name, joined(places), first.status,
                                first.message));
  }
  return all;
}

/// What a candidate did at the points where it converged.
struct Score {
  int count = 0;     // of these points
  int wins = 0;      // of them, those where it was the first
  double logs = 0;   // of its multiples of the winners' times, summed
  double least = 0;  // of these multiples
};

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
  return "Never the fastest: " + joined(words) + ".";
}

/// Whether the machine had other things to do: a sentence if so.
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

Tree number(double v) { return std::isfinite(v) ? Tree::bare(shortest(v)) : Tree(); }

}  // namespace

std::string short_duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

StudyRanking rank(const std::vector<StudyRow>& rows) {
  StudyRanking ranking;
  std::map<long, std::vector<const StudyRow*>> of;
  for (const StudyRow& r : rows) of[r.point].push_back(&r);
  for (const auto& [point, own] : of) ranking.points.push_back(ranking_of(own));
  ranking.order = order_of(ranking.points);
  if (!ranking.order.empty() && scores_of(ranking.points).at(ranking.order.front()).count > 0)
    ranking.best = ranking.order.front();

  std::map<std::pair<long, long>, std::vector<const PointRanking*>> grids;
  for (const PointRanking& p : ranking.points) grids[{p.cells_x, p.cells_y}].push_back(&p);
  const auto say = [&](std::string s) {
    if (!s.empty()) ranking.sentences.push_back(std::move(s));
  };
  for (const auto& [cells, points] : grids) say(fastest(points, grids.size() > 1));
  if (ranking.points.size() == 1 && ranking.points.front().decided()) {
    say(behind(ranking.points.front()));
    say(set_up(ranking.points.front()));
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
  if (ranking.points.size() > 1) say(never(ranking.points));
  say(accuracy(ranking.points));
  say(scatter(rows));
  ranking.failures = failures(ranking.points);
  for (const std::string& s : ranking.failures) say(s);
  return ranking;
}

std::string ranking_text(const StudyRanking& ranking) {
  std::size_t width = 9;
  for (const PointRanking& p : ranking.points)
    for (const Standing& s : p.standings) width = std::max(width, s.candidate.size());
  std::string text;
  for (const PointRanking& p : ranking.points) {
    text += fmt::format("{}, Courant {:.4g}\n", cells_text(p), p.courant);
    text += fmt::format("  {:{}} {:>9} {:>9} {:>6} {:>5} {:>8} {:>8}\n", "candidate", width, "solve",
                        "set-up", "iter.", "copy", "residual", "error");
    for (const Standing& s : p.standings) {
      text += fmt::format("  {:{}} ", s.candidate, width);
      if (std::isnan(s.seconds)) {
        text += s.status + "\n";
        continue;
      }
      text +=
          fmt::format("{:>9} {:>9} {:>6.4g} {:>5} {:>8.1e} {:>8.1e}", short_duration(s.seconds),
                      short_duration(s.setup_seconds), s.iterations,
                      std::isnan(s.bandwidth_share) ? "" : fmt::format("{:.0f} %", 100 * s.bandwidth_share),
                      s.residual, s.error);
      text += s.converged ? "\n" : "  " + s.status + "\n";
    }
    text += "\n";
  }
  for (const std::string& s : ranking.sentences) text += s + "\n";
  return text;
}

Tree ranking_tree(const StudyRanking& ranking) {
  Tree t = Tree::map(), points = Tree::list(), sentences = Tree::list();
  for (const PointRanking& p : ranking.points) {
    Tree one = Tree::map(), standings = Tree::list();
    one.add("cells-x", number(double(p.cells_x)));
    one.add("cells-y", number(double(p.cells_y)));
    one.add("courant", number(p.courant));
    for (const Standing& s : p.standings) {
      Tree row = Tree::map();
      row.add("candidate", Tree::string(s.candidate));
      row.add("status", Tree::string(s.status));
      row.add("solve-seconds", number(s.seconds));
      row.add("setup-seconds", number(s.setup_seconds));
      row.add("iterations", number(s.iterations));
      row.add("bandwidth-share", number(s.bandwidth_share));
      row.add("memory-bytes", number(s.memory_bytes));
      row.add("residual", number(s.residual));
      row.add("error", number(s.error));
      if (!s.message.empty()) row.add("message", Tree::string(s.message));
      standings.items.push_back(std::move(row));
    }
    one.add("ranking", std::move(standings));
    points.items.push_back(std::move(one));
  }
  for (const std::string& s : ranking.sentences) sentences.items.push_back(Tree::string(s));
  t.add("points", std::move(points));
  t.add("sentences", std::move(sentences));
  t.add("best", ranking.best.empty() ? Tree() : Tree::string(ranking.best));
  return t;
}

}  // namespace wavesim
