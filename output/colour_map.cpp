#include "output/colour_map.hpp"

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

std::array<Colour, 513> make_table() {
  // Chroma rises to what sRGB has at middle lightness and falls again towards the dark end, at even steps of
  // |s|.
  constexpr std::array chroma_blue{0.0, 0.055, 0.105, 0.145, 0.105},
      chroma_red{0.0, 0.065, 0.135, 0.175, 0.120};
  std::array<Colour, 513> table;
  for (int k = 0; k < 513; ++k) {
    const double s = double(k - 256) / 256, size = std::abs(s);
    const auto& chroma = s < 0 ? chroma_blue : chroma_red;
    const double place = size * 4;
    const auto low = std::min<std::size_t>(std::size_t(place), 3);
    const double c = chroma[low] + (place - double(low)) * (chroma[low + 1] - chroma[low]);
    table[std::size_t(k)] = from_oklab(0.975 - 0.625 * size, c, s < 0 ? 250 : 30);
  }
  return table;
}

}  // namespace

Colour diverging_colour(double s) {
  static const std::array<Colour, 513> table = make_table();
  return table[std::size_t(std::lround(256 * std::clamp(s, -1.0, 1.0))) + 256];
}

Colour mix(const Colour& a, const Colour& b, double t) {
  Colour c;
  for (std::size_t k = 0; k < 3; ++k) c[k] = std::uint8_t(std::lround(a[k] + t * (b[k] - a[k])));
  return c;
}

}  // namespace wavesim
