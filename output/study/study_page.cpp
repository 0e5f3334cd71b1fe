#include "output/study/study_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <study_page_texts.hpp>
#include <tuple>

#include "output/pictures/plot.hpp"
#include "output/run/result_directory.hpp"
#include "output/study/study_json.hpp"
#include "output/study/study_ranking.hpp"

namespace wavesim {

namespace {

constexpr std::size_t most_bytes = 2'900'000;  // of a page

bool has_plots() { return *page::chart_library; }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// "35 µs"
std::string time_words(double seconds) { return replaced(short_duration(seconds), " us", " µs"); }

/// Sentences are made for a terminal: "us" is the microsecond of ASCII.
std::string sentence(const std::string& s) {
  std::string out = xml_escaped(s);
  for (const char* end : {" ", ",", ")", "."})
    for (char digit = '0'; digit <= '9'; ++digit)
      out = replaced(out, fmt::format("{} us{}", digit, end), fmt::format("{} µs{}", digit, end));
  return out;
}

/// A cell with the number that it shows, to the last digit.
std::string cell_of(double v, const std::string& words) {
  if (std::isnan(v)) return "<td></td>";
  return fmt::format("<td data-v=\"{}\">{}</td>", v, words);
}

class Page {
 public:
  Page(const StudyFacts& facts, const std::vector<StudyRow>& rows)
      : facts_(facts), rows_(rows), ranking_(rank(rows)), looks_(looks_of(ranking_)) {
    for (const PointRanking& p : ranking_.points) {
      grids_.insert({p.cells_x, p.cells_y});
      if (std::none_of(courants_.begin(), courants_.end(), [&](double c) { return same(c, p.courant); }))
        courants_.push_back(p.courant);
    }
    std::sort(courants_.begin(), courants_.end());
  }

  std::string text() const {
    const std::string before = head() + answer() + winners() + by_point() + rankings() + plots_heading();
    const std::string after = failures() + made_with();
    const std::size_t used = before.size() + after.size() + (has_plots() ? library().size() : 0) + 4000;
    const StudyJson json =
        study_json(fact("name"), rows_, ranking_, most_bytes > used ? most_bytes - used : 0);
    std::string out = before;
    if (has_plots()) {
      if (!json.left_out.empty()) out += "<p class=\"note\">" + json.left_out + "</p>\n";
      out += plots();
    }
    out += after + "<script type=\"application/json\" id=\"data\">\n" + json.text + "\n</script>\n";
    if (has_plots()) out += library() + "<script>\n" + page::study_script + "</script>\n";
    return out + "</body>\n</html>\n";
  }

 private:
  std::string fact(const char* key) const {
    const auto found = facts_.facts.find(key);
    return found == facts_.facts.end() ? "" : found->second;
  }
  static bool same(double a, double b) { return std::abs(a - b) < 0.02 * a; }
  bool swept() const { return ranking_.points.size() > 1; }
  /// What tells a point from the others.
  std::string name_of(const PointRanking& p) const {
    return fmt::format("{} × {} cells, Courant {:.4g}", p.cells_x, p.cells_y, p.courant);
  }
  /// The colour of a candidate, for what is inside the element.
  std::string colour_of(const std::string& candidate) const {
    return fmt::format("style=\"--c: var(--c{})\"", looks_.at(candidate) % 10);
  }
  std::string marked(const std::string& candidate) const {
    // long names may be broken where their parts meet
    std::string name = xml_escaped(candidate);
    for (const char* joint : {"+", "="}) name = replaced(name, joint, std::string(joint) + "<wbr>");
    return fmt::format("<span class=\"mark\" {}></span>{}", colour_of(candidate), name);
  }
  std::set<long> steps() const {
    std::set<long> all;
    for (const StudyRow& r : rows_) all.insert(r.step);
    return all;
  }
  bool several_steps() const {
    std::map<long, std::set<long>> of;
    for (const StudyRow& r : rows_) of[r.point].insert(r.step);
    return std::any_of(of.begin(), of.end(), [](const auto& p) { return p.second.size() > 1; });
  }
  bool any_history() const {
    return std::any_of(rows_.begin(), rows_.end(), [](const StudyRow& r) { return r.history.size() > 1; });
  }

  std::string head() const {
    const std::string name = xml_escaped(fact("name"));
    // The policy keeps the page from asking any network for anything.
    std::string out =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; "
        "script-src 'unsafe-inline'; img-src data:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
        name + ": which solver?</title>\n<style>\n" + page::study_style + "</style>\n</head>\n<body>\n<h1>" +
        name + "</h1>\n";
    const std::size_t looked_at = steps().size();
    out += fmt::format("<p class=\"lead\">Which solver? {} candidate{} on the systems of {} step{}",
                       looks_.size(), looks_.size() == 1 ? "" : "s", looked_at, looked_at == 1 ? "" : "s");
    if (courants_.size() > 1) out += fmt::format(", at {} Courant numbers", courants_.size());
    if (grids_.size() > 1) out += fmt::format(", on {} grids", grids_.size());
    if (!fact("device").empty()) out += "; " + xml_escaped(fact("device"));
    out += ".</p>\n<nav>";
    for (const auto& [id, title] : sections()) out += fmt::format("<a href=\"#{}\">{}</a>", id, title);
    return out + "</nav>\n";
  }

  std::vector<std::pair<std::string, std::string>> sections() const {
    std::vector<std::pair<std::string, std::string>> all{{"answer", "Answer"}};
    if (swept()) all.push_back({"winners", "Winners"});
    if (swept()) all.push_back({"multiples", "Multiples"});
    all.push_back({"ranking", "Ranking"});
    if (has_plots())
      for (const auto& plot : plot_sections()) all.push_back(plot);
    if (!ranking_.failures.empty()) all.push_back({"failures", "Failures"});
    all.push_back({"made-with", "Made with"});
    return all;
  }

  std::vector<std::pair<std::string, std::string>> plot_sections() const {
    std::vector<std::pair<std::string, std::string>> all;
    if (courants_.size() > 1) all.push_back({"by-courant", "Time against Courant number"});
    if (grids_.size() > 1) all.push_back({"by-size", "Scaling with size"});
    if (several_steps()) all.push_back({"by-step", "Over the steps of the run"});
    if (any_history()) all.push_back({"residuals", "Residuals"});
    all.push_back({"memory", "Memory"});
    return all;
  }

  std::string answer() const {
    std::string out = "<section id=\"answer\">\n<h2>Answer</h2>\n";
    const std::size_t words = ranking_.sentences.size() - ranking_.failures.size();
    const std::size_t verdicts = std::min(words, grids_.size());  // one sentence a grid comes first
    for (std::size_t k = 0; k < verdicts; ++k)
      out += "<p class=\"verdict\">" + sentence(ranking_.sentences[k]) + "</p>\n";
    if (words > verdicts) {
      out += "<ul>\n";
      for (std::size_t k = verdicts; k < words; ++k)
        out += "<li>" + sentence(ranking_.sentences[k]) + "</li>\n";
      out += "</ul>\n";
    }
    if (ranking_.best.empty()) return out + "<p class=\"warning\">No candidate converged.</p>\n</section>\n";
    out += "<h3>" + marked(ranking_.best) + " is the best for this config</h3>\n";
    if (swept())
      out +=
          "<p class=\"note\">It converges at the most points of the sweep and needs there the least multiple "
          "of the winners' times.</p>\n";
    if (!facts_.best.empty())
      out += "<div class=\"copyable\"><pre>" + xml_escaped(facts_.best) + "</pre></div>\n";
    return out + "</section>\n";
  }

  const PointRanking* point_at(std::pair<long, long> cells, double courant) const {
    for (const PointRanking& p : ranking_.points)
      if (p.cells_x == cells.first && p.cells_y == cells.second && same(p.courant, courant)) return &p;
    return nullptr;
  }

  /// The points grid by grid, by their Courant numbers.
  std::vector<const PointRanking*> by_grid() const {
    std::vector<const PointRanking*> all;
    for (const PointRanking& p : ranking_.points) all.push_back(&p);
    std::stable_sort(all.begin(), all.end(), [](const PointRanking* a, const PointRanking* b) {
      return std::tuple(a->cells_x, a->cells_y, a->courant) < std::tuple(b->cells_x, b->cells_y, b->courant);
    });
    return all;
  }

  /// Who is the fastest where: Courant numbers down, grids across.
  std::string winners() const {
    if (!swept()) return "";
    std::string out =
        "<section id=\"winners\">\n<h2>Who is the fastest where</h2>\n<div class=\"wide\"><table "
        "class=\"winners\"><thead><tr>"
        "<th scope=\"col\">Courant</th>";
    for (const auto& [x, y] : grids_) out += fmt::format("<th scope=\"col\">{} × {} cells</th>", x, y);
    out += "</tr></thead><tbody>\n";
    for (double courant : courants_) {
      out += fmt::format("<tr><th scope=\"row\">{:.4g}</th>", courant);
      for (const auto& cells : grids_) {
        const PointRanking* p = point_at(cells, courant);
        if (!p)
          out += "<td></td>";
        else if (!p->decided())
          out += "<td>none converges</td>";
        else
          out += fmt::format("<td {} data-v=\"{}\"><strong>{}</strong> {}{}</td>",
                             colour_of(p->standings.front().candidate), p->standings.front().seconds,
                             xml_escaped(p->standings.front().candidate),
                             time_words(p->standings.front().seconds), second(*p));
      }
      out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n</section>\n";
  }

  /// " <small>then cg, 1.3 ×</small>"
  std::string second(const PointRanking& p) const {
    if (p.standings.size() < 2 || !p.standings[1].converged) return "";
    return fmt::format(" <small>then {}, {:.3g}×</small>", xml_escaped(p.standings[1].candidate),
                       p.standings[1].seconds / p.standings[0].seconds);
  }

  /// All candidates at all points, in multiples of the fastest there.
  std::string by_point() const {
    if (!swept()) return "";
    std::string out =
        "<section id=\"multiples\">\n<h2>Multiples of the fastest</h2>\n<p>The time of a solve as a multiple "
        "of the fastest at that "
        "point; darker is slower. Columns are Courant numbers. A dash: it does not converge there.</p>\n<div "
        "class=\"wide\"><table "
        "class=\"by-point "
        "sortable\"><thead>";
    if (grids_.size() > 1) {  // points lie grid by grid
      out += "<tr><th></th>";
      for (const auto& [x, y] : grids_)
        out += fmt::format(
            "<th scope=\"colgroup\" colspan=\"{}\">{} × {} cells</th>",
            std::count_if(ranking_.points.begin(), ranking_.points.end(),
                          [x = x, y = y](const PointRanking& p) { return p.cells_x == x && p.cells_y == y; }),
            x, y);
      out += "</tr>";
    }
    out += "<tr><th scope=\"col\">candidate</th>";
    for (const PointRanking* p : by_grid()) out += fmt::format("<th scope=\"col\">{:.4g}</th>", p->courant);
    out += "</tr></thead><tbody>\n";
    for (const std::string& name : ranking_.order) {
      out += "<tr><th scope=\"row\">" + marked(name) + "</th>";
      for (const PointRanking* point : by_grid()) {
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

  std::string rankings() const {
    std::string out = fmt::format(
        "<section id=\"ranking\">\n<h2>Ranking</h2>\n<p>Times are those of a solve, the mean over {} of the "
        "medians of the "
        "repetitions; residual and error in the 2-norm, the worst of the steps. A click on a heading "
        "sorts.</p>\n",
        steps().size() == 1 ? "one step" : "the steps");
    for (const PointRanking& p : ranking_.points) {
      const std::string table = ranking_table(p);
      if (swept())
        out += fmt::format("<details class=\"point\"{}><summary>{}</summary>\n{}</details>\n",
                           &p == &ranking_.points.front() ? " open" : "", name_of(p), table);
      else
        out += "<h3>" + name_of(p) + "</h3>\n" + table;
    }
    return out + "</section>\n";
  }

  std::string ranking_table(const PointRanking& p) const {
    std::string out = fmt::format(
        "<div class=\"wide\"><table class=\"ranking sortable\" data-point=\"{}\"><thead><tr>", p.number);
    for (const char* heading : {"candidate", "solve", "× fastest", "set-up", "iterations", "of a copy",
                                "memory", "residual", "error"})
      out += fmt::format("<th scope=\"col\">{}</th>", heading);
    out += "</tr></thead><tbody>\n";
    for (const Standing& s : p.standings) {
      out += fmt::format("<tr{}><th scope=\"row\">{}</th>",
                         !s.converged                   ? " class=\"failed\""
                         : s.candidate == ranking_.best ? " class=\"best\""
                                                        : "",
                         marked(s.candidate));
      if (std::isnan(s.seconds)) {
        out += "<td class=\"bad\" colspan=\"8\">" + xml_escaped(s.status) + "</td></tr>\n";
        continue;
      }
      out += cell_of(s.seconds, time_words(s.seconds));
      if (s.converged)
        out += cell_of(s.seconds / p.standings.front().seconds,
                       fmt::format("{:.3g}", s.seconds / p.standings.front().seconds));
      else
        out += "<td class=\"bad\">" + xml_escaped(s.status) + "</td>";
      out += cell_of(s.setup_seconds, time_words(s.setup_seconds));
      out += cell_of(s.iterations, fmt::format("{:.4g}", s.iterations));
      out += cell_of(s.bandwidth_share, fmt::format("{:.0f} %", 100 * s.bandwidth_share));
      out += cell_of(s.memory_bytes, human_bytes(s.memory_bytes));
      out += cell_of(s.residual, fmt::format("{:.1e}", s.residual));
      out += cell_of(s.error, fmt::format("{:.1e}", s.error));
      out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
  }

  std::string plots_heading() const {
    if (has_plots())
      return "<noscript><p class=\"warning\">The plots need a browser that runs scripts; the tables do "
             "not.</p></noscript>\n";
    return "<section id=\"no-plots\">\n<h2>Plots</h2>\n<p>The plots need Chart.js, which was not there when "
           "this wavesim was "
           "built: install libjs-chart.js, build again, and wavesim report FOLDER makes this page "
           "anew.</p>\n</section>\n";
  }

  std::string plots() const {
    std::string out =
        "<details id=\"curves\"><summary>Curves</summary><div class=\"chips\"></div></details>\n";
    for (const auto& [id, title] : plot_sections())
      out += "<section id=\"" + id + "\">\n<h2>" + (id == "memory" ? "Memory and set-up" : title) +
             "</h2>\n</section>\n";
    return out;
  }

  std::string failures() const {
    if (ranking_.failures.empty()) return "";
    std::string out = "<section id=\"failures\">\n<h2>What failed, and why</h2>\n<ul>\n";
    for (const std::string& s : ranking_.failures) out += "<li>" + sentence(s) + "</li>\n";
    return out + "</ul>\n</section>\n";
  }

  std::string made_with() const {
    std::string out = "<section id=\"made-with\">\n<h2>Made with</h2>\n";
    if (!fact("command").empty())
      out += "<div class=\"copyable\"><pre>" + xml_escaped(fact("command")) + "</pre></div>\n";
    out += "<div class=\"wide\"><table class=\"facts\"><tbody>\n";
    for (const auto& [key, value] : facts_.facts) {
      if (key == "command" || key == "name" || value.empty()) continue;
      const bool bandwidth = key == "copy-bandwidth";
      out +=
          "<tr><th scope=\"row\">" + xml_escaped(key) + "</th><td>" +
          (bandwidth ? human_bytes(std::strtod(value.c_str(), nullptr)) + " a second" : xml_escaped(value)) +
          "</td></tr>\n";
    }
    out += "</tbody></table></div>\n";
    if (has_plots()) out += "<p id=\"save\"></p>\n";
    out += "<details><summary>Effective config</summary><pre>" + xml_escaped(facts_.config) +
           "</pre></details>\n";
    if (has_plots())
      out += std::string("<details><summary>Licence of the plotting library</summary><pre>") +
             xml_escaped(page::chart_licence) + "</pre></details>\n";
    return out + "</section>\n";
  }

  static const std::string& library() {
    static const std::string text = std::string("<script>\n") + page::chart_library + "</script>\n";
    return text;
  }

  const StudyFacts& facts_;
  const std::vector<StudyRow>& rows_;
  const StudyRanking ranking_;
  std::set<std::pair<long, long>> grids_;
  std::vector<double> courants_;  // of all grids; a run's number is a little off the wanted one
  const std::map<std::string, std::size_t> looks_;
};

}  // namespace

std::string study_page(const StudyFacts& facts, const std::vector<StudyRow>& rows) {
  return Page(facts, rows).text();
}

}  // namespace wavesim
