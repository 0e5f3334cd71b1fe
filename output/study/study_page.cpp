#include "output/study/study_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <study_page_texts.hpp>

#include "output/pages/page_parts.hpp"
#include "output/pictures/xml_escaped.hpp"
#include "output/study/study_json.hpp"
#include "output/study/study_page_tables.hpp"
#include "output/study/study_view.hpp"

namespace wavesim {

namespace {

constexpr std::size_t most_bytes = 2'900'000;  // of a page

bool has_plots() { return *page::chart_library; }

class Page {
 public:
  Page(const StudyFacts& facts, const std::vector<StudyRow>& rows) : facts_(facts), view_(rows) {}

  std::string text() const {
    const std::string before = head() + answer() + winners_table(view_) + multiples_table(view_) +
                               ranking_tables(view_) + plots_heading();
    const std::string after = failures() + made_with();
    const std::size_t used = before.size() + after.size() + (has_plots() ? library().size() : 0) + 4000;
    const StudyJson json =
        study_json(fact("name"), view_.rows, view_.ranking, most_bytes > used ? most_bytes - used : 0);
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
  bool several_steps() const {
    std::map<long, std::set<long>> of;
    for (const StudyRow& r : view_.rows) of[r.point].insert(r.step);
    return std::any_of(of.begin(), of.end(), [](const auto& p) { return p.second.size() > 1; });
  }
  bool any_history() const {
    return std::any_of(view_.rows.begin(), view_.rows.end(),
                       [](const StudyRow& r) { return r.history.size() > 1; });
  }

  std::string head() const {
    std::string out = page_begin(fact("name"), "which solver?");
    const std::size_t looked_at = view_.steps().size();
    out += fmt::format("<p class=\"lead\">Which solver? {} candidate{} on the systems of {} step{}",
                       view_.looks.size(), view_.looks.size() == 1 ? "" : "s", looked_at,
                       looked_at == 1 ? "" : "s");
    if (view_.courants.size() > 1) out += fmt::format(", at {} Courant numbers", view_.courants.size());
    if (view_.grids.size() > 1) out += fmt::format(", on {} grids", view_.grids.size());
    if (!fact("device").empty()) out += "; " + xml_escaped(fact("device"));
    out += ".</p>\n<nav>";
    for (const auto& [id, title] : sections()) out += fmt::format("<a href=\"#{}\">{}</a>", id, title);
    return out + "</nav>\n";
  }

  std::vector<std::pair<std::string, std::string>> sections() const {
    std::vector<std::pair<std::string, std::string>> all{{"answer", "Answer"}};
    if (view_.swept()) all.push_back({"winners", "Winners"});
    if (view_.swept()) all.push_back({"multiples", "Multiples"});
    all.push_back({"ranking", "Ranking"});
    if (has_plots())
      for (const auto& plot : plot_sections()) all.push_back(plot);
    if (!view_.ranking.failures.empty()) all.push_back({"failures", "Failures"});
    all.push_back({"made-with", "Made with"});
    return all;
  }

  std::vector<std::pair<std::string, std::string>> plot_sections() const {
    std::vector<std::pair<std::string, std::string>> all;
    if (view_.courants.size() > 1) all.push_back({"by-courant", "Time against Courant number"});
    if (view_.grids.size() > 1) all.push_back({"by-size", "Scaling with size"});
    if (several_steps()) all.push_back({"by-step", "Over the steps of the run"});
    if (any_history()) all.push_back({"residuals", "Residuals"});
    all.push_back({"memory", "Memory"});
    return all;
  }

  std::string answer() const {
    std::string out = "<section id=\"answer\">\n<h2>Answer</h2>\n";
    const std::size_t words = view_.ranking.sentences.size() - view_.ranking.failures.size();
    const std::size_t verdicts = std::min(words, view_.grids.size());  // one sentence a grid comes first
    for (std::size_t k = 0; k < verdicts; ++k)
      out += "<p class=\"verdict\">" + html_sentence(view_.ranking.sentences[k]) + "</p>\n";
    if (words > verdicts) {
      out += "<ul>\n";
      for (std::size_t k = verdicts; k < words; ++k)
        out += "<li>" + html_sentence(view_.ranking.sentences[k]) + "</li>\n";
      out += "</ul>\n";
    }
    if (view_.ranking.best.empty())
      return out + "<p class=\"warning\">No candidate converged.</p>\n</section>\n";
    out += "<h3>" + view_.marked(view_.ranking.best) + " is the best for this config</h3>\n";
    if (view_.swept())
      out +=
          "<p class=\"note\">It converges at the most points of the sweep and needs there the least multiple "
          "of the winners' times.</p>\n";
    if (!facts_.best.empty())
      out += "<div class=\"copyable\"><pre>" + xml_escaped(facts_.best) + "</pre></div>\n";
    return out + "</section>\n";
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
    if (view_.ranking.failures.empty()) return "";
    std::string out = "<section id=\"failures\">\n<h2>What failed, and why</h2>\n<ul>\n";
    for (const std::string& s : view_.ranking.failures) out += "<li>" + html_sentence(s) + "</li>\n";
    return out + "</ul>\n</section>\n";
  }

  std::string made_with() const {
    std::string out = made_with_section(facts_.facts, facts_.config);
    if (has_plots()) out += "<p id=\"save\"></p>\n";
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
  const StudyView view_;
};

}  // namespace

std::string study_page(const StudyFacts& facts, const std::vector<StudyRow>& rows) {
  return Page(facts, rows).text();
}

}  // namespace wavesim
