#include "output/png_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "kernels/errors.hpp"
#include "output/in_threads.hpp"

namespace wavesim {

namespace {

/// Rows of one piece: pieces are compressed beside each other and are one zlib stream in a row, as those of
/// chunk_filter.cpp, but know nothing of each other: a window would save less than 1 % here.
constexpr std::size_t piece_rows = 64;

struct Piece {
  std::vector<std::uint8_t> deflated;
  uLong sum = 0;
  std::size_t bytes = 0;
};

void append_number(std::string& out, std::uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) out += char(v >> shift);
}

void append_chunk(std::string& out, const char* type, const std::string& data) {
  append_number(out, std::uint32_t(data.size()));
  const std::size_t from = out.size();
  out += type;
  out += data;
  append_number(out,
                std::uint32_t(crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(out.data() + from),
                                    uInt(out.size() - from))));
}

/// Rows first .. last from the top, each with its filter byte. Filter 2 (Up) turns a field, which changes
/// little from row to row, into small numbers, and is the cheapest to compute.
void filter_rows(std::span<const std::uint8_t> rgb, std::size_t row_bytes, std::size_t height,
                 std::size_t first, std::size_t last, std::uint8_t* to) {
  for (std::size_t row = first; row < last; ++row) {
    const std::uint8_t* here = rgb.data() + (height - 1 - row) * row_bytes;
    *to++ = row == 0 ? 0 : 2;
    if (row == 0)
      std::copy(here, here + row_bytes, to);
    else
      for (std::size_t k = 0; k < row_bytes; ++k) to[k] = std::uint8_t(here[k] - here[k + row_bytes]);
    to += row_bytes;
  }
}

bool deflate_piece(std::span<const std::uint8_t> filtered, bool at_end, Piece& piece) {
  z_stream z{};
  constexpr int level = 1, raw = -15, memory = 9;
  if (deflateInit2(&z, level, Z_DEFLATED, raw, memory, Z_DEFAULT_STRATEGY) != Z_OK) return false;
  piece.bytes = filtered.size();
  piece.deflated.resize(deflateBound(&z, uLong(filtered.size())) + 16);  // 16: the empty block
  z.next_in = const_cast<Bytef*>(filtered.data());
  z.avail_in = uInt(filtered.size());
  z.next_out = piece.deflated.data();
  z.avail_out = uInt(piece.deflated.size());
  const int status = deflate(&z, at_end ? Z_FINISH : Z_SYNC_FLUSH);
  piece.deflated.resize(z.total_out);
  piece.sum = adler32(adler32(0, nullptr, 0), filtered.data(), uInt(filtered.size()));
  deflateEnd(&z);
  return status == (at_end ? Z_STREAM_END : Z_OK) && z.avail_in == 0;
}

}  // namespace

std::string png_of(std::span<const std::uint8_t> rgb, std::size_t width, std::size_t height) {
  const std::size_t row_bytes = 3 * width, pieces = (height + piece_rows - 1) / piece_rows;
  std::vector<Piece> piece(pieces);
  std::atomic<bool> failed{false};
  in_threads(pieces, [&](std::size_t k) {
    const std::size_t first = k * piece_rows, last = std::min(first + piece_rows, height);
    std::vector<std::uint8_t> filtered((last - first) * (row_bytes + 1));
    filter_rows(rgb, row_bytes, height, first, last, filtered.data());
    if (!deflate_piece(filtered, k + 1 == pieces, piece[k])) failed = true;
  });
  if (failed) throw OutputError("cannot compress a picture: no memory; make it smaller (width)");

  std::string stream("\x78\x01", 2);
  uLong sum = adler32(0, nullptr, 0);
  for (const Piece& p : piece) {
    stream.append(reinterpret_cast<const char*>(p.deflated.data()), p.deflated.size());
    sum = adler32_combine(sum, p.sum, z_off_t(p.bytes));
  }
  append_number(stream, std::uint32_t(sum));

  std::string header;
  append_number(header, std::uint32_t(width));
  append_number(header, std::uint32_t(height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB
  std::string out("\x89PNG\r\n\x1a\n", 8);
  append_chunk(out, "IHDR", header);
  append_chunk(out, "IDAT", stream);
  append_chunk(out, "IEND", "");
  return out;
}

}  // namespace wavesim
