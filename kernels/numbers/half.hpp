#pragma once
// IEEE 754 half precision as a format to store numbers in; arithmetic is elsewhere. 11 significant bits, from
// 2^-24 to 65504. Rounded to nearest even from double at once (by way of float it would round twice).

#include <cmath>
#include <cstdint>
#include <cstring>
#ifdef __CUDACC__
#include <cuda_fp16.h>
#endif

#include "kernels/backend/hd.hpp"

namespace wavesim {

struct Half {
  std::uint16_t bits = 0;

  Half() = default;
  HD explicit Half(double x) {
    const double magnitude = std::fabs(x);
    const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
    std::uint16_t rounded = 0;
    if (!(magnitude < 65520)) {  // half way from the largest number to 2^16
      rounded = magnitude == magnitude ? 0x7c00 : 0x7e00;
    } else if (magnitude < 0x1p-14) {  // below the normal numbers the spacing is 2^-24
      rounded = std::uint16_t(nearest(magnitude * 0x1p24));
    } else {
      int exponent = 0;
      const double fraction = std::frexp(magnitude, &exponent);  // in [1/2, 1)
      // 11 bits 1xxxxxxxxxx; if rounding carries to 2^11, the sum carries into the exponent, as it should
      rounded = std::uint16_t(((exponent + 13) << 10) + int(nearest(fraction * 0x1p11)));
    }
    bits = sign | rounded;
  }
  HD operator float() const {
#ifdef __CUDA_ARCH__
    return __half2float(__ushort_as_half(bits));
#else
    // Moves the fields of a half to their places in a float and adds 112 to the exponent. A subnormal number is
    // read with 2^-14 added, which is then subtracted. All of it is exact, and there is no branch and no
    // subnormal float, so the loop vectorises and is fast.
    const std::uint32_t magnitude = bits & 0x7fff, moved = magnitude << 13;
    const float normal = as_float(moved + (magnitude < 0x7c00 ? 112u << 23 : 224u << 23));
    const float subnormal = as_float(moved + (113u << 23)) - 0x1p-14f;
    const float x = magnitude < 0x400 ? subnormal : normal;
    return bits & 0x8000 ? -x : x;
#endif
  }

 private:
  /// The nearest whole number, of equally near ones the even one, for 0 <= x < 2^51.
  HD static double nearest(double x) { return (x + 0x1p52) - 0x1p52; }
  HD static float as_float(std::uint32_t u) {
    float f;
    std::memcpy(&f, &u, sizeof f);
    return f;
  }
};

}  // namespace wavesim
