#pragma once
// What quantities are called and measured in, which depends on the model of the medium.

#include <string>

#include "sim/config/tree.hpp"

namespace wavesim {

/// medium.model of an effective config; of none, "": a membrane.
std::string model_of(const Tree& config);
std::string model_of(const std::string& config);
/// What a quantity is in a medium of this model: "pressure", "largest |surface height|", ...
std::string name_of(const std::string& quantity, const std::string& model);
/// "m", "m/s", ... of a quantity, or of "energy", in a medium of this model; "" for none known.
std::string unit_of(const std::string& quantity, const std::string& model);
/// Whether a quantity has a sign, so that zero is the middle of its colours.
bool has_sign(const std::string& quantity);

}  // namespace wavesim
