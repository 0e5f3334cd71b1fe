#include "sim/config/duration.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace wavesim {

namespace {

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr Unit units[] = {{"min", 60}, {"s", 1}, {"h", 3600}, {"d", 86400}};

}  // namespace

std::optional<double> duration(const std::string& text) {
  double sum = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    double number = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
    if (error != std::errc() || !(number >= 0)) return {};
    rest.remove_prefix(std::size_t(end - rest.data()));
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    const Unit* unit = nullptr;
    for (const Unit& u : units)
      if (!unit && rest.starts_with(u.name)) unit = &u;
    if (!unit) return {};
    rest.remove_prefix(unit->name.size());
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    sum += number * unit->seconds;
  }
  if (!(sum > 0) || !std::isfinite(sum)) return {};
  return sum;
}

}  // namespace wavesim
