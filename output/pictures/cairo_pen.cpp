#include "output/pictures/cairo_pen.hpp"

#include <cairo-pdf.h>
#include <cairo.h>

#include <cmath>

#include "kernels/backend/errors.hpp"
#include "output/run/one_line.hpp"

namespace wavesim::plotting {

namespace {

struct Destroy {
  void operator()(cairo_surface_t* s) const { cairo_surface_destroy(s); }
  void operator()(cairo_t* c) const { cairo_destroy(c); }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;
using Drawing = std::unique_ptr<cairo_t, Destroy>;

void choose_font(cairo_t* c, double size) {
  cairo_select_font_face(c, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(c, size);
}

cairo_status_t append(void* to, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void path_of(cairo_t* c, const std::vector<Point>& points) {
  cairo_new_path(c);
  for (const Point& p : points) cairo_line_to(c, p.x, p.y);
}

}  // namespace

/// Errors of Cairo are of a kind that lasts: what is drawn after one is nothing.
struct CairoPen::Sheet {
  std::string written;        // before the surface, which writes into it until it is gone
  int width = 0, height = 0;  // pixels
  Surface surface;
  Drawing drawing;
  void colour(const Colour& c) {
    cairo_set_source_rgb(drawing.get(), c[0] / 255.0, c[1] / 255.0, c[2] / 255.0);
  }
};

double text_width(const std::string& text, double size) {
  // A drawing a thread: the letters of a size stay known.
  thread_local const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1));
  thread_local const Drawing drawing(cairo_create(surface.get()));
  choose_font(drawing.get(), size);
  cairo_text_extents_t word{};
  cairo_text_extents(drawing.get(), one_line(text).c_str(), &word);
  return word.x_advance;
}

CairoPen::CairoPen(std::unique_ptr<Sheet> sheet) : sheet_(std::move(sheet)) {}
CairoPen::~CairoPen() = default;
CairoPen::CairoPen(CairoPen&&) noexcept = default;

CairoPen CairoPen::pixels(double width, double height, double scale) {
  auto sheet = std::make_unique<Sheet>();
  sheet->width = int(std::lround(width * scale));
  sheet->height = int(std::lround(height * scale));
  sheet->surface.reset(cairo_image_surface_create(CAIRO_FORMAT_RGB24, sheet->width, sheet->height));
  sheet->drawing.reset(cairo_create(sheet->surface.get()));
  cairo_scale(sheet->drawing.get(), scale, scale);
  sheet->colour({255, 255, 255});
  cairo_paint(sheet->drawing.get());
  return CairoPen(std::move(sheet));
}

CairoPen CairoPen::pdf(double width, double height, double paper_width, const std::string& title) {
  auto sheet = std::make_unique<Sheet>();
  const double scale = paper_width / width;
  sheet->surface.reset(
      cairo_pdf_surface_create_for_stream(append, &sheet->written, paper_width, height * scale));
  cairo_pdf_surface_set_metadata(sheet->surface.get(), CAIRO_PDF_METADATA_TITLE, one_line(title).c_str());
  sheet->drawing.reset(cairo_create(sheet->surface.get()));
  cairo_scale(sheet->drawing.get(), scale, scale);
  return CairoPen(std::move(sheet));
}

void CairoPen::line(const std::vector<Point>& points, int colour, double width) {
  cairo_t* const c = sheet_->drawing.get();
  sheet_->colour(colour < 0 && width < 1 ? Colour{200, 200, 200} : colour_of(colour));
  cairo_set_line_width(c, width);
  cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
  path_of(c, points);
  cairo_stroke(c);
}

void CairoPen::fill(const std::vector<Point>& points, Colour colour) {
  cairo_t* const c = sheet_->drawing.get();
  sheet_->colour(colour);
  cairo_set_fill_rule(c, CAIRO_FILL_RULE_EVEN_ODD);
  path_of(c, points);
  cairo_fill(c);
}

void CairoPen::box(double left, double top, double width, double height, Colour colour) {
  sheet_->colour(colour);
  cairo_rectangle(sheet_->drawing.get(), left, top, width, height);
  cairo_fill(sheet_->drawing.get());
}

void CairoPen::text(Point at, const std::string& words, int size, Canvas::Anchor anchor, bool turned,
                    int colour) {
  const std::string text = one_line(words);  // what is no UTF-8 would end all drawing
  cairo_t* const c = sheet_->drawing.get();
  cairo_save(c);
  choose_font(c, size);
  sheet_->colour(colour_of(colour));
  cairo_text_extents_t word{};
  cairo_text_extents(c, text.c_str(), &word);
  const double before = anchor == Canvas::left     ? 0
                        : anchor == Canvas::middle ? word.x_advance / 2
                                                   : word.x_advance;
  cairo_translate(c, at.x, at.y);
  if (turned) cairo_rotate(c, -M_PI / 2);
  cairo_move_to(c, -before, 0);
  cairo_show_text(c, text.c_str());
  cairo_restore(c);
}

void CairoPen::image(double left, double top, double width, double height, const Canvas& picture) {
  const Surface pixels(cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture.width(), picture.height()));
  std::uint8_t* const data = cairo_image_surface_get_data(pixels.get());
  if (!data) return;
  const int stride = cairo_image_surface_get_stride(pixels.get());
  for (int row = 0; row < picture.height(); ++row) {
    auto* const to = reinterpret_cast<std::uint32_t*>(data + std::ptrdiff_t(row) * stride);
    const std::uint8_t* from = picture.row(picture.height() - 1 - row);
    for (int k = 0; k < picture.width(); ++k, from += 3)
      to[k] = std::uint32_t(from[0]) << 16 | std::uint32_t(from[1]) << 8 | from[2];
  }
  cairo_surface_mark_dirty(pixels.get());
  cairo_t* const c = sheet_->drawing.get();
  cairo_save(c);
  cairo_translate(c, left, top);
  cairo_scale(c, width / picture.width(), height / picture.height());
  cairo_set_source_surface(c, pixels.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(c), CAIRO_FILTER_NEAREST);
  cairo_paint(c);
  cairo_restore(c);
}

Canvas CairoPen::canvas() {
  Canvas canvas(sheet_->width, sheet_->height, {255, 255, 255});
  cairo_surface_flush(sheet_->surface.get());
  const std::uint8_t* const data = cairo_image_surface_get_data(sheet_->surface.get());
  if (!data) return canvas;  // a sheet without letters is still a sheet
  const int stride = cairo_image_surface_get_stride(sheet_->surface.get());
  for (int row = 0; row < sheet_->height; ++row) {
    const auto* const from = reinterpret_cast<const std::uint32_t*>(data + std::ptrdiff_t(row) * stride);
    std::uint8_t* to = canvas.row(sheet_->height - 1 - row);
    for (int k = 0; k < sheet_->width; ++k, to += 3)
      to[0] = std::uint8_t(from[k] >> 16), to[1] = std::uint8_t(from[k] >> 8), to[2] = std::uint8_t(from[k]);
  }
  return canvas;
}

std::string CairoPen::bytes() {
  cairo_surface_finish(sheet_->surface.get());
  const cairo_status_t status = cairo_surface_status(sheet_->surface.get());
  if (status != CAIRO_STATUS_SUCCESS)
    throw OutputError(std::string("cannot make a PDF file: ") + cairo_status_to_string(status));
  return sheet_->written;
}

}  // namespace wavesim::plotting
