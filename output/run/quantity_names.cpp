#include "output/run/quantity_names.hpp"

#include <algorithm>

namespace wavesim {

std::string model_of(const Tree& config) {
  const Tree* medium = config.is_map() ? config.find("medium") : nullptr;
  const Tree* model = medium && medium->is_map() ? medium->find("model") : nullptr;
  return model ? model->scalar : "membrane";
}
std::string model_of(const std::string& config) {
  return config.empty() ? "membrane" : model_of(load_tree(config, "config"));
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
  if (quantity == "energy") return model == "membrane" ? "J" : "";
  if (quantity == "arrival-time") return "s";
  return "";
}

bool has_sign(const std::string& quantity) { return quantity == "displacement" || quantity == "velocity"; }

}  // namespace wavesim
