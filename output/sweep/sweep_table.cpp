#include "output/sweep/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/run/csv_cell.hpp"
#include "output/run/driven.hpp"

namespace wavesim {

namespace {

constexpr SweepFigure figures[] = {{"steps", "steps", &SweepRow::steps},
                                   {"seconds", "seconds", &SweepRow::seconds},
                                   {"iterations_mean", "iterations", &SweepRow::iterations},
                                   {"energy_first", "first energy", &SweepRow::energy_first},
                                   {"energy_last", "last energy", &SweepRow::energy_last},
                                   {"energy_drift", "drift", &SweepRow::energy_drift},
                                   {"largest_displacement", "largest |u|", &SweepRow::largest},
                                   {"largest_received", "received |u|", &SweepRow::received}};

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (double v : values) largest = std::max(largest, std::abs(v));
  return largest;
}

}  // namespace

std::span<const SweepFigure> sweep_figures() { return figures; }

bool any_has(const SweepTable& table, const SweepFigure& figure) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const SweepRow& row) { return !std::isnan(row.*figure.value); });
}

void read_figures(const ResultReader& result, SweepRow& row) {
  const auto of = [&](const char* name) { return result.summary(name).value_or(not_known); };
  row.steps = of("steps");
  row.seconds = of("seconds");
  row.iterations = of("iterations_mean");
  row.energy_first = of("energy_first");
  row.energy_last = of("energy_last");
  if (!is_driven(result.info().config)) row.energy_drift = of("energy_drift");
  const char* const maxima = "max-displacement";
  if (result.has(maxima) && !result.frames().empty()) {
    std::vector<float> values;
    result.read(maxima, result.frames().size() - 1, values);
    row.largest = largest_of({values.begin(), values.end()});
  }
  row.received = of("largest_received");
  if (!std::isnan(row.received)) return;  // else the file has no receivers, or is an older one
  const ReceiverSeries series = result.receivers();
  if (series.time.empty()) return;
  row.received = 0;
  for (const std::vector<double>& values : series.values)
    row.received = std::max(row.received, largest_of(values));
}

std::string sweep_csv(const SweepTable& table) {
  std::string text = "run";
  for (const std::string& key : table.keys) text += "," + csv_cell(key);
  text += ",status,exit_status";
  for (const SweepFigure& f : figures) text += std::string(",") + f.name;
  text += ",message\n";
  for (const SweepRow& row : table.rows) {
    text += csv_cell(row.name);
    for (const std::string& value : row.values) text += "," + csv_cell(value);
    text += "," + row.status + ",";
    if (row.status != "not-run") text += std::to_string(row.exit_status);
    for (const SweepFigure& f : figures)
      text += "," + (std::isnan(row.*f.value) ? std::string() : fmt::format("{}", row.*f.value));
    text += "," + csv_cell(row.message) + "\n";
  }
  return text;
}

std::string sweep_text(const SweepTable& table) {
  std::vector<std::vector<std::string>> lines(table.rows.size() + 1);
  const auto column = [&](const std::string& heading, const auto& cell) {
    lines[0].push_back(heading);
    for (std::size_t r = 0; r < table.rows.size(); ++r) lines[r + 1].push_back(cell(table.rows[r]));
  };
  column("run", [](const SweepRow& row) { return row.name; });
  column("status", [](const SweepRow& row) { return row.status; });
  for (const SweepFigure& f : figures)
    if (any_has(table, f))
      column(f.heading, [&](const SweepRow& row) {
        return std::isnan(row.*f.value) ? std::string("-") : fmt::format("{:.4g}", row.*f.value);
      });
  std::string text;
  std::vector<std::size_t> widths(lines[0].size());
  for (const auto& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c)
      text += c < 2 ? fmt::format("{}{:<{}}", c ? "  " : "", line[c], widths[c])
                    : fmt::format("  {:>{}}", line[c], widths[c]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  for (const SweepRow& row : table.rows)
    if (!row.message.empty()) text += row.name + ": " + row.message + "\n";
  return text;
}

Tree sweep_tree(const SweepTable& table) {
  Tree runs = Tree::list();
  for (const SweepRow& row : table.rows) {
    Tree one = Tree::map();
    one.add("run", Tree::string(row.name));
    for (std::size_t k = 0; k < table.keys.size(); ++k) one.add(table.keys[k], Tree::string(row.values[k]));
    one.add("status", Tree::string(row.status));
    one.add("exit-status", row.status == "not-run" ? Tree() : Tree::bare(std::to_string(row.exit_status)));
    for (const SweepFigure& f : figures)
      one.add(f.name, std::isfinite(row.*f.value) ? Tree::bare(shortest(row.*f.value)) : Tree());
    if (!row.message.empty()) one.add("message", Tree::string(row.message));
    runs.items.push_back(std::move(one));
  }
  return runs;
}

}  // namespace wavesim
