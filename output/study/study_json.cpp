#include "output/study/study_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "output/study/study_table.hpp"

namespace wavesim {

namespace {

/// How much is written.
struct Detail {
  int digits;          // of the numbers of rows, 0: all that tell them apart
  std::size_t values;  // of a history, at most
};

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out.append(1, '\\').append(1, c);
    else if (static_cast<unsigned char>(c) < ' ' || c == '<')
      out += fmt::format("\\u{:04x}", int(c));
    else
      out += c;
  }
  return out + '"';
}

std::string json_number(double v, int digits) {
  if (!std::isfinite(v)) return "null";
  return digits ? fmt::format("{:.{}g}", v, digits) : fmt::format("{}", v);
}

/// Values with commas, in brackets.
template <class List, class Word>
std::string json_list(const List& list, const Word& word) {
  std::string out = "[";
  for (const auto& item : list) out.append(out.size() > 1 ? "," : "").append(word(item));
  return out + "]";
}

std::string points_of(const StudyRanking& ranking) {
  std::map<std::string, std::size_t> place;
  for (const std::string& name : ranking.order) place.emplace(name, place.size());
  return json_list(ranking.points, [&](const PointRanking& p) {
    const std::string standings = json_list(p.standings, [&](const Standing& s) {
      std::string one =
          fmt::format("{{\"candidate\":{},\"converged\":{}", place.at(s.candidate), s.converged);
      for (const auto& [key, v] : {std::pair{"seconds", s.seconds},
                                   {"setup_seconds", s.setup_seconds},
                                   {"iterations", s.iterations},
                                   {"bandwidth_share", s.bandwidth_share},
                                   {"memory_bytes", s.memory_bytes},
                                   {"residual", s.residual},
                                   {"error", s.error}})
        one += fmt::format(",\"{}\":{}", key, json_number(v, 0));
      return one + "}";
    });
    return fmt::format("{{\"number\":{},\"cells\":[{},{}],\"courant\":{},\"dt\":{},\"standings\":{}}}",
                       p.number, p.cells_x, p.cells_y, json_number(p.courant, 0), json_number(p.time_step, 0),
                       standings);
  });
}

/// Texts of a column are few: each once, and for each row which one.
std::string texts_of(const std::vector<StudyRow>& rows, std::string StudyRow::*member) {
  std::map<std::string, std::size_t> place;
  std::vector<std::string> texts;
  std::vector<std::size_t> at;
  for (const StudyRow& r : rows) {
    const auto [found, fresh] = place.emplace(r.*member, texts.size());
    if (fresh) texts.push_back(r.*member);
    at.push_back(found->second);
  }
  return "{\"texts\":" + json_list(texts, json_text) +
         ",\"at\":" + json_list(at, [](std::size_t k) { return std::to_string(k); }) + "}";
}

std::string columns_of(const std::vector<StudyRow>& rows, int digits) {
  std::string out = "{";
  for (const StudyColumn& c : study_columns()) {
    out += (out.size() > 1 ? ",\n" : "\n") + json_text(c.name) + ":";
    out += std::visit(
        [&](auto member) {
          if constexpr (std::is_same_v<decltype(member), std::string StudyRow::*>) {
            return texts_of(rows, member);
          } else if constexpr (std::is_same_v<decltype(member), long StudyRow::*>) {
            return json_list(rows, [&](const StudyRow& r) { return std::to_string(r.*member); });
          } else {
            return json_list(rows, [&](const StudyRow& r) { return json_number(r.*member, digits); });
          }
        },
        c.member);
  }
  return out + "}";
}

/// Every stride-th value and the last: never more than `most` of them and one.
std::size_t stride_of(const StudyRow& r, std::size_t most) {
  return r.history.size() <= most + 1 ? 1 : (r.history.size() - 1 + most - 1) / most;
}

std::vector<double> thinned(const StudyRow& r, std::size_t most) {
  if (most == 0 || r.history.empty()) return {};
  std::vector<double> few;
  for (std::size_t k = 0; k + 1 < r.history.size(); k += stride_of(r, most)) few.push_back(r.history[k]);
  few.push_back(r.history.back());
  return few;
}

std::string histories_of(const std::vector<StudyRow>& rows, std::size_t most) {
  const auto stride = [&](const StudyRow& r) { return std::to_string(most ? stride_of(r, most) : 1); };
  const auto values = [&](const StudyRow& r) {
    return json_list(thinned(r, most), [](double v) { return json_number(v, 4); });
  };
  return "{\"stride\":" + json_list(rows, stride) + ",\n\"values\":" + json_list(rows, values) + "}";
}

std::string what_is_left_out(const std::vector<StudyRow>& rows, const Detail& d) {
  std::string text;
  if (d.values == 0)
    text = "The histories of the residuals are left out here";
  else
    for (const StudyRow& r : rows)
      if (stride_of(r, d.values) > 1) {
        text = fmt::format("Residuals are drawn by at most {} values a curve", d.values + 1);
        break;
      }
  if (d.digits)
    text += fmt::format("{} {} digits", text.empty() ? "Numbers have" : ", and numbers have", d.digits);
  return text.empty() ? "" : text + "; study.h5 has all of them.";
}

}  // namespace

std::map<std::string, std::size_t> looks_of(const StudyRanking& ranking) {
  std::map<std::string, std::size_t> looks;
  const auto place = [&](const std::string& name) {  // the best of it at any point, where it converges
    std::size_t best = 2;
    for (const PointRanking& p : ranking.points)
      for (std::size_t k = 0; k < best && k < p.standings.size(); ++k)
        if (p.standings[k].candidate == name && p.standings[k].converged) best = k;
    return best;
  };
  for (std::size_t k = 0; k <= 2; ++k)
    for (const std::string& name : ranking.order)
      if (place(name) == k) looks.emplace(name, looks.size());
  return looks;
}

StudyJson study_json(const std::string& name, const std::vector<StudyRow>& rows, const StudyRanking& ranking,
                     std::size_t most) {
  const std::map<std::string, std::size_t> looks = looks_of(ranking);
  const auto look = [&](const std::string& name) { return std::to_string(looks.at(name)); };
  const std::string head =
      "{\"name\":" + json_text(name) + ",\n\"candidates\":" + json_list(ranking.order, json_text) +
      ",\n\"looks\":" + json_list(ranking.order, look) + ",\n\"points\":" + points_of(ranking) + ",\n";
  StudyJson json;
  for (const Detail& d : {Detail{0, 500}, {0, 250}, {0, 120}, {0, 60}, {6, 60}, {6, 25}, {4, 12}, {4, 0}}) {
    json.text = head + "\"columns\":" + columns_of(rows, d.digits) +
                ",\n\"histories\":" + histories_of(rows, d.values) + "}";
    json.left_out = what_is_left_out(rows, d);
    if (json.text.size() <= most) break;
  }
  return json;
}

}  // namespace wavesim
