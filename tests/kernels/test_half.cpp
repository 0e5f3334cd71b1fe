#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/numbers/half.hpp"

namespace wavesim {
namespace {

/// The number that the bits stand for, after IEEE 754.
double value(int bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  return sign * (exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24));
}

TEST(Half, HoldsWhatItsBitsStandFor) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    Half h;
    h.bits = std::uint16_t(bits);
    const double expected = value(bits);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(float(h))) << bits;
      EXPECT_TRUE(std::isnan(float(Half(expected)))) << bits;
    } else {
      EXPECT_EQ(double(float(h)), expected) << bits;
      EXPECT_EQ(std::signbit(float(h)), bits >= 0x8000) << bits;
      EXPECT_EQ(Half(expected).bits, bits);
    }
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  for (int bits = 0; bits < 0x7c00; ++bits) {
    const double below = value(bits), above = bits + 1 < 0x7c00 ? value(bits + 1) : 65536;
    const double middle = 0.5 * (below + above);
    const int even = bits % 2 == 0 ? bits : bits + 1;
    EXPECT_EQ(Half(middle).bits, even) << bits;
    EXPECT_EQ(Half(-middle).bits, even | 0x8000) << bits;
    EXPECT_EQ(Half(std::nextafter(middle, 0)).bits, bits);  // by way of float these two would be ties
    EXPECT_EQ(Half(std::nextafter(middle, 1e9)).bits, bits + 1);
  }
}

}  // namespace
}  // namespace wavesim
