#include "output/pages/html_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "output/pages/page_parts.hpp"
#include "output/pictures/base64.hpp"
#include "output/pictures/receiver_spectra.hpp"
#include "output/pictures/result_plots.hpp"
#include "output/pictures/ticks.hpp"
#include "output/pictures/xml_escaped.hpp"
#include "output/run/driven.hpp"
#include "output/run/duration.hpp"

namespace wavesim {

namespace {

constexpr const char* style = R"css(
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --soft: #f2f2f0; --line: #ccc; --alarm: #a02000; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e0; --paper: #16181a; --soft: #22262a; --line: #444; --alarm: #ff9a70; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 62rem; margin: 0 auto; padding: 1rem; }
h1 { margin: .2em 0; } h2 { border-bottom: 1px solid var(--line); margin-top: 2rem; }
.lead { font-size: 1.1rem; } .warning { color: var(--alarm); font-weight: 600; }
figure { margin: 1rem 0; } img, svg { max-width: 100%; height: auto; display: block; } svg { width: 100%; }
figcaption { font-size: .85rem; opacity: .8; }
.narrow { display: none; }
@media screen and (max-width: 40rem) { .narrow { display: block; } .broad { display: none; } }
.wide { overflow-x: auto; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .2rem .9rem .2rem 0; vertical-align: top;
  border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
td { overflow-wrap: anywhere; }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; font-size: .85rem; }
@media print {
  :root { --ink: #000; --paper: #fff; --soft: #fff; --line: #999; --alarm: #a00; color-scheme: light; }
  body { max-width: none; padding: 0; } figure, tr { break-inside: avoid; } pre { white-space: pre-wrap; }
}
)css";

/// Without rows that say nothing.
std::string table(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::string out = "<div class=\"wide\"><table>\n";
  for (const auto& [name, value] : rows)
    if (!value.empty())
      out += "<tr><th scope=\"row\">" + xml_escaped(name) + "</th><td>" + xml_escaped(value) + "</td></tr>\n";
  return out + "</table></div>\n";
}

std::string fact(const RunInfo& info, const char* key) {
  const auto found = info.facts.find(key);
  return found == info.facts.end() ? "" : found->second;
}

std::string figure_with(const Figure& figure, const std::string& caption) {
  return "<figure>" + svg_for_windows(figure) +
         (caption.empty() ? "" : "<figcaption>" + xml_escaped(caption) + "</figcaption>") + "</figure>\n";
}

/// Receiver, frequency, height.
std::string table_of_peaks(const ReceiverSpectra& s) {
  double largest = 0;
  for (const ReceiverPeak& p : s.peaks) largest = std::max(largest, p.amplitude);
  const Scale scale = scale_of(s.plot.y_unit, largest);
  std::string out = "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">" +
                    std::string(s.name.empty() ? "receiver" : "line") +
                    "</th><th scope=\"col\">peak at</th><th scope=\"col\">" +
                    xml_escaped(scale.label("height")) + "</th></tr></thead>\n";
  for (const ReceiverPeak& p : s.peaks)
    out += "<tr><td>" + xml_escaped(s.name.empty() ? s.plot.curves[p.curve].name : s.name) + "</td><td>" +
           xml_escaped(p.text) + "</td><td>" + fmt::format("{:.3g}", p.amplitude * scale.factor) +
           "</td></tr>\n";
  return out + "</table></div>\n";
}

/// "10 µs"; empty where it is not known.
std::string time_step(const RunInfo& info) {
  const double seconds = std::strtod(fact(info, "time-step").c_str(), nullptr);
  const Scale scale = seconds < 1 ? scale_of("s", seconds) : Scale{1, "s"};
  return seconds > 0 ? fmt::format("{:.6g} {}", seconds * scale.factor, scale.unit) : "";
}

std::string number(const RunInfo& info, const char* key) {
  const std::string text = fact(info, key);
  return text.empty() ? "" : fmt::format("{:.6g}", std::strtod(text.c_str(), nullptr));
}

/// What a reader should know before trusting the numbers.
std::vector<std::string> warnings(const ResultReader& result, const HistoryColumns& h) {
  std::vector<std::string> list;
  if (!result.complete())
    list.push_back(result.ending() == "running"
                       ? "The run is still going on, or it was killed; what is here is what it had written."
                       : "The run did not reach its end: " + result.ending());
  std::size_t failed = 0, first = 0;
  for (std::size_t k = 0; k < h.status.size(); ++k)
    if (h.status[k] != "converged" && !h.status[k].empty() && failed++ == 0) first = k;
  if (failed)
    list.push_back(fmt::format("{} of {} solves did not converge, first in step {:.0f}: {}.", failed,
                               h.status.size(), h.step[first], h.status[first]));
  const Series energy = result.energy();
  if (!energy.value.empty()) {
    const double first_energy = energy.value.front(), last = energy.value.back();
    if (!std::isfinite(last)) list.push_back("The energy is no number at the end.");
    if (!is_driven(result.info().config) && first_energy > 0 && last > 1.001 * first_energy)
      list.push_back(
          fmt::format("The energy grew by {:.2g} % without a source.", 100 * (last / first_energy - 1)));
  }
  return list;
}

}  // namespace

std::string html_of(const ResultReader& result, const std::string& sheet, const std::string& made_by,
                    const std::string& narrow_sheet) {
  const RunInfo& info = result.info();
  const HistoryColumns h = result.history();
  const auto summary = [&](const char* name) { return result.summary(name); };
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      xml_escaped(info.name) + ": a run of wavesim</title>\n<style>" + style +
      "</style>\n</head>\n<body>\n<h1>" + xml_escaped(info.name) + "</h1>\n<p class=\"lead\">";
  const double steps = summary("steps").value_or(h.step.empty() ? 0 : h.step.back());
  out += fmt::format("{} {:.0f} steps of {}", result.complete() ? "Done:" : "Stopped after", steps,
                     time_step(info));
  if (const auto seconds = summary("seconds")) out += " in " + human_duration(*seconds);
  out += xml_escaped(fmt::format(" on {}, {} precision, {}.", fact(info, "device"), fact(info, "precision"),
                                 fact(info, "scheme"))) +
         "</p>\n";
  for (const std::string& w : warnings(result, h)) out += "<p class=\"warning\">" + xml_escaped(w) + "</p>\n";

  if (!sheet.empty())
    out += "<h2>What the wave did</h2>\n<figure><picture>" +
           (narrow_sheet.empty() ? ""
                                 : "<source media=\"(max-width: 40rem)\" srcset=\"data:image/png;base64," +
                                       base64(narrow_sheet) + "\">") +
           "<img alt=\"contact sheet of " + xml_escaped(info.name) + "\" src=\"data:image/png;base64," +
           base64(sheet) +
           "\"></picture><figcaption>Crosses are sources, rings or dots receivers.</figcaption></figure>\n";
  const auto figures = [&](const char* title, const NamedFigures& plots) {
    if (plots.empty()) return;
    out += std::string("<h2>") + title + "</h2>\n";
    for (const auto& [name, plot] : plots) out += figure_with(plot, "");
  };
  figures("Receivers", receiver_figures(result, 1));
  for (const ReceiverSpectra& s : receiver_spectra(result)) {
    out += figure_with(figure_of(s.plot),
                       "The duration T of the record tells apart what is 1/T = " +
                           frequency_text(s.resolution, s.resolution / 50) +
                           " apart; a peak that stands alone is known to about a fiftieth of that.");
    out += table_of_peaks(s);
  }
  figures("Energy and solver", figures_of(history_plots(result)));

  out += "<h2>Numbers</h2>\n";
  std::vector<std::pair<std::string, std::string>> rows;
  rows.push_back({"steps", fmt::format("{:.0f}", steps)});
  rows.push_back({"time step", time_step(info)});
  rows.push_back({"Courant number", number(info, "courant-number")});
  if (info.nx) {
    rows.push_back({"nodes of the output", fmt::format("{} x {}", info.nx, info.ny)});
    rows.push_back({"frames", std::to_string(result.frames().size())});
  }
  if (const auto mean = summary("iterations_mean"); mean && *mean > 0)
    rows.push_back({"iterations a step", fmt::format("{:.0f} least, {:.1f} mean, {:.0f} most",
                                                     summary("iterations_min").value_or(0), *mean,
                                                     summary("iterations_max").value_or(0))});
  for (const auto& [key, name] : {std::pair{"seconds", "whole run"},
                                  {"assembly_seconds", "assembly"},
                                  {"solve_seconds", "solves"},
                                  {"output_seconds", "output"}})
    if (const auto seconds = summary(key); seconds && *seconds > 0)
      rows.push_back({name, human_duration(*seconds)});
  if (const auto drift = summary("energy_drift"); drift && !is_driven(result.info().config))
    rows.push_back({"largest change of energy", fmt::format("{:.2g} of the first", *drift)});
  if (const auto error = summary("largest_balance_error"))
    rows.push_back({"balance of energy", fmt::format("closes to {:.2g} of its largest term", *error)});
  out += table(rows);

  out += "<h2>Made with</h2>\n";
  rows.assign(info.facts.begin(), info.facts.end());
  // Those above, and what is for programs.
  const std::set<std::string> left_out{"prices-file", "steps", "time-step", "courant-number"};
  std::erase_if(rows, [&](const auto& row) { return left_out.contains(row.first); });
  out += table(rows) + "<h2>Effective config</h2>\n<pre>" + xml_escaped(info.config) + "</pre>\n";
  out += "<p><small>" + xml_escaped(made_by) + "</small></p>\n</body>\n</html>\n";
  return out;
}

}  // namespace wavesim
