#pragma once

#include <string>

namespace wavesim {

/// Bytes as text of RFC 4648.
std::string base64(const std::string& bytes);

}  // namespace wavesim
