// wavesim render RESULT: pictures of what a run left.

#include "output/pictures/render.hpp"

#include <cstdio>

#include "apps/commands.hpp"
#include "kernels/backend/errors.hpp"
#include "output/pictures/colour_map.hpp"
#include "output/pictures/movie.hpp"
#include "output/pictures/picture_writer.hpp"
#include "output/pictures/receiver_spectra.hpp"
#include "output/pictures/result_plots.hpp"
#include "output/run/result_files.hpp"
#include "output/segy/segy_file.hpp"
#include "sim/config/suggest.hpp"

namespace wavesim {

int render(const RenderOptions& o) {
  make_picture_writer({});  // refuses a build that has no letters
  const ResultReader result(o.result);
  RenderPlan plan;
  plan.look.quantity = o.quantity;
  plan.look.colours = o.colours;
  plan.look.scale = o.scale;
  plan.look.range = o.range;
  plan.look.width = o.width;
  plan.look.y = o.y;
  plan.look.marks = !o.no_marks;
  plan.look.medium = !o.no_medium;
  plan.look.clip = o.clip;
  plan.pdf = o.pdf;
  plan.look.shading.stated = o.shading.has_value();
  plan.look.shading.strength = o.shading.value_or(0);
  if (o.relief) plan.look.shading.relief = *o.relief;
  if (o.azimuth) plan.look.shading.azimuth = *o.azimuth;
  if (o.altitude) plan.look.shading.altitude = *o.altitude;
  plan.every = o.every;
  plan.from = o.from;
  plan.to = o.to;
  plan.rate = o.rate;
  plan.sheet = o.sheet;
  if (o.colours != "auto" && !find_colour_map(o.colours)) {
    std::vector<std::string> names{"auto"};
    for (const ColourMap& map : colour_maps()) names.emplace_back(map.name);
    throw InputError("there is no colour map '" + o.colours + "'" +
                     did_you_mean(o.colours, names, "there are"));
  }
  if (o.range && o.scale == "picture")
    throw InputError(
        "--range fixes the colours of all pictures and --scale picture those of each; leave one out");
  if (o.movie) plan.movie = movie_format(*o.movie);
  const RunInfo& info = result.info();
  plan.folder = o.folder.value_or(info.directory + "/" + info.name + "_render");
  // What is not asked for piece by piece is made whole.
  const bool everything =
      !(o.receivers || o.history || o.pictures || o.pdf || o.segy || plan.movie || plan.sheet);
  NamedFigures drawn;
  if (everything || o.receivers) {
    drawn = receiver_figures(result, o.gain);
    if (o.receivers && drawn.empty())
      throw InputError(result.file().string() +
                       " holds no samples of receivers; name some in `receivers:` and run again");
    for (const ReceiverSpectra& s : receiver_spectra(result))
      drawn.push_back({figure_name("spectra", s.name), figure_of(s.plot)});
  }
  if (everything || o.history)
    for (auto& figure : figures_of(history_plots(result))) drawn.push_back(std::move(figure));
  plan.pictures = o.pictures || o.pdf || (everything && (!result.frames().empty() || drawn.empty()));
  const bool fields = plan.pictures || plan.movie || plan.sheet;
  if (fields) chosen_frames(result, plan);  // refuses before anything is written

  ResultFiles listed(info.directory, info.name);
  listed.refuse_links();
  listed.claim_new();
  std::vector<std::string> files;
  if (fields) files = render(result, plan);
  for (const std::string& file : write_figures(drawn, result, plan.folder, int(o.width)))
    files.push_back(file);
  if (o.segy) {
    std::filesystem::create_directories(plan.folder);
    files.push_back(plan.folder + "/" + info.name + "_receivers.segy");
    write_segy(result, files.back());
  }
  if (listed.has_list()) listed.write_list();
  if (!o.quiet)
    for (const std::string& file : files) std::printf("%s\n", file.c_str());
  return 0;
}

}  // namespace wavesim
