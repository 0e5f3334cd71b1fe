#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/run/result_directory.hpp"
#include "output/study/study_ranking.hpp"
#include "output/study/study_sentences.hpp"

namespace wavesim {

namespace {

Tree number(double v) { return std::isfinite(v) ? Tree::bare(shortest(v)) : Tree(); }

}  // namespace

std::string short_duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
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
