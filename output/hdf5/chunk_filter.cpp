#include "output/hdf5/chunk_filter.hpp"

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <new>
#include <system_error>
#include <thread>

#include "sim/input/hdf5_handle.hpp"

namespace wavesim::hdf5 {

namespace {

// The stream is compressed in independent pieces, as in Adler's pigz: each ends on a byte boundary with an
// empty block and uses the data before it as its dictionary, so that the pieces concatenate to one stream.
constexpr std::size_t piece_bytes = 1 << 20, window_bytes = 32 << 10;

struct Piece {
  std::vector<unsigned char> deflated;
  uLong sum = 0;  // Adler-32 of what was deflated
};

struct Chunk {
  const unsigned char* values;
  std::size_t given, count, size;
  std::size_t bytes() const { return count * size; }

  /// Bytes first .. last of the shuffled chunk.
  void shuffled(std::size_t first, std::size_t last, unsigned char* to) const {
    for (std::size_t plane = first / count; first < last; ++plane) {
      const std::size_t from = first - plane * count, end = std::min(count, last - plane * count);
      for (std::size_t i = from; i < std::min(end, given); ++i) *to++ = values[i * size + plane];
      for (std::size_t i = std::max(from, given); i < end; ++i) *to++ = 0;
      first = (plane + 1) * count;
    }
  }
};

/// One piece of the stream, without the stream's head and tail. False: zlib has no memory.
bool deflate_piece(const Chunk& chunk, std::size_t k, int level, std::vector<unsigned char>& scratch,
                   Piece& piece) {
  const std::size_t first = k * piece_bytes, last = std::min(first + piece_bytes, chunk.bytes());
  const std::size_t window = k == 0 ? 0 : window_bytes, size = last - first;
  chunk.shuffled(first - window, last, scratch.data());
  unsigned char* const in = scratch.data() + window;

  z_stream z{};
  constexpr int raw = -15, usual_memory = 8;
  if (deflateInit2(&z, level, Z_DEFLATED, raw, usual_memory, Z_DEFAULT_STRATEGY) != Z_OK) return false;
  if (window) deflateSetDictionary(&z, scratch.data(), uInt(window));
  piece.deflated.resize(deflateBound(&z, uLong(size)) + 16);  // 16: the empty block
  z.next_in = in;
  z.avail_in = uInt(size);
  z.next_out = piece.deflated.data();
  z.avail_out = uInt(piece.deflated.size());
  const bool at_end = last == chunk.bytes();
  const int status = deflate(&z, at_end ? Z_FINISH : Z_SYNC_FLUSH);
  piece.deflated.resize(z.total_out);
  piece.sum = adler32(adler32(0, nullptr, 0), in, uInt(size));
  deflateEnd(&z);
  return status == (at_end ? Z_STREAM_END : Z_OK) && z.avail_in == 0;
}

/// On a little-endian machine.
template <class T, class Bits>
void unshuffle(const unsigned char* planes, std::size_t count, std::size_t given, float* to) {
  for (std::size_t i = 0; i < given; ++i) {
    Bits bits = 0;
    for (std::size_t b = 0; b < sizeof(T); ++b) bits |= Bits(planes[b * count + i]) << (8 * b);
    to[i] = float(std::bit_cast<T>(bits));
  }
}

}  // namespace

std::vector<unsigned char> shuffle_and_deflate(const void* values, std::size_t given, std::size_t count,
                                               std::size_t size, int level, unsigned threads) {
  const Chunk chunk{static_cast<const unsigned char*>(values), given, count, size};
  const std::size_t pieces = (chunk.bytes() + piece_bytes - 1) / piece_bytes;
  std::vector<Piece> piece(pieces);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  const auto work = [&] {
    try {
      std::vector<unsigned char> scratch(window_bytes + std::min(piece_bytes, chunk.bytes()));
      for (std::size_t k; !failed && (k = next++) < pieces;)
        if (!deflate_piece(chunk, k, level, scratch, piece[k])) failed = true;
    } catch (const std::bad_alloc&) {
      failed = true;
    }
  };
  // Threads of their own, not OpenMP's: a second team would change how the first one waits.
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  {
    std::vector<std::jthread> others;
    try {
      for (std::size_t t = 1; t < std::min<std::size_t>(threads, pieces); ++t) others.emplace_back(work);
    } catch (const std::system_error&) {
      // the system grants no more threads: those there are do it all
    }
    work();
  }
  if (failed) throw Failure("gzip filter: no memory");

  const unsigned char flevel = level < 2 ? 0x01 : level < 6 ? 0x5e : level == 6 ? 0x9c : 0xda;
  std::vector<unsigned char> stream{0x78, flevel};  // RFC 1950: deflate with a window of 32 KiB
  std::size_t total = stream.size() + 4;
  for (const Piece& p : piece) total += p.deflated.size();
  stream.reserve(total);
  uLong sum = adler32(0, nullptr, 0);
  for (std::size_t k = 0; k < pieces; ++k) {
    const std::size_t here = std::min(piece_bytes, chunk.bytes() - k * piece_bytes);
    stream.insert(stream.end(), piece[k].deflated.begin(), piece[k].deflated.end());
    sum = adler32_combine(sum, piece[k].sum, z_off_t(here));
  }
  for (int shift = 24; shift >= 0; shift -= 8) stream.push_back(static_cast<unsigned char>(sum >> shift));
  return stream;
}

void inflate_and_unshuffle(const std::vector<unsigned char>& stream, std::vector<unsigned char>& scratch,
                           std::size_t count, std::size_t size, std::size_t given, float* to) {
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> inflate(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (!inflate) throw Failure("gzip filter: no memory");
  // All bytes or none: without a place for their number, fewer are an error.
  if (libdeflate_zlib_decompress(inflate.get(), stream.data(), stream.size(), scratch.data(), count * size,
                                 nullptr) != LIBDEFLATE_SUCCESS)
    throw Failure("gzip filter: the data is damaged");
  if (size == sizeof(float))
    unshuffle<float, std::uint32_t>(scratch.data(), count, given, to);
  else
    unshuffle<double, std::uint64_t>(scratch.data(), count, given, to);
}

}  // namespace wavesim::hdf5
