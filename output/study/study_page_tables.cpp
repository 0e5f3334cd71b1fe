#include "output/study/study_page_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/pages/page_parts.hpp"
#include "output/pictures/xml_escaped.hpp"
#include "output/run/result_directory.hpp"

namespace wavesim {

namespace {

constexpr const char* headings[] = {"solve",     "× fastest", "set-up",   "iterations",
                                    "of a copy", "memory",    "residual", "error"};

/// " <small>then cg, 1.3 ×</small>"
std::string second(const PointRanking& p) {
  if (p.standings.size() < 2 || !p.standings[1].converged) return "";
  return fmt::format(" <small>then {}, {:.3g}×</small>", xml_escaped(p.standings[1].candidate),
                     p.standings[1].seconds / p.standings[0].seconds);
}

std::string ranking_table(const StudyView& view, const PointRanking& p) {
  std::string out = fmt::format(
      "<div class=\"wide\"><table class=\"ranking sortable\" data-point=\"{}\"><thead><tr>", p.number);
  out += "<th scope=\"col\">candidate</th>";
  for (const char* heading : headings) out += fmt::format("<th scope=\"col\">{}</th>", heading);
  out += "</tr></thead><tbody>\n";
  for (const Standing& s : p.standings) {
    out += fmt::format("<tr{}><th scope=\"row\">{}</th>",
                       !s.converged                       ? " class=\"failed\""
                       : s.candidate == view.ranking.best ? " class=\"best\""
                                                          : "",
                       view.marked(s.candidate));
    if (std::isnan(s.seconds)) {
      out += "<td class=\"bad\" colspan=\"8\">" + xml_escaped(s.status) + "</td></tr>\n";
      continue;
    }
    out += number_cell(headings[0], s.seconds, time_words(s.seconds));
    if (s.converged)
      out += number_cell(headings[1], s.seconds / p.standings.front().seconds,
                         fmt::format("{:.3g}", s.seconds / p.standings.front().seconds));
    else
      out += "<td class=\"bad\">" + xml_escaped(s.status) + "</td>";
    out += number_cell(headings[2], s.setup_seconds, time_words(s.setup_seconds));
    out += number_cell(headings[3], s.iterations, fmt::format("{:.4g}", s.iterations));
    out += number_cell(headings[4], s.bandwidth_share, fmt::format("{:.0f} %", 100 * s.bandwidth_share));
    out += number_cell(headings[5], s.memory_bytes, human_bytes(s.memory_bytes));
    out += number_cell(headings[6], s.residual, fmt::format("{:.1e}", s.residual));
    out += number_cell(headings[7], s.error, fmt::format("{:.1e}", s.error));
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string winners_table(const StudyView& view) {
  if (!view.swept()) return "";
  std::string out =
      "<section id=\"winners\">\n<h2>Who is the fastest where</h2>\n<div class=\"wide\"><table "
      "class=\"winners\"><thead><tr>"
      "<th scope=\"col\">Courant</th>";
  for (const auto& [x, y] : view.grids) out += fmt::format("<th scope=\"col\">{} × {} cells</th>", x, y);
  out += "</tr></thead><tbody>\n";
  for (double courant : view.courants) {
    out += fmt::format("<tr><th scope=\"row\">{:.4g}</th>", courant);
    for (const auto& cells : view.grids) {
      const PointRanking* p = view.point_at(cells, courant);
      if (!p)
        out += "<td></td>";
      else if (!p->decided())
        out += "<td>none converges</td>";
      else
        out += fmt::format("<td {} data-v=\"{}\"><strong>{}</strong> {}{}</td>",
                           view.colour_of(p->standings.front().candidate), p->standings.front().seconds,
                           xml_escaped(p->standings.front().candidate),
                           time_words(p->standings.front().seconds), second(*p));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n</section>\n";
}

std::string multiples_table(const StudyView& view) {
  if (!view.swept()) return "";
  std::string out =
      "<section id=\"multiples\">\n<h2>Multiples of the fastest</h2>\n<p>The time of a solve as a multiple "
      "of the fastest at that "
      "point; darker is slower. Columns are Courant numbers. A dash: it does not converge there.</p>\n<div "
      "class=\"wide\"><table "
      "class=\"by-point "
      "sortable\"><thead>";
  if (view.grids.size() > 1) {  // points lie grid by grid
    out += "<tr><th></th>";
    for (const auto& [x, y] : view.grids)
      out += fmt::format(
          "<th scope=\"colgroup\" colspan=\"{}\">{} × {} cells</th>",
          std::count_if(view.ranking.points.begin(), view.ranking.points.end(),
                        [x = x, y = y](const PointRanking& p) { return p.cells_x == x && p.cells_y == y; }),
          x, y);
    out += "</tr>";
  }
  out += "<tr><th scope=\"col\">candidate</th>";
  for (const PointRanking* p : view.by_grid())
    out += fmt::format("<th scope=\"col\">{:.4g}</th>", p->courant);
  out += "</tr></thead><tbody>\n";
  for (const std::string& name : view.ranking.order) {
    out += "<tr><th scope=\"row\">" + view.marked(name) + "</th>";
    for (const PointRanking* point : view.by_grid()) {
      const PointRanking& p = *point;
      const auto s = std::find_if(p.standings.begin(), p.standings.end(),
                                  [&](const Standing& o) { return o.candidate == name; });
      if (s == p.standings.end() || !s->converged) {
        out += "<td>–</td>";
        continue;
      }
      const double multiple = s->seconds / p.standings.front().seconds;
      const double heat = std::clamp(std::log(multiple) / std::log(100.0), 0.0, 1.0);
      out += fmt::format("<td{} data-v=\"{}\" style=\"--h: {:.2f}\" title=\"{}\">{:.3g}</td>",
                         s == p.standings.begin() ? " class=\"first\"" : "", multiple, heat,
                         time_words(s->seconds), multiple);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n</section>\n";
}

std::string ranking_tables(const StudyView& view) {
  std::string out = fmt::format(
      "<section id=\"ranking\">\n<h2>Ranking</h2>\n<p>Times are those of a solve, the mean over {} of the "
      "medians of the "
      "repetitions; residual and error in the 2-norm, the worst of the steps. A click on a heading "
      "sorts.</p>\n",
      view.steps().size() == 1 ? "one step" : "the steps");
  for (const PointRanking& p : view.ranking.points) {
    const std::string table = ranking_table(view, p);
    if (view.swept())
      out += fmt::format("<details class=\"point\"{}><summary>{}</summary>\n{}</details>\n",
                         &p == &view.ranking.points.front() ? " open" : "", view.name_of(p), table);
    else
      out += "<h3>" + view.name_of(p) + "</h3>\n" + table;
  }
  return out + "</section>\n";
}

}  // namespace wavesim
