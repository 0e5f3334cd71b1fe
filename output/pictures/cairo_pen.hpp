#pragma once
// A pen on a sheet of Cairo: pixels or a page of PDF.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "output/pictures/canvas.hpp"
#include "output/pictures/plot_pens.hpp"

namespace wavesim::plotting {

/// The room that a text of `size` takes along its line.
double text_width(const std::string& text, double size);

class CairoPen final : public Pen {
 public:
  /// A white sheet of width x height units, of which each is `scale` pixels.
  static CairoPen pixels(double width, double height, double scale = 1);
  /// A page, `paper_width` points of 1/72 inch wide.
  static CairoPen pdf(double width, double height, double paper_width, const std::string& title);
  ~CairoPen() override;
  CairoPen(CairoPen&&) noexcept;

  void line(const std::vector<Point>& points, int colour, double width) override;
  void text(Point at, const std::string& text, int size, Canvas::Anchor anchor, bool turned = false,
            int colour = -1) override;
  void fill(const std::vector<Point>& points, Colour colour) override;
  /// An axis-aligned box, sharp where its sides are between pixels.
  void box(double left, double top, double width, double height, Colour colour) override;
  void image(double left, double top, double width, double height, const Canvas& picture) override;

  /// Of a sheet of pixels.
  Canvas canvas();
  /// The bytes of the page; nothing is drawn after that. Throws OutputError.
  std::string bytes();

 private:
  struct Sheet;
  explicit CairoPen(std::unique_ptr<Sheet> sheet);
  std::unique_ptr<Sheet> sheet_;
};

}  // namespace wavesim::plotting
