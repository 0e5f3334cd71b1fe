#include "output/pictures/figure.hpp"

#include "output/pictures/cairo_pen.hpp"
#include "output/pictures/svg_pen.hpp"

namespace wavesim {

using namespace plotting;

std::string svg_of(const Figure& figure, bool sheet, double width) {
  SvgPen pen(sheet, width, figure.height);
  figure.draw(pen, width);
  return pen.done();
}

Canvas canvas_of(const Figure& figure, int pixels, double width) {
  CairoPen pen = CairoPen::pixels(width, figure.height, pixels / width);
  figure.draw(pen, width);
  return pen.canvas();
}

std::string pdf_of(const Figure& figure) {
  CairoPen pen = CairoPen::pdf(width, figure.height, paper_width, figure.title);
  figure.draw(pen, width);
  return pen.bytes();
}

}  // namespace wavesim
