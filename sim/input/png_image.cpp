#include "sim/input/png_image.hpp"

#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>

namespace wavesim {

namespace {

struct Stored {
  png_uint_32 width = 0, height = 0;
  int channels = 0, bits = 0;
  std::vector<png_byte> bytes;
  std::vector<png_bytep> rows;
  char why[160] = "";
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
  png_read_info(png, info);
  png_set_expand(png);
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  s.width = png_get_image_width(png, info);
  s.height = png_get_image_height(png, info);
  s.channels = png_get_channels(png, info);
  s.bits = png_get_bit_depth(png, info);
  const std::size_t stride = png_get_rowbytes(png, info);
  s.bytes.resize(stride * s.height);
  s.rows.resize(s.height);
  for (png_uint_32 r = 0; r < s.height; ++r) s.rows[r] = s.bytes.data() + stride * r;
  png_read_image(png, s.rows.data());
  png_read_end(png, nullptr);
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}

}  // namespace

PngImage read_png(const std::filesystem::path& path, const Where& where) {
  const std::string name = path.string();
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"), std::fclose);
  if (!file) where.fail("there is no file " + name + " to read; relative paths start at the config's folder");
  Stored s;
  if (!read(file.get(), s))
    where.fail(name + " cannot be read as a PNG image (" + s.why + "); save it as PNG");

  PngImage image{long(s.height), long(s.width), std::vector<double>(std::size_t(s.height) * s.width)};
  const auto sample = [&](png_uint_32 row, std::size_t k) {
    return s.bits == 16 ? (s.rows[row][2 * k] * 256 + s.rows[row][2 * k + 1]) / 65535.0
                        : s.rows[row][k] / 255.0;
  };
  for (png_uint_32 r = 0; r < s.height; ++r)
    for (png_uint_32 c = 0; c < s.width; ++c) {
      const std::size_t k = std::size_t(c) * std::size_t(s.channels);
      image.values[std::size_t(r) * s.width + c] =
          s.channels < 3 ? sample(r, k)
                         : 0.2126 * sample(r, k) + 0.7152 * sample(r, k + 1) + 0.0722 * sample(r, k + 2);
    }
  return image;
}

}  // namespace wavesim
