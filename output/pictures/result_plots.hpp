#pragma once
// The figures of a result: receivers, energy, iterations, residual, seconds a step.

#include <string>
#include <utility>
#include <vector>

#include "output/hdf5/result_reader.hpp"
#include "output/pictures/figure.hpp"
#include "output/pictures/plot.hpp"

namespace wavesim {

/// Name (of a file, too) and figure. Empty where the result has nothing to show.
using NamedFigures = std::vector<std::pair<std::string, Figure>>;
using NamedPlots = std::vector<std::pair<std::string, Plot>>;

/// WHAT or WHAT_LINE, in letters that a file's name may have: a result's lines may be named "../x".
std::string figure_name(const std::string& what, const std::string& line);

/// Up to six receivers as curves, and gathers of lines that have more. `gain`: gather.hpp.
NamedFigures receiver_figures(const ResultReader& result, double gain = 0);
NamedPlots history_plots(const ResultReader& result);
NamedFigures figures_of(const NamedPlots& plots);

/// FOLDER/RUN_NAME.svg, .pdf and .png of each; the files.
std::vector<std::string> write_figures(const NamedFigures& figures, const ResultReader& result,
                                       const std::string& folder, int width);

}  // namespace wavesim
