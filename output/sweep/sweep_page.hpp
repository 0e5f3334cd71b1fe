#pragma once
// A sweep or a survey as one HTML page without scripts: its table, curves over the keys that vary, a picture of each run.

#include <map>
#include <string>
#include <vector>

#include "output/pictures/result_plots.hpp"
#include "output/sweep/sweep_table.hpp"

namespace wavesim {

/// What the runs were made with.
struct SweepFacts {
  std::string name, kind;                    // "sweep" or "survey"
  std::string config;                        // the effective one of the first run
  std::map<std::string, std::string> facts;  // as a page shows them
};

struct RunPicture {
  std::string run, png;
};

/// Curves of what the runs say over each key whose values are numbers, one for each combination of the other keys.
NamedPlots sweep_plots(const SweepTable& table, const std::string& model);

std::string sweep_page(const SweepFacts& facts, const SweepTable& table,
                       const std::vector<RunPicture>& pictures);

}  // namespace wavesim
