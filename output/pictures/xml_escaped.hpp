#pragma once

#include <string>

namespace wavesim {

/// "&lt;" for "<" and so on.
std::string xml_escaped(const std::string& text);

}  // namespace wavesim
