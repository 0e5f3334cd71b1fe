#include "output/run/quantity_names.hpp"

#include <algorithm>

#include "sim/config/tree.hpp"

namespace wavesim {

std::string model_of(const std::string& config) {
  const Tree tree = load_tree(config, "config");
  const Tree* medium = tree.is_map() ? tree.find("medium") : nullptr;
  const Tree* model = medium && medium->is_map() ? medium->find("model") : nullptr;
  return model ? model->scalar : "membrane";
}

std::string name_of(const std::string& quantity, const std::string& model) {
  std::string u = model == "acoustic"        ? "pressure"
                  : model == "shallow-water" ? "surface height"
                                             : "displacement";
  if (quantity == "displacement") return u;
  if (quantity == "max-displacement") return "largest |" + u + "|";
  if (quantity == "velocity") return u == "displacement" ? "velocity" : "rate of " + u;
  if (quantity == "speed") return "wave speed";
  std::string words = quantity;
  std::replace(words.begin(), words.end(), '-', ' ');
  return words;
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
