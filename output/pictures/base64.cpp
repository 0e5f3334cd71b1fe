#include "output/pictures/base64.hpp"

#include <cstdint>

namespace wavesim {

std::string base64(const std::string& bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const auto byte = [&](std::size_t i) {
      return i < bytes.size() ? std::uint32_t(std::uint8_t(bytes[i])) : 0;
    };
    const std::uint32_t three = byte(k) << 16 | byte(k + 1) << 8 | byte(k + 2);
    out += digits[three >> 18];
    out += digits[three >> 12 & 63];
    out += k + 1 < bytes.size() ? digits[three >> 6 & 63] : '=';
    out += k + 2 < bytes.size() ? digits[three & 63] : '=';
  }
  return out;
}

}  // namespace wavesim
