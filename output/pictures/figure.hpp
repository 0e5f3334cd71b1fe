#pragma once
// A drawing for a page or a paper: as SVG, PNG and PDF.

#include <functional>
#include <string>

#include "output/pictures/canvas.hpp"
#include "output/pictures/plot_pens.hpp"

namespace wavesim {

struct Figure {
  std::string title;
  double height;
  std::function<void(plotting::Pen&, double width)> draw;  // of any width from plotting::narrow_width on
};

/// On its own a white sheet; without `sheet` it takes the colours of the page around it.
std::string svg_of(const Figure& figure, bool sheet = true, double width = plotting::width);
/// `width`: of the drawing, which has `pixels`.
Canvas canvas_of(const Figure& figure, int pixels = 960, double width = plotting::width);
/// A page of 17 cm in width.
std::string pdf_of(const Figure& figure);

}  // namespace wavesim
