#pragma once
#include <optional>
#include <string>

namespace wavesim {

/// Seconds of "90s", "30min", "2h", "1.5h", "1d" or several of them, "1h30min"; nothing for other words and for
/// what is not above zero.
std::optional<double> duration(const std::string& text);

}  // namespace wavesim
