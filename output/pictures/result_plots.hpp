#pragma once
// The plots of a result: receivers, energy, iterations, residual, seconds a step.

#include <string>
#include <utility>
#include <vector>

#include "output/hdf5/result_reader.hpp"
#include "output/pictures/plot.hpp"

namespace wavesim {

/// Name (of a file, too) and plot. Empty where the result has nothing to show.
using NamedPlots = std::vector<std::pair<std::string, Plot>>;

NamedPlots receiver_plots(const ResultReader& result);
NamedPlots history_plots(const ResultReader& result);

/// FOLDER/RUN_NAME.svg and .png of each; the files.
std::vector<std::string> write_plots(const NamedPlots& plots, const ResultReader& result,
                                     const std::string& folder, int width);

}  // namespace wavesim
