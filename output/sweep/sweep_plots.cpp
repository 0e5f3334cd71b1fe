#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "output/pictures/scene.hpp"
#include "output/sweep/sweep_page.hpp"

namespace wavesim {

namespace {

constexpr std::size_t most_curves = 6;

struct Ordinate {
  double SweepRow::*value;
  std::string name, unit;
};

std::vector<Ordinate> ordinates(const std::string& model) {
  const std::string u = name_of("displacement", model), unit = unit_of("displacement", model);
  return {{&SweepRow::received, "largest |" + u + "| at receivers", unit},
          {&SweepRow::largest, "largest |" + u + "|", unit},
          {&SweepRow::energy_last, "last energy", unit_of("energy", model)},
          {&SweepRow::iterations, "iterations a step", ""},
          {&SweepRow::seconds, "time of the run", "s"}};
}

/// The number that a value is; of a list, [80, 40], its first.
std::optional<double> number_of(std::string_view value) {
  if (value.starts_with('[')) value.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const std::size_t used = std::size_t(end - value.data());
  if (error != std::errc() || !std::isfinite(number) || (used < value.size() && value[used] != ','))
    return std::nullopt;
  return number;
}

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// "cells = [80, 80], tolerance = 1e-6": the values of the other keys that vary.
std::string others(const SweepTable& table, const SweepRow& row, std::size_t key) {
  std::string text;
  for (std::size_t k = 0; k < table.keys.size(); ++k) {
    const bool varies = std::any_of(table.rows.begin(), table.rows.end(),
                                    [&](const SweepRow& other) { return other.values[k] != row.values[k]; });
    if (k != key && varies)
      text += (text.empty() ? "" : ", ") + last_part(table.keys[k]) + " = " + row.values[k];
  }
  return text;
}

/// Of each combination of the other keys the points that are known, in the order of x.
std::vector<Curve> curves_over(const SweepTable& table, std::size_t key, double SweepRow::*value) {
  std::vector<std::pair<std::string, std::vector<std::pair<double, double>>>> groups;
  for (const SweepRow& row : table.rows) {
    const std::optional<double> x = number_of(row.values[key]);
    if (!x) return {};
    const std::string name = others(table, row, key);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == name; });
    if (group == groups.end()) group = groups.insert(group, {name, {}});
    if (std::isfinite(row.*value)) group->second.push_back({*x, row.*value});
  }
  std::vector<Curve> curves;
  for (auto& [name, points] : groups) {
    std::sort(points.begin(), points.end());
    Curve curve{name, {}, {}};
    for (const auto& [x, y] : points) curve.x.push_back(x), curve.y.push_back(y);
    const bool moves = curve.x.size() > 1 && curve.x.front() < curve.x.back();
    if (moves) curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace

NamedPlots sweep_plots(const SweepTable& table, const std::string& model) {
  NamedPlots plots;
  for (std::size_t key = 0; key < table.keys.size(); ++key)
    for (const Ordinate& o : ordinates(model)) {
      std::vector<Curve> curves = curves_over(table, key, o.value);
      if (curves.empty() || curves.size() > most_curves) continue;
      plots.push_back({table.keys[key],
                       {.title = o.name,
                        .x_name = table.keys[key],
                        .y_name = o.name,
                        .y_unit = o.unit,
                        .curves = std::move(curves),
                        .from_zero = true}});
    }
  return plots;
}

}  // namespace wavesim
