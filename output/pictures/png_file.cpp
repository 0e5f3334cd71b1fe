#include "output/pictures/png_file.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {

void append_number(std::string& out, std::uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) out += char(v >> shift);
}

/// Reserves a chunk's length and writes its type; end_chunk() fills in the rest.
std::size_t begin_chunk(std::string& out, const char* type) {
  append_number(out, 0);
  out += type;
  return out.size();
}

void end_chunk(std::string& out, std::size_t data) {
  const auto size = std::uint32_t(out.size() - data);
  for (std::size_t k = 0; k < 4; ++k) out[data - 8 + k] = char(size >> (24 - 8 * k));
  append_number(out, libdeflate_crc32(0, out.data() + data - 4, size + 4));
}

/// The rows from the top, each with its filter byte. Filter 2 (Up) turns a field, which changes little from
/// row to row, into small numbers, and is the cheapest to compute.
std::vector<std::uint8_t> filtered_rows(std::span<const std::uint8_t> rgb, std::size_t row_bytes,
                                        std::size_t height) {
  std::vector<std::uint8_t> rows(height * (row_bytes + 1));
  std::uint8_t* to = rows.data();
  for (std::size_t row = 0; row < height; ++row) {
    const std::uint8_t* here = rgb.data() + (height - 1 - row) * row_bytes;
    *to++ = row == 0 ? 0 : 2;
    if (row == 0)
      std::copy(here, here + row_bytes, to);
    else
      for (std::size_t k = 0; k < row_bytes; ++k) to[k] = std::uint8_t(here[k] - here[k + row_bytes]);
    to += row_bytes;
  }
  return rows;
}

}  // namespace

std::string png_of(std::span<const std::uint8_t> rgb, std::size_t width, std::size_t height) {
  std::string out("\x89PNG\r\n\x1a\n", 8);
  std::size_t data = begin_chunk(out, "IHDR");
  append_number(out, std::uint32_t(width));
  append_number(out, std::uint32_t(height));
  out += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB
  end_chunk(out, data);

  // As wide as the text of an A4 paper, where a program asks for the size in print: pixels a metre.
  constexpr double paper_width = 0.17;
  const auto pixels = std::uint32_t(double(width) / paper_width + 0.5);
  data = begin_chunk(out, "pHYs");
  append_number(out, pixels);
  append_number(out, pixels);
  out += '\x01';
  end_chunk(out, data);

  // libdeflate's fastest level takes half the time of zlib's and leaves less.
  constexpr int level = 1;
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
      libdeflate_alloc_compressor(level), libdeflate_free_compressor);
  if (!compressor) throw OutputError("cannot compress a picture: no memory; make it smaller (width)");
  const std::vector<std::uint8_t> rows = filtered_rows(rgb, 3 * width, height);
  data = begin_chunk(out, "IDAT");
  out.resize(data + libdeflate_zlib_compress_bound(compressor.get(), rows.size()));
  out.resize(data + libdeflate_zlib_compress(compressor.get(), rows.data(), rows.size(), out.data() + data,
                                             out.size() - data));
  end_chunk(out, data);
  end_chunk(out, begin_chunk(out, "IEND"));
  return out;
}

}  // namespace wavesim
