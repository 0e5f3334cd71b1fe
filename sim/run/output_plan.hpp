#pragma once
// What a run will write, known before it starts: which nodes, which times, how much.

#include "kernels/comm/parts_of_ranks.hpp"
#include "sim/run/writer.hpp"
#include "sim/time/scheme.hpp"

namespace wavesim {

/// A cut of the nodes for output: every stride-th node of a rectangle.
struct Window {
  std::array<long, 2> first{0, 0}, count{1, 1};
  long stride = 1;
};
/// Nodes inside output.fields.region (default: grid.size, layers only if asked), every stride-th.
Window output_window(const FieldsOutput& output, const Grid& grid);

/// Steps between two frames where the config says nothing: about a hundred frames.
long usual_interval(const TimePlan& plan);
/// Steps between two rows of the history where the config says nothing: each step has its solve. Steps without one have about a
/// thousand rows: they take less time than a row.
long usual_history(const Config& config, const TimePlan& plan);

/// Whether a list of quantities has this one.
bool has(const std::vector<std::string>& names, const char* name);

/// |u| (metres) that counts as arrived: what the user says, or 1 % of the largest initial displacement.
/// Throws InputError without either.
double arrival_threshold(const FieldsOutput& output, const Model& model);

/// The names of the solver and its fallback; empty where there is none.
std::vector<std::string> chain_of(const Config& config);

/// What the writers will be given: geometry, counts and receivers; no facts, name of folder or config text.
RunInfo plan_output(const Config& config, const Model& model, const TimePlan& plan);

/// What is written once of the nodes of the window: the wave speed, and inside and rim of RunInfo. Empty where it is not written.
struct PlanesOfModel {
  Values speed, inside, rim;
};
/// Where ranks share out the model, all of them ask, and rank 0 has all; the others nothing. `parts`: see values_of_ranks.
PlanesOfModel planes_of_model(const Config& config, const Model& model, const TimePlan& plan,
                              PartsOfRanks* parts = nullptr);
RunInfo plan_output(const Config& config, const Model& model, const TimePlan& plan,
                    const PlanesOfModel& planes);
/// The wave speed on the nodes of a window, m/s, rows of y: count[1] x count[0] floats or doubles; of ranks as above.
Values speed_on(const Window& window, const Model& model, bool single, PartsOfRanks* parts = nullptr);
/// Likewise 1 in bytes where a node is inside the shapes, and the distance to the rim in floats; empty where there is none.
Values inside_on(const Window& window, const Model& model, PartsOfRanks* parts = nullptr);
Values rim_on(const Window& window, const Model& model, PartsOfRanks* parts = nullptr);
/// The same without arrays: planes that are written once are empty.
RunInfo output_outline(const Config& config, const Model& model, const TimePlan& plan);

/// Bytes of a saved state, about.
std::uintmax_t checkpoint_bytes(const Config& config, const Model& model);

}  // namespace wavesim
