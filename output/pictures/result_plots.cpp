#include "output/pictures/result_plots.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "output/pictures/gather.hpp"
#include "output/pictures/scene.hpp"
#include "output/run/partial_file.hpp"

namespace wavesim {

namespace {

Plot curves_of(const ResultReader& result, const ReceiverSeries& series,
               const std::vector<std::size_t>& receivers) {
  const std::vector<ReceiverInfo>& all = result.info().receivers;
  const std::string model = model_of(result.info().config);
  Plot plot;
  plot.title = receivers.size() == 1 ? "Receiver " + all[receivers.front()].name : "Receivers";
  plot.x_name = "t", plot.x_unit = "s";
  plot.y_name = name_of("displacement", model), plot.y_unit = unit_of("displacement", model);
  for (std::size_t r : receivers) plot.curves.push_back({all[r].name, series.time, series.values[r]});
  return plot;
}

}  // namespace

std::string figure_name(const std::string& what, const std::string& line) {
  std::string name = line.empty() ? what : what + "_" + line;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
  return name;
}

NamedFigures receiver_figures(const ResultReader& result, double gain) {
  const ReceiverSeries series = result.receivers();
  if (series.time.empty()) return {};
  NamedFigures figures;
  const std::vector<std::size_t> apart = receivers_apart(result.info().receivers, most_curves);
  if (!apart.empty() && apart.size() <= most_curves)
    figures.push_back({"receivers", figure_of(curves_of(result, series, apart))});
  for (const ShotGather& g : gathers_of(result, gain, most_curves))
    figures.push_back({figure_name("gather", g.line), figure_of(g)});
  return figures;
}

NamedPlots history_plots(const ResultReader& result) {
  NamedPlots plots;
  const HistoryColumns h = result.history();
  const Series energy = result.energy();
  const std::string energy_unit = unit_of("energy", model_of(result.info().config));
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
  const auto any = [](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double v) { return v > 0; });
  };
  if (any(h.solve_seconds) || any(h.assembly_seconds)) {  // explicit steps have neither
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

NamedFigures figures_of(const NamedPlots& plots) {
  NamedFigures figures;
  for (const auto& [name, plot] : plots) figures.push_back({name, figure_of(plot)});
  return figures;
}

std::vector<std::string> write_figures(const NamedFigures& figures, const ResultReader& result,
                                       const std::string& folder, int width) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail_to_write(folder, error.message());
  std::vector<std::string> files;
  for (const auto& [name, figure] : figures) {
    const std::string stem = folder + "/" + result.info().name + "_" + name;
    replace_file(stem + ".svg", svg_of(figure));
    replace_file(stem + ".png", canvas_of(figure, width).png());
    replace_file(stem + ".pdf", pdf_of(figure));
    files.push_back(stem + ".svg, .pdf, .png");
  }
  return files;
}

}  // namespace wavesim
