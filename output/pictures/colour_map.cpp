#include "output/pictures/colour_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace wavesim {

namespace {

std::uint8_t srgb_byte(double linear) {
  const double c = std::clamp(linear, 0.0, 1.0);
  const double s = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;  // IEC 61966-2-1
  return std::uint8_t(std::lround(255 * s));
}

/// Oklab (B. Ottosson, 2020) to sRGB; hue in degrees.
Colour from_oklab(double lightness, double chroma, double hue) {
  const double a = chroma * std::cos(hue * std::numbers::pi / 180),
               b = chroma * std::sin(hue * std::numbers::pi / 180);
  const auto cube = [](double v) { return v * v * v; };
  const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {srgb_byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          srgb_byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          srgb_byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

constexpr int half = 256;

struct Arm {
  double hue;
  std::array<double, 5> chroma;  // at even steps from zero to the end of the arm
};

double on_line(const std::array<double, 5>& values, double t) {
  const double place = 4 * t;
  const auto low = std::min<std::size_t>(std::size_t(place), 3);
  return values[low] + (place - double(low)) * (values[low + 1] - values[low]);
}

/// Chroma rises to what sRGB has at middle lightness and falls again towards the dark end.
ColourMap diverging(std::string_view name, std::string_view text, const Arm& below, const Arm& above) {
  ColourMap map{name, text, true, {}};
  for (int k = -half; k <= half; ++k) {
    const double size = std::abs(double(k)) / half;
    const Arm& arm = k < 0 ? below : above;
    map.colours.push_back(from_oklab(0.975 - 0.625 * size, on_line(arm.chroma, size), arm.hue));
  }
  return map;
}

ColourMap sequential(std::string_view name, std::string_view text, double dark, double light,
                     const std::array<double, 5>& hue, const std::array<double, 5>& chroma) {
  ColourMap map{name, text, false, {}};
  for (int k = 0; k <= 2 * half; ++k) {
    const double t = double(k) / (2 * half);
    map.colours.push_back(from_oklab(dark + (light - dark) * t, on_line(chroma, t), on_line(hue, t)));
  }
  return map;
}

}  // namespace

const std::vector<ColourMap>& colour_maps() {
  static const std::vector<ColourMap> table{
      diverging("blue-red", "blue below zero, white at it, red above",
                {250, {0.0, 0.055, 0.105, 0.145, 0.105}}, {30, {0.0, 0.065, 0.135, 0.175, 0.120}}),
      diverging("green-purple", "green below zero, white at it, purple above",
                {150, {0.0, 0.06, 0.11, 0.12, 0.08}}, {315, {0.0, 0.06, 0.12, 0.16, 0.14}}),
      sequential("violet-yellow", "dark violet over green to light yellow", 0.25, 0.93,
                 {300, 270, 215, 150, 105}, {0.10, 0.10, 0.095, 0.14, 0.17}),
      sequential("black-orange", "black over red and orange to light yellow", 0.12, 0.95,
                 {300, 375, 395, 425, 460}, {0.04, 0.10, 0.16, 0.15, 0.08}),
      sequential("grey", "black to white", 0.0, 1.0, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}),
  };
  return table;
}

const ColourMap* find_colour_map(std::string_view name) {
  for (const ColourMap& map : colour_maps())
    if (map.name == name) return &map;
  return nullptr;
}

Colour diverging_colour(double s) {
  return colour_maps().front().at(float((std::clamp(s, -1.0, 1.0) + 1) / 2));
}

Colour mix(const Colour& a, const Colour& b, double t) {
  Colour c;
  for (std::size_t k = 0; k < 3; ++k) c[k] = std::uint8_t(std::lround(a[k] + t * (b[k] - a[k])));
  return c;
}

}  // namespace wavesim
