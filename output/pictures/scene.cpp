#include "output/pictures/scene.hpp"

#include <algorithm>
#include <cstdlib>

#include "kernels/backend/errors.hpp"
#include "sim/config/tree.hpp"

namespace wavesim {

namespace {

void add_sources(const std::string& config, std::vector<Mark>& marks) {
  if (config.empty()) return;
  const Tree tree = load_tree(config, "config");
  const Tree* sources = tree.find("sources");
  if (!sources || !sources->is_list()) return;
  for (const Tree& source : sources->items) {
    const Tree* at = source.is_map() ? source.find("at") : nullptr;
    if (at && at->is_list() && at->items.size() == 2)
      marks.push_back({true, std::strtod(at->items[0].scalar.c_str(), nullptr),
                       std::strtod(at->items[1].scalar.c_str(), nullptr)});
  }
}

}  // namespace

Scene scene_of(const RunInfo& info) {
  Scene scene;
  scene.name = info.name;
  scene.nx = std::size_t(info.nx);
  scene.ny = std::size_t(info.ny);
  for (int d = 0; d < 2; ++d) scene.origin[d] = info.origin[d], scene.spacing[d] = info.spacing[d];
  scene.inside = info.inside;
  scene.rim = info.rim;
  for (const Plane& plane : info.once)
    if (plane.quantity == "speed")
      plane.values.visit([&](auto values) { scene.speed.assign(values.begin(), values.end()); });
  for (const ReceiverInfo& r : info.receivers) scene.marks.push_back({false, r.x, r.y});
  add_sources(info.config, scene.marks);
  if (!info.config.empty()) scene.model = model_of(info.config);
  return scene;
}

std::string model_of(const std::string& config) {
  const Tree tree = load_tree(config, "config");
  const Tree* medium = tree.is_map() ? tree.find("medium") : nullptr;
  const Tree* model = medium && medium->is_map() ? medium->find("model") : nullptr;
  return model ? model->scalar : "membrane";
}

std::string unit_of(const std::string& quantity, const std::string& model) {
  const bool pressure = model == "acoustic";
  if (quantity == "displacement" || quantity == "max-displacement") return pressure ? "Pa" : "m";
  if (quantity == "velocity") return pressure ? "Pa/s" : "m/s";
  if (quantity == "speed") return "m/s";
  if (quantity == "energy-density")
    return model == "membrane" ? "J/m\u00b2" : "";  // else no energy: docs/math.md
  if (quantity == "arrival-time") return "s";
  return "";
}

bool has_sign(const std::string& quantity) { return quantity == "displacement" || quantity == "velocity"; }

}  // namespace wavesim
