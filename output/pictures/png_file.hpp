#pragma once
// PNG (RFC 2083) of 8-bit RGB pixels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace wavesim {

/// The bytes of a PNG file; rgb has row 0 at the bottom. Throws OutputError when there is no memory.
std::string png_of(std::span<const std::uint8_t> rgb, std::size_t width, std::size_t height);

}  // namespace wavesim
