#include "sim/input/png_image.hpp"

#include <png.h>
#include <sys/stat.h>

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "sim/input/text.hpp"

namespace wavesim {

namespace {

/// Of an image: 2 GB of numbers.
constexpr std::uint64_t most_pixels = std::uint64_t(1) << 28;
/// Bytes that zlib can make of one.
constexpr std::uint64_t most_inflated = 1032;

struct Stored {
  std::uint64_t file_bytes = 0;  // 0: not known, of a pipe
  png_uint_32 width = 0, height = 0;
  std::size_t channels = 0, stride = 0, packed = 0;  // bytes of a row, and as the file holds it
  bool two_bytes = false;
  std::vector<png_byte> bytes;  // a row, or all of them where they come in several passes
  std::vector<double> values;
  char why[160] = "";

  bool too_large() const { return std::uint64_t(width) * height > most_pixels; }
  bool larger_than_file() const {
    return file_bytes > 0 && std::uint64_t(packed) * height / most_inflated > file_bytes;
  }
  double sample(const png_byte* row, std::size_t k) const {
    return two_bytes ? (row[2 * k] * 256 + row[2 * k + 1]) / 65535.0 : row[k] / 255.0;
  }
  void take(const png_byte* row, std::size_t r) {
    for (std::size_t c = 0; c < width; ++c) {
      const std::size_t k = c * channels;
      values[r * width + c] =
          channels < 3 ? sample(row, k)
                       : 0.2126 * sample(row, k) + 0.7152 * sample(row, k + 1) + 0.0722 * sample(row, k + 2);
    }
  }
};

void on_error(png_structp png, png_const_charp message) {
  std::strncpy(static_cast<Stored*>(png_get_error_ptr(png))->why, message, sizeof Stored::why - 1);
  png_longjmp(png, 1);
}
void on_warning(png_structp, png_const_charp) {}

/// libpng reports errors by longjmp: nothing in here may have a destructor.
bool read(std::FILE* file, Stored& s) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &s, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, nullptr);
    return false;
  }
  png_init_io(png, file);
  // Texts, colour profiles and the like mean nothing here, and libpng takes as much memory for them as they announce.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_read_info(png, info);
  s.packed = png_get_rowbytes(png, info);
  png_set_expand(png);
  png_set_strip_alpha(png);
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  s.width = png_get_image_width(png, info);
  s.height = png_get_image_height(png, info);
  s.channels = png_get_channels(png, info);
  s.two_bytes = png_get_bit_depth(png, info) == 16;
  s.stride = png_get_rowbytes(png, info);
  if (s.too_large()) png_error(png, "too many pixels");
  if (s.larger_than_file()) png_error(png, "the file is too short for so many pixels");
  const std::size_t step = passes > 1 ? s.stride : 0;
  s.bytes.resize(passes > 1 ? s.stride * s.height : s.stride);
  s.values.resize(std::size_t(s.width) * s.height);
  for (int pass = 1; pass <= passes; ++pass)
    for (png_uint_32 r = 0; r < s.height; ++r) {
      png_read_row(png, s.bytes.data() + step * r, nullptr);
      if (pass == passes) s.take(s.bytes.data() + step * r, r);
    }
  png_read_end(png, nullptr);
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}

}  // namespace

PngImage read_png(const std::filesystem::path& path, const Where& where) {
  const std::string name = path.string();
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"), std::fclose);
  if (!file) where.fail("there is no file " + name + " to read" + elsewhere);
  Stored s;
  struct stat facts {};
  if (fstat(fileno(file.get()), &facts) == 0 && S_ISREG(facts.st_mode))
    s.file_bytes = std::uint64_t(facts.st_size);
  const bool good = read(file.get(), s);
  if (!good && s.too_large())
    where.fail(name + " has " + std::to_string(s.width) + " x " + std::to_string(s.height) +
               " pixels, and at most " + std::to_string(most_pixels) +
               " are read; save it smaller: values between pixels are interpolated");
  if (!good) where.fail(name + " cannot be read as a PNG image (" + s.why + "); save it as PNG");
  return {long(s.height), long(s.width), std::move(s.values)};
}

}  // namespace wavesim
