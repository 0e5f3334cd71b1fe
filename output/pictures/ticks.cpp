#include "output/pictures/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wavesim {

namespace {

constexpr const char* prefixes[] = {"p", "n", "\u00b5", "m", "", "k", "M", "G"};
constexpr int none = 4;  // of these prefixes

struct Thousands {
  int first = 0, last = 7;  // of the prefixes that the unit takes
};

Thousands thousands_of(const std::string& unit) {
  if (unit == "s") return {0, none};
  if (unit.substr(0, 1) == "m") return {0, none + 1};  // metres, not megametres
  return {};
}

/// The prefix of `largest`: none from 0.2 to 5000.
int prefix_of(const std::string& unit, double largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return none;
  if (largest >= 0.2 * (1 - 1e-9) && largest < 5000) return none;
  const Thousands t = thousands_of(unit);
  return std::clamp(none + int(std::floor(std::log10(largest) / 3 + 1e-9)), t.first, t.last);
}

/// Without zeros at its end.
std::string trimmed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, std::max(0, decimals));
  if (text.find('.') != text.npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

/// Whole minutes and more: the two largest of days, hours, minutes and seconds that are not zero.
std::string in_minutes(double seconds) {
  struct Part {
    const char* name;
    long long seconds;
  };
  constexpr Part parts[] = {{"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}};
  long long left = std::llround(seconds);
  std::string text;
  for (const Part& p : parts) {
    const long long count = left / p.seconds;
    left %= p.seconds;
    if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : " ", count, p.name);
  }
  return text;
}

}  // namespace

double tick_step(double length, int most) {
  const double rough = length / std::max(most, 1);
  if (!(rough > 1e-300) || !std::isfinite(rough)) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(rough)));
  if (!std::isfinite(10 * unit)) return 0;
  for (double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * unit * (1 + 1e-9)) return factor * unit;
  return 10 * unit;
}

std::vector<double> round_ticks(double low, double high, int most) {
  const double step = tick_step(high - low, most), far = std::max(std::abs(low), std::abs(high));
  if (!(step > 1e-12 * far)) return {};
  std::vector<double> ticks;
  for (double k = std::ceil(low / step - 1e-6); k <= high / step + 1e-6; ++k) ticks.push_back(k * step);
  return ticks;
}

std::string tick_label(double value, double step) {
  if (!(std::abs(value) > 1e-6 * step)) return "0";
  const int decimals = int(std::ceil(-std::log10(step) - 1e-6));
  const double size = std::abs(value);
  const std::string text = size >= 1e7 || decimals > 6 ? fmt::format("{:.6g}", size)
                                                       : fmt::format("{:.{}f}", size, std::max(0, decimals));
  return (value < 0 ? "\u2212" : "") + text;
}

std::string power_of_ten(int exponent) {
  constexpr const char* digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                    "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = exponent < 0 ? "10\u207b" : "10";
  for (char c : std::to_string(std::abs(exponent))) text += digits[c - '0'];
  return text;
}

std::string Scale::label(const std::string& name) const {
  return unit.empty() ? name : name + " (" + unit + ")";
}

Scale scale_of(const std::string& unit, double largest) {
  if (unit == "s" && largest >= 300) {
    if (largest >= 3 * 3600) return {1.0 / 3600, "h"};
    return {1.0 / 60, "min"};
  }
  const int k = prefix_of(unit, largest) - none;
  if (k == 0) return {1, unit};
  if (unit.empty()) return {std::pow(1000.0, -k), power_of_ten(3 * k)};
  return {std::pow(1000.0, -k), prefixes[none + k] + unit};
}

std::string frequency_text(double hertz, double accuracy) {
  const Scale scale = scale_of("Hz", hertz);
  if (accuracy > 0 && std::isfinite(accuracy)) {
    // A digit that is off by three at most still says something.
    const int decimals = std::clamp(int(std::floor(std::log10(3 / (accuracy * scale.factor)))), -12, 12);
    const double unit = std::pow(10.0, -decimals), value = hertz * scale.factor;
    return trimmed(decimals < 0 ? std::round(value / unit) * unit : value, decimals) + " " + scale.unit;
  }
  return fmt::format("{:.4g} {}", hertz * scale.factor, scale.unit);
}

std::string time_text(double seconds, double longest) {
  if (!std::isfinite(seconds)) return "?";
  if (std::abs(seconds) >= 60 && std::abs(seconds) < 1e12) {
    const std::string text = in_minutes(std::abs(seconds));
    return seconds < 0 ? "\u2212" + text : text;
  }
  const double fitting = longest > 0 ? std::min(longest, 60.0) : std::abs(seconds);
  const Scale scale = scale_of("s", fitting);
  const double value = seconds * scale.factor,
               digits = std::floor(std::log10(std::max(fitting * scale.factor, 1e-300)));
  const int decimals = std::isfinite(digits) ? std::clamp(3 - int(digits) + (longest > 0), 0, 12) : 0;
  const std::string text =
      std::abs(value) < 1e12 ? trimmed(std::abs(value), decimals) : fmt::format("{:.4g}", std::abs(value));
  return (value < 0 && text != "0" ? "\u2212" : "") + text + " " + scale.unit;
}

}  // namespace wavesim
