#include "output/sweep/sweep_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/pages/page_parts.hpp"
#include "output/pictures/base64.hpp"
#include "output/pictures/scene.hpp"
#include "output/pictures/ticks.hpp"
#include "output/pictures/xml_escaped.hpp"
#include "sim/config/suggest.hpp"

namespace wavesim {

namespace {

std::string lead(const SweepFacts& facts, const SweepTable& table) {
  const auto done =
      std::count_if(table.rows.begin(), table.rows.end(), [](const SweepRow& row) { return row.done(); });
  return "<p class=\"lead\">" +
         xml_escaped(facts.kind == "survey"
                         ? fmt::format("A survey of {} shots", table.rows.size())
                         : fmt::format("{} runs over {}", table.rows.size(), enumerate(table.keys))) +
         (done == long(table.rows.size()) ? ", all done" : fmt::format(", {} of them done", done)) +
         ".</p>\n";
}

/// "received |u| (Pa)"
std::string heading_of(const SweepFigure& f, const std::string& model) {
  const std::string u = unit_of("displacement", model);
  const std::string unit = f.value == &SweepRow::seconds ? "s"
                           : f.value == &SweepRow::energy_first || f.value == &SweepRow::energy_last
                               ? unit_of("energy", model)
                           : f.value == &SweepRow::largest || f.value == &SweepRow::received ? u
                                                                                             : "";
  const std::string heading = f.value == &SweepRow::seconds ? "run time" : f.heading;
  return Scale{1, unit}.label(heading);
}

/// The folders of a sweep are named after its values, those of shots are not.
std::string table_of(const SweepFacts& facts, const SweepTable& table) {
  const std::size_t keys = facts.kind == "survey" ? table.keys.size() : 0;
  std::vector<SweepFigure> known;
  for (const SweepFigure& f : sweep_figures())
    if (any_has(table, f)) known.push_back(f);
  const std::string model = model_of(facts.config);
  // Those of a survey are places.
  const auto key_heading = [&](std::size_t k) { return Scale{1, "m"}.label(table.keys[k]); };
  std::string out = "<div class=\"wide\"><table class=\"ranking\"><thead><tr><th scope=\"col\">run</th>";
  for (std::size_t k = 0; k < keys; ++k) out += "<th scope=\"col\">" + xml_escaped(key_heading(k)) + "</th>";
  for (const SweepFigure& f : known)
    out += "<th scope=\"col\">" + xml_escaped(heading_of(f, model)) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const SweepRow& row : table.rows) {
    out += std::string("<tr") + (row.done() ? "" : " class=\"failed\"") + "><th scope=\"row\">" +
           xml_escaped(row.name) + "</th>";
    for (std::size_t k = 0; k < keys; ++k)
      out += "<td data-name=\"" + xml_escaped(key_heading(k)) + "\">" + xml_escaped(row.values[k]) + "</td>";
    if (!row.done()) {
      out += fmt::format("<td class=\"bad\" colspan=\"{}\">", std::max<std::size_t>(known.size(), 1)) +
             xml_escaped(row.status) + (row.message.empty() ? "" : ": " + xml_escaped(row.message)) +
             "</td></tr>\n";
      continue;
    }
    for (const SweepFigure& f : known)
      out +=
          number_cell(xml_escaped(heading_of(f, model)), row.*f.value, fmt::format("{:.4g}", row.*f.value));
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string pictures_of(const SweepFacts& facts, const std::vector<RunPicture>& pictures) {
  if (pictures.empty()) return "";
  std::string out = std::string("<section id=\"pictures\">\n<h2>") +
                    (facts.kind == "survey" ? "What the receivers recorded"
                                            : "The last frame of each run, all with the same colours") +
                    "</h2>\n<div class=\"tiles\">\n";
  for (const RunPicture& p : pictures)
    out += "<figure><img alt=\"" + xml_escaped(p.run) + "\" src=\"data:image/png;base64," + base64(p.png) +
           "\"></figure>\n";
  return out + "</div>\n</section>\n";
}

std::string curves_of(const NamedPlots& plots) {
  std::string out, key;
  for (const auto& [name, plot] : plots) {
    if (name != key)
      out += (key.empty() ? "<section>\n<h2>Over " : "</section>\n<section>\n<h2>Over ") + xml_escaped(name) +
             "</h2>\n";
    key = name;
    out += "<figure class=\"curves\">" + svg_for_windows(figure_of(plot)) + "</figure>\n";
  }
  return key.empty() ? "" : out + "</section>\n";
}

}  // namespace

std::string sweep_page(const SweepFacts& facts, const SweepTable& table,
                       const std::vector<RunPicture>& pictures) {
  return page_begin(facts.name, "a " + facts.kind + " of wavesim") + lead(facts, table) +
         table_of(facts, table) + pictures_of(facts, pictures) +
         (facts.kind == "survey" ? "" : curves_of(sweep_plots(table, model_of(facts.config)))) +
         made_with_section(facts.facts, facts.config) + "</section>\n</body>\n</html>\n";
}

}  // namespace wavesim
