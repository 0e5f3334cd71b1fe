#include "output/pictures/hill_shading.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "output/pictures/picture.hpp"

namespace wavesim::testing {
namespace {

constexpr int size = 41;

Image image_of(const std::function<double(int, int)>& value) {
  Image image{size, size, {}};
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) image.values.push_back(float(value(i, j)));
  return image;
}

/// Brightness of all pixels, row 0 at the lowest y.
std::vector<float> shaded(const Image& image, const ShadingConfig& light, bool up = true,
                          const std::vector<float>& inside = {}, const std::vector<float>& seen = {}) {
  const HillShading shading(light, up, inside, seen);
  std::vector<float> all(size * size);
  for (std::size_t row = 0; row < size; ++row) shading.row(image, row, 1, &all[row * size]);
  return all;
}

ShadingConfig strong() {
  ShadingConfig light;
  light.strength = 1;
  return light;
}

TEST(HillShading, OfATiltedPlaneIsTheSameEverywhereAndLamberts) {
  const double x = 0.3, y = -0.2;
  const std::vector<float> all = shaded(image_of([&](int i, int j) { return x * i + y * j; }), strong());
  // Light from the north-west, 45 degrees high: (-1/2, 1/2, sqrt(1/2)).
  const double cosine = (x / 2 - y / 2 + std::sqrt(0.5)) / std::sqrt(1 + x * x + y * y);
  for (float b : all) EXPECT_NEAR(b, cosine / std::sqrt(0.5), 1e-5);
}

TEST(HillShading, OfABumpIsBrightTowardsTheLightAndDarkBehindIt) {
  const auto bump = [](int i, int j) {
    return 8 * std::exp(-(std::pow(i - 20, 2) + std::pow(j - 20, 2)) / 50);
  };
  for (const bool up : {true, false}) {  // the light stays where it is when y is turned around
    const std::vector<float> all = shaded(image_of(bump), strong(), up);
    const auto at = [&](int right, int above) {
      return all[std::size_t(20 + (up ? above : -above)) * size + std::size_t(20 + right)];
    };
    EXPECT_GT(at(-4, 4), 1.2);
    EXPECT_LT(at(4, -4), 0.5);
    EXPECT_NEAR(at(4, 4), at(-4, -4), 1e-5);
    EXPECT_NEAR(at(0, 0), 1, 1e-5);
    EXPECT_NEAR(at(-19, -19), 1, 1e-3);
  }
}

TEST(HillShading, BesideARimIsThatOfTheNearestPixelAwayFromIt) {
  const Image tilted = image_of([](int i, int j) { return 0.3 * i - 0.2 * j + (i == 20 ? 50 : 0); });
  std::vector<float> inside(size * size, 1), seen(size * size, 1);
  for (int j = 0; j < size; ++j) {
    seen[j * size + 20] = 0.4f;  // a column that sees nodes beyond the rim, and has values of its own
    for (int i = 21; i < size; ++i) inside[j * size + i] = seen[j * size + i] = 0;
  }
  const std::vector<float> all = shaded(tilted, strong(), true, inside, seen);
  for (int j = 1; j < size - 1; ++j) {
    EXPECT_NEAR(all[j * size + 20], all[j * size + 10], 1e-5) << j;
    EXPECT_NEAR(all[j * size + 19], all[j * size + 10], 1e-5) << j;
    EXPECT_EQ(all[j * size + 25], 1);
  }
}

TEST(HillShading, ComesFromWhereTheLightIs) {
  const Image rising = image_of([](int i, int) { return 0.5 * i; });  // to the east
  ShadingConfig light = strong();
  for (const auto& [azimuth, brighter] : {std::pair{270.0, true}, {90.0, false}}) {
    light.azimuth = azimuth;
    EXPECT_EQ(shaded(rising, light).at(500) > 1, brighter) << azimuth;
  }
  light.azimuth = 90;
  light.altitude = 10;  // the slope of 27 degrees lies in its own shadow
  EXPECT_EQ(shaded(rising, light).at(500), 0);
  light.altitude = 90;
  EXPECT_NEAR(shaded(rising, light).at(500), 1 / std::sqrt(1.25), 1e-5);
}

TEST(HillShading, IsAsStrongAsItsStrength) {
  const Image image = image_of([](int i, int j) { return std::sin(0.5 * i) * std::cos(0.3 * j); });
  ShadingConfig light = strong();
  const std::vector<float> whole = shaded(image, light);
  light.strength = 0.25;
  const std::vector<float> quarter = shaded(image, light);
  for (std::size_t k = 0; k < whole.size(); ++k) EXPECT_NEAR(quarter[k] - 1, 0.25 * (whole[k] - 1), 1e-6);
}

TEST(HillShading, SeesNoCliffWhereTheRegionOrTheNumbersEnd) {
  std::vector<float> inside(size * size, 1);
  Image image = image_of([](int i, int) { return i < 20 ? 3 : 900; });
  for (std::size_t k = 0; k < inside.size(); ++k) inside[k] = k % size < 20 ? 1 : 0;
  for (float b : shaded(image, strong(), true, inside)) EXPECT_EQ(b, 1);
  for (std::size_t k = 0; k < inside.size(); ++k)
    if (inside[k] == 0) image.values[k] = NAN;
  for (float b : shaded(image, strong())) EXPECT_EQ(b, 1);
}

/// The pixels of a picture of a hill.
std::vector<std::uint8_t> picture(const PicturesOutput& look, double hill) {
  Scene scene;
  scene.nx = scene.ny = size;
  const FieldPainter field(scene, look, 80, 80);
  Canvas canvas(80, 80, {1, 2, 3});
  const Image image = image_of(
      [&](int i, int j) { return hill * std::exp(-(std::pow(i - 20, 2) + std::pow(j - 20, 2)) / 50) - 0.5; });
  field.paint(canvas, 0, 0, field.sample(image.values), 1);
  return {canvas.rgb().begin(), canvas.rgb().end()};
}

TEST(HillShading, ChangesAPictureOnlyWhereAskedFor) {
  PicturesOutput plain, without, with;
  without.shading.stated = with.shading.stated = true;
  without.shading.strength = 0;
  EXPECT_EQ(picture(plain, 1), picture(without, 1));
  EXPECT_EQ(picture(plain, 0), picture(with, 0));  // level ground
  const auto off = picture(plain, 1), on = picture(with, 1);
  const auto light = [](const std::vector<std::uint8_t>& rgb, int x, int y) {
    const std::uint8_t* p = &rgb[3 * (80 * std::size_t(y) + std::size_t(x))];
    return p[0] + p[1] + p[2];
  };
  EXPECT_GT(light(on, 32, 48), light(off, 32, 48));
  EXPECT_LT(light(on, 48, 32), light(off, 48, 32));
  EXPECT_EQ(light(on, 2, 2), light(off, 2, 2));
}

TEST(HillShading, StandsAsHighAsItsRelief) {
  PicturesOutput low, high;
  low.shading.stated = high.shading.stated = true;
  low.shading.relief = 0.01;
  high.shading.relief = 0.02;
  EXPECT_NE(picture(low, 1), picture(high, 1));
  // Half as high at twice the relief is the same landscape: the same brightness, in other colours.
  const std::vector<float> everywhere;
  const HillShading light(strong(), true, everywhere, everywhere);
  Image image = image_of([](int i, int j) { return std::sin(0.5 * i) * std::cos(0.3 * j); });
  std::vector<float> one(size), other(size);
  light.row(image, 7, 2, one.data());
  for (float& v : image.values) v *= 2;
  light.row(image, 7, 1, other.data());
  EXPECT_EQ(one, other);
}

}  // namespace
}  // namespace wavesim::testing
