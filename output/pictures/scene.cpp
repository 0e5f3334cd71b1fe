#include "output/pictures/scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "kernels/backend/errors.hpp"
#include "output/pictures/ticks.hpp"
#include "sim/config/tree.hpp"

namespace wavesim {

namespace {

/// When the run ends as its config says, in seconds; 0 where it does not.
double end_of(const Tree& tree, const RunInfo& info) {
  const Tree* time = tree.is_map() ? tree.find("time") : nullptr;
  if (!time || !time->is_map()) return 0;
  const auto number = [](const std::string& text) {
    return std::max(0.0, std::strtod(text.c_str(), nullptr));
  };
  if (const Tree* end = time->find("end")) return number(end->scalar);
  const Tree* steps = time->find("steps");
  const auto step = info.facts.find("time-step");
  return steps && step != info.facts.end() ? number(steps->scalar) * number(step->second) : 0;
}

}  // namespace

std::string Moments::text(double time, bool brief) const {
  if (frequencies.empty()) return (brief ? "" : "t = ") + time_text(time, longest);
  const std::size_t k = std::size_t(std::max(1L, std::lround(time)));
  return "mode " + std::to_string(k) +
         (k > frequencies.size() ? "" : ", " + frequency_text(frequencies[k - 1]));
}

double Scene::aspect() const {
  const double wide = double(nx - 1) * spacing[0], high = double(ny - 1) * spacing[1], aspect = high / wide;
  return std::isnan(aspect) ? 1 : std::clamp(aspect, 1e-4, 1e4);
}

Scene scene_of(const RunInfo& info) {
  Scene scene;
  scene.name = info.name;
  scene.nx = std::size_t(info.nx);
  scene.ny = std::size_t(info.ny);
  for (int d = 0; d < 2; ++d) scene.origin[d] = info.origin[d], scene.spacing[d] = info.spacing[d];
  scene.inside = info.inside;
  scene.rim = info.rim;
  for (const Plane& plane : info.once)
    if (plane.quantity == "speed") scene.speed = plane.values;
  for (const ReceiverInfo& r : info.receivers) scene.marks.push_back({false, r.x, r.y});
  if (const auto fact = info.facts.find("frequencies"); fact != info.facts.end()) {
    std::istringstream numbers(fact->second);
    for (double f; numbers >> f;) scene.moments.frequencies.push_back(f);
  }
  if (info.config.empty()) return scene;
  const Tree tree = load_tree(info.config, "config");
  SourcePlaces sources = source_places(tree);
  for (const auto& [x, y] : sources.resting) scene.marks.push_back({true, x, y});
  scene.moving = std::move(sources.moving);
  scene.model = model_of(tree);
  scene.moments.longest = end_of(tree, info);
  return scene;
}

const Mark* Scene::only_source() const {
  if (!moving.empty()) return nullptr;
  const Mark* only = nullptr;
  for (const Mark& m : marks) {
    if (m.source && only) return nullptr;
    if (m.source) only = &m;
  }
  return only;
}

}  // namespace wavesim
