#include "output/sweep/run_pictures.hpp"

#include <algorithm>
#include <cmath>

#include "output/pictures/field_painter.hpp"
#include "output/pictures/picture.hpp"
#include "output/pictures/render.hpp"

namespace wavesim {

namespace {

constexpr std::size_t most_pictures = 24;
constexpr int width = 480;  // pixels

/// Calls `take` with the results of those that are done, the first ones.
template <class Take>
void each_result(const std::filesystem::path& folder, const SweepTable& table, Take take) {
  std::size_t taken = 0;
  for (const SweepRow& row : table.rows)
    if (row.done() && taken++ < most_pictures) take(ResultReader(folder / row.name), row.name);
}

bool can_be_drawn(const ResultReader& result, const std::string& quantity) {
  return !result.frames().empty() && result.has(quantity);
}

}  // namespace

std::vector<RunPicture> last_frames(const std::filesystem::path& folder, const SweepTable& table) {
  RenderPlan plan;
  plan.look.width = width;
  RangeFinder all;
  each_result(folder, table, [&](const ResultReader& result, const std::string&) {
    if (!can_be_drawn(result, plan.look.quantity)) return;
    const Scene scene = scene_of(result.info());
    const FieldPainter field(scene, plan.look, width,
                             std::clamp(int(std::lround(width * scene.aspect())), 1, 2 * width));
    std::vector<float> values;
    result.read(plan.look.quantity, result.frames().size() - 1, values);
    field.count(field.sample(values), all);
  });
  plan.look.range = two_digits(all.range(plan.look.clip));
  if (!(*plan.look.range > 0)) plan.look.range.reset();  // all at rest
  std::vector<RunPicture> pictures;
  each_result(folder, table, [&](const ResultReader& result, const std::string& name) {
    if (can_be_drawn(result, plan.look.quantity)) pictures.push_back({name, sheet_of(result, plan, 1).png()});
  });
  return pictures;
}

std::vector<RunPicture> receiver_pictures(const std::filesystem::path& folder, const SweepTable& table,
                                          double gain) {
  std::vector<RunPicture> pictures;
  each_result(folder, table, [&](const ResultReader& result, const std::string& name) {
    const NamedFigures figures = receiver_figures(result, gain);
    if (!figures.empty())
      pictures.push_back(
          {name,
           canvas_of(figures.front().second, 2 * int(plotting::narrow_width), plotting::narrow_width).png()});
  });
  return pictures;
}

}  // namespace wavesim
