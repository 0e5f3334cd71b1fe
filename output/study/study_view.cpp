#include "output/study/study_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "output/pictures/xml_escaped.hpp"
#include "output/study/study_json.hpp"

namespace wavesim {

namespace {

bool same(double a, double b) { return std::abs(a - b) < 0.02 * a; }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

StudyView::StudyView(const std::vector<StudyRow>& r) : rows(r), ranking(rank(r)), looks(looks_of(ranking)) {
  for (const PointRanking& p : ranking.points) {
    grids.insert({p.cells_x, p.cells_y});
    if (std::none_of(courants.begin(), courants.end(), [&](double c) { return same(c, p.courant); }))
      courants.push_back(p.courant);
  }
  std::sort(courants.begin(), courants.end());
}

std::string StudyView::name_of(const PointRanking& p) const {
  return fmt::format("{} × {} cells, Courant {:.4g}", p.cells_x, p.cells_y, p.courant);
}

std::string StudyView::colour_of(const std::string& candidate) const {
  return fmt::format("style=\"--c: var(--c{})\"", looks.at(candidate) % 10);
}

std::string StudyView::marked(const std::string& candidate) const {
  // long names may be broken where their parts meet
  std::string name = xml_escaped(candidate);
  for (const char* joint : {"+", "="}) name = replaced(name, joint, std::string(joint) + "<wbr>");
  return fmt::format("<span class=\"mark\" {}></span>{}", colour_of(candidate), name);
}

std::set<long> StudyView::steps() const {
  std::set<long> all;
  for (const StudyRow& r : rows) all.insert(r.step);
  return all;
}

const PointRanking* StudyView::point_at(std::pair<long, long> cells, double courant) const {
  for (const PointRanking& p : ranking.points)
    if (p.cells_x == cells.first && p.cells_y == cells.second && same(p.courant, courant)) return &p;
  return nullptr;
}

std::vector<const PointRanking*> StudyView::by_grid() const {
  std::vector<const PointRanking*> all;
  for (const PointRanking& p : ranking.points) all.push_back(&p);
  std::stable_sort(all.begin(), all.end(), [](const PointRanking* a, const PointRanking* b) {
    return std::tuple(a->cells_x, a->cells_y, a->courant) < std::tuple(b->cells_x, b->cells_y, b->courant);
  });
  return all;
}

std::string time_words(double seconds) { return replaced(short_duration(seconds), " us", " µs"); }

std::string html_sentence(const std::string& s) {
  std::string out = xml_escaped(s);
  for (const char* end : {" ", ",", ")", "."})
    for (char digit = '0'; digit <= '9'; ++digit)
      out = replaced(out, fmt::format("{} us{}", digit, end), fmt::format("{} µs{}", digit, end));
  return out;
}

}  // namespace wavesim
