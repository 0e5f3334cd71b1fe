#ifdef WAVESIM_HAVE_VTK

#include "output/canvas.hpp"

#include <vtkAutoInit.h>
#include <vtkErrorCode.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkStdString.h>
#include <vtkTextProperty.h>
#include <vtkTextRenderer.h>

#include <algorithm>

VTK_MODULE_INIT(vtkRenderingFreeType);  // the renderer of text; needs no window

namespace wavesim {

struct Canvas::Pixels {
  vtkNew<vtkImageData> image;
  std::uint8_t* data = nullptr;
};

Canvas::Canvas(int width, int height, Colour background)
    : pixels_(std::make_unique<Pixels>()), width_(width), height_(height) {
  pixels_->image->SetDimensions(width, height, 1);
  pixels_->image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  pixels_->data = static_cast<std::uint8_t*>(pixels_->image->GetScalarPointer());
  rectangle(0, 0, width, height, background);
}

Canvas::~Canvas() = default;

void Canvas::set(int x, int y, Colour c) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  std::copy(c.begin(), c.end(), pixels_->data + 3 * (std::size_t(y) * std::size_t(width_) + std::size_t(x)));
}

void Canvas::rectangle(int x, int y, int width, int height, Colour c) {
  for (int j = y; j < y + height; ++j)
    for (int i = x; i < x + width; ++i) set(i, j, c);
}

void Canvas::text(int x, int y, const std::string& text, int size, Colour c, Anchor anchor) {
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
  const int from = anchor == left ? x : x - extent[0];
  const auto* rgba = static_cast<const std::uint8_t*>(rendered->GetScalarPointer());
  for (int j = 0; j < dims[1]; ++j)
    for (int i = 0; i < dims[0]; ++i) {
      const std::uint8_t* p = rgba + 4 * (std::size_t(j) * std::size_t(dims[0]) + std::size_t(i));
      if (p[3] == 0 || from + i < 0 || y + j < 0 || from + i >= width_ || y + j >= height_) continue;
      const std::uint8_t* under =
          pixels_->data + 3 * (std::size_t(y + j) * std::size_t(width_) + std::size_t(from + i));
      set(from + i, y + j, mix({under[0], under[1], under[2]}, {p[0], p[1], p[2]}, p[3] / 255.0));
    }
}

std::string Canvas::write_png(const std::string& path) const {
  vtkObject::GlobalWarningDisplayOff();  // a failure is one sentence of ours
  vtkNew<vtkPNGWriter> writer;
  writer->SetInputData(pixels_->image);
  writer->SetFileName(path.c_str());
  writer->Write();
  return writer->GetErrorCode() == vtkErrorCode::NoError
             ? ""
             : vtkErrorCode::GetStringFromErrorCode(writer->GetErrorCode());
}

}  // namespace wavesim

#endif
