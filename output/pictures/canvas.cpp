#include "output/pictures/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "output/pictures/png_file.hpp"

#ifdef WAVESIM_HAVE_VTK
#include <vtkAutoInit.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkStdString.h>
#include <vtkTextProperty.h>
#include <vtkTextRenderer.h>

VTK_MODULE_INIT(vtkRenderingFreeType);  // the renderer of text; needs no window
#endif

namespace wavesim {

Canvas::Canvas(int width, int height, Colour background)
    : width_(width), height_(height), data_(3 * std::size_t(width) * std::size_t(height)) {
  rectangle(0, 0, width, height, background);
}

void Canvas::blend(int x, int y, Colour c, double part) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_ || part <= 0) return;
  std::uint8_t* p = row(y) + 3 * x;
  const Colour mixed = part >= 1 ? c : mix({p[0], p[1], p[2]}, c, part);
  std::copy(mixed.begin(), mixed.end(), p);
}

void Canvas::rectangle(int x, int y, int width, int height, Colour c) {
  const int right = std::min(x + width, width_), top = std::min(y + height, height_);
  for (int j = std::max(y, 0); j < top; ++j)
    for (int i = std::max(x, 0); i < right; ++i) std::copy(c.begin(), c.end(), row(j) + 3 * i);
}

void Canvas::line(double x0, double y0, double x1, double y1, double width, Colour c) {
  const double dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy, reach = width / 2 + 1;
  const int top = std::min(height_ - 1, int(std::ceil(std::max(y0, y1) + reach)));
  for (int j = std::max(0, int(std::floor(std::min(y0, y1) - reach))); j <= top; ++j) {
    // The part of the row near the line.
    double low = std::min(x0, x1), high = std::max(x0, x1);
    if (std::abs(dy) > 1e-9) {
      const double a = x0 + (j - reach - y0) / dy * dx, b = x0 + (j + 1 + reach - y0) / dy * dx;
      low = std::max(low, std::min(a, b)), high = std::min(high, std::max(a, b));
    }
    const int last = std::min(width_ - 1, int(std::ceil(high + reach)));
    for (int i = std::max(0, int(std::floor(low - reach))); i <= last; ++i) {
      const double px = i + 0.5 - x0, py = j + 0.5 - y0;
      const double t = length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0;
      const double distance = std::hypot(px - t * dx, py - t * dy);
      blend(i, j, c, std::clamp(width / 2 + 0.5 - distance, 0.0, std::min(1.0, width)));
    }
  }
}

void Canvas::text(int x, int y, const std::string& text, int size, Colour c, Anchor anchor) {
#ifdef WAVESIM_HAVE_VTK
  vtkNew<vtkTextProperty> style;
  style->SetFontFamilyToArial();
  style->SetFontSize(size);
  style->SetColor(c[0] / 255.0, c[1] / 255.0, c[2] / 255.0);
  vtkNew<vtkImageData> rendered;
  int extent[2] = {0, 0};
  vtkTextRenderer* renderer = vtkTextRenderer::GetInstance();
  if (!renderer) return;
  renderer->SetScaleToPowerOfTwo(false);
  if (!renderer->RenderString(style, text, rendered, extent, 72))
    return;  // a picture without its label is still a picture
  const int* dims = rendered->GetDimensions();
  const int from = anchor == left ? x : anchor == middle ? x - extent[0] / 2 : x - extent[0];
  const auto* rgba = static_cast<const std::uint8_t*>(rendered->GetScalarPointer());
  for (int j = 0; j < dims[1]; ++j)
    for (int i = 0; i < dims[0]; ++i) {
      const std::uint8_t* p = rgba + 4 * (std::size_t(j) * std::size_t(dims[0]) + std::size_t(i));
      blend(from + i, y + j, {p[0], p[1], p[2]}, p[3] / 255.0);
    }
#endif
}

void Canvas::copy(const Canvas& from, int x, int y) {
  for (int j = 0; j < from.height_; ++j)
    for (int i = 0; i < from.width_; ++i) {
      const std::uint8_t* p =
          from.data_.data() + 3 * (std::size_t(j) * std::size_t(from.width_) + std::size_t(i));
      set(x + i, y + j, {p[0], p[1], p[2]});
    }
}

std::string Canvas::png() const { return png_of(data_, std::size_t(width_), std::size_t(height_)); }

}  // namespace wavesim
