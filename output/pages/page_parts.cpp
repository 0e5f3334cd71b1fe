#include "output/pages/page_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <study_page_texts.hpp>

#include "output/pictures/xml_escaped.hpp"
#include "output/run/result_directory.hpp"

namespace wavesim {

std::string page_begin(const std::string& name, const std::string& about) {
  // The policy keeps the page from asking any network for anything.
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; "
         "script-src 'unsafe-inline'; img-src data:\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         xml_escaped(name) + ": " + about + "</title>\n<style>\n" + page::study_style +
         "</style>\n</head>\n<body>\n<h1>" + xml_escaped(name) + "</h1>\n";
}

std::string number_cell(const std::string& heading, double v, const std::string& words) {
  if (std::isnan(v)) return "<td></td>";
  return fmt::format("<td data-v=\"{}\" data-name=\"{}\">{}</td>", v, heading, words);
}

std::string svg_for_windows(const Figure& figure) {
  return "<div class=\"broad\">" + svg_of(figure, false) + "</div><div class=\"narrow\">" +
         svg_of(figure, false, plotting::narrow_width) + "</div>";
}

std::string made_with_section(const std::map<std::string, std::string>& facts, const std::string& config) {
  std::string out = "<section id=\"made-with\">\n<h2>Made with</h2>\n";
  if (const auto command = facts.find("command"); command != facts.end() && !command->second.empty())
    out += "<div class=\"copyable\"><pre>" + xml_escaped(command->second) + "</pre></div>\n";
  out += "<div class=\"wide\"><table class=\"facts\"><tbody>\n";
  for (const auto& [key, value] : facts) {
    if (key == "command" || key == "name" || value.empty()) continue;
    const bool bandwidth = key == "copy-bandwidth";
    out += "<tr><th scope=\"row\">" + xml_escaped(key) + "</th><td>" +
           (bandwidth ? human_bytes(std::strtod(value.c_str(), nullptr)) + " a second" : xml_escaped(value)) +
           "</td></tr>\n";
  }
  return out + "</tbody></table></div>\n<details><summary>Effective config</summary><pre>" +
         xml_escaped(config) + "</pre></details>\n";
}

}  // namespace wavesim
