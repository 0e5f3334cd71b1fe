#include "output/modes/modes_result.hpp"

#include <limits>
#include <memory>

#include "output/hdf5/vtkhdf_writer.hpp"
#include "output/modes/modes_table.hpp"
#include "output/pictures/picture_writer.hpp"
#include "output/pictures/vti_writer.hpp"
#include "output/run/old_result_writer.hpp"
#include "output/run/partial_file.hpp"
#include "output/run/paths.hpp"

namespace wavesim {

namespace {

/// Frames that are no moments of a run.
void describe_frames(RunInfo& info, const MembraneModes& modes) {
  info.quantities = {"displacement"};
  info.receivers.clear();
  info.solvers.clear();
  info.balance = false;
  info.planned_steps = info.planned_samples = 0;
  info.planned_frames = info.planned_pictures = long(modes.shapes.size());
  info.facts["frequencies"] = frequencies_fact(modes.frequencies);
}

/// The config's look; colours span what modes are scaled to.
PicturesOutput look_of(const OutputConfig& output) {
  PicturesOutput look = output.pictures ? *output.pictures : PicturesOutput();
  look.quantity = "displacement";
  look.scale = "run";
  look.range = 1;
  look.marks = false;
  return look;
}

Frame frame_of(const MembraneModes& modes, std::size_t k, bool single) {
  Frame f;
  f.step = long(k) + 1;
  f.time = double(k + 1);
  f.iterations = modes.pairs.iterations;
  f.residual = modes.pairs.residual[k];
  f.energy = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double>& v = modes.shapes[k];
  if (single)
    f.planes.push_back({"displacement", std::vector<float>(v.begin(), v.end())});
  else
    f.planes.push_back({"displacement", v});
  return f;
}

}  // namespace

std::vector<std::string> write_modes(const MembraneModes& modes, RunInfo info, const OutputConfig& output,
                                     ResultDirectory& folder) {
  std::vector<std::string> receivers;
  for (const ReceiverInfo& r : info.receivers) receivers.push_back(r.name);
  describe_frames(info, modes);
  std::vector<std::unique_ptr<Writer>> writers;
  writers.push_back(make_vtkhdf_writer());
  if (has(output.frames->formats, "vti")) writers.push_back(make_vti_writer());
  writers.push_back(make_picture_writer(look_of(output)));
  writers.push_back(std::make_unique<OldResultWriter>(folder));
  for (const auto& w : writers) w->begin(info);
  const std::string table = result_file(info, ".csv");
  replace_file(table, modes_csv(modes.pairs, receivers, modes.readings));
  for (std::size_t k = 0; k < modes.shapes.size(); ++k)
    for (const auto& w : writers) {
      w->frame(frame_of(modes, k, info.single));
      w->picture(frame_of(modes, k, true));
    }
  RunSummary summary;
  summary.complete = true;
  summary.ending = "done";
  summary.set_up = modes.set_up;
  summary.seconds = modes.setup_seconds + modes.seconds;
  summary.solve_seconds = modes.seconds;
  summary.energy_first = summary.energy_last = summary.energy_drift =
      std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> files{table};
  for (auto w = writers.rbegin(); w != writers.rend(); ++w) {  // the first is complete when all are
    (*w)->finish(summary);
    for (const std::string& f : (*w)->files()) files.push_back(f);
  }
  return files;
}

}  // namespace wavesim
