#include "output/pictures/result_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "output/pictures/scene.hpp"
#include "output/run/partial_file.hpp"

namespace wavesim {

namespace {

constexpr std::size_t most_curves = 6, most_wiggles = 50;

}  // namespace

NamedPlots receiver_plots(const ResultReader& result) {
  const ReceiverSeries series = result.receivers();
  const std::vector<ReceiverInfo>& all = result.info().receivers;
  if (series.time.empty()) return {};
  Plot plot;
  plot.x_name = "t";
  plot.x_unit = "s";
  const std::size_t every = all.size() <= most_curves ? 1 : (all.size() + most_wiggles - 1) / most_wiggles;
  plot.wiggles = all.size() > most_curves;
  plot.title = all.size() == 1 ? "Receiver " + all.front().name : "Receivers";
  if (every > 1) plot.title += ", one in " + std::to_string(every) + " of " + std::to_string(all.size());
  const std::string model = model_of(result.info().config), unit = unit_of("displacement", model);
  if (!plot.wiggles) plot.y_name = name_of("displacement", model), plot.y_unit = unit;
  for (std::size_t r = 0; r < all.size(); r += every)
    plot.curves.push_back({all[r].name, series.time, series.values[r]});
  if (plot.wiggles) {
    // What arrives late is weak: traces are cut off at the value that one sample in fifty exceeds.
    std::vector<double> sizes;
    for (const std::vector<double>& values : series.values)
      for (double v : values)
        if (std::isfinite(v)) sizes.push_back(std::abs(v));
    if (sizes.empty()) return {{"receivers", plot}};
    const auto cut = sizes.begin() + long(sizes.size() - 1 - sizes.size() / 50);
    std::nth_element(sizes.begin(), cut, sizes.end());
    const double largest = *std::max_element(cut, sizes.end());
    plot.clip = *cut > 0 ? *cut : largest;
    plot.title += fmt::format("; largest |u| {:.3g} {}, cut off at {:.3g}", largest, unit, *plot.clip);
  }
  return {{"receivers", plot}};
}

NamedPlots history_plots(const ResultReader& result) {
  NamedPlots plots;
  const HistoryColumns h = result.history();
  const Series energy = result.energy();
  const std::string energy_unit = model_of(result.info().config) == "membrane" ? "J" : "";
  const bool solved = std::any_of(h.iterations.begin(), h.iterations.end(), [](double v) { return v > 0; });
  if (energy.time.size() > 1)
    plots.push_back({"energy",
                     {.title = "Energy",
                      .x_name = "t",
                      .x_unit = "s",
                      .y_name = "energy",
                      .y_unit = energy_unit,
                      .curves = {{"energy", energy.time, energy.value}},
                      .from_zero = true}});
  if (!h.balance.empty())
    plots.push_back({"balance",
                     {.title = "What changed the energy since the start",
                      .x_name = "t",
                      .x_unit = "s",
                      .y_name = "energy",
                      .y_unit = energy_unit,
                      .curves = {{"work of sources", h.time, h.balance[0]},
                                 {"loss by damping", h.time, h.balance[1]},
                                 {"outflow", h.time, h.balance[2]},
                                 {"work of residuals", h.time, h.balance[3]}}}});
  if (solved) {
    plots.push_back({"iterations",
                     {.title = "Iterations a step",
                      .x_name = "t",
                      .x_unit = "s",
                      .y_name = "iterations",
                      .curves = {{"iterations", h.time, h.iterations}},
                      .from_zero = true}});
    plots.push_back({"residual",
                     {.title = "True residual a step",
                      .x_name = "t",
                      .x_unit = "s",
                      .y_name = "relative residual",
                      .curves = {{"norm of the solver", h.time, h.residual_2},
                                 {"what the method believes", h.time, h.residual_recurrence},
                                 {"largest", h.time, h.residual_max}},
                      .log_y = true}});
  }
  if (!h.time.empty()) {
    Plot seconds{.title = "Time a step",
                 .x_name = "t",
                 .x_unit = "s",
                 .y_name = "wall time",
                 .y_unit = "s",
                 .curves = {},
                 .from_zero = true};
    if (solved) seconds.curves.push_back({"solve", h.time, h.solve_seconds});
    seconds.curves.push_back({"assembly", h.time, h.assembly_seconds});
    plots.push_back({"seconds", seconds});
  }
  return plots;
}

std::vector<std::string> write_plots(const NamedPlots& plots, const ResultReader& result,
                                     const std::string& folder, int width) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail_to_write(folder, error.message());
  std::vector<std::string> files;
  for (const auto& [name, plot] : plots) {
    const std::string stem = folder + "/" + result.info().name + "_" + name;
    replace_file(stem + ".svg", svg_of(plot));
    replace_file(stem + ".png", canvas_of(plot, width).png());
    replace_file(stem + ".pdf", pdf_of(plot));
    files.push_back(stem + ".svg, .pdf, .png");
  }
  return files;
}

}  // namespace wavesim
