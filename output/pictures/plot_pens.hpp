#pragma once
// What draws a plot on a sheet of fixed size: as SVG here, as pixels and PDF in cairo_pen.hpp.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "output/pictures/canvas.hpp"
#include "output/pictures/xml_escaped.hpp"

namespace wavesim::plotting {

/// Of every plot, in pixels of an SVG; a PNG is scaled.
inline constexpr double width = 960, height = 420;

/// Of a page as wide as the text of an A4 paper, in points: 17 cm.
inline constexpr double paper_width = 17 / 2.54 * 72;

struct Point {
  double x, y;  // from the upper left
};

// Visible on white and on black, and distinct for most colour-blind people (after Okabe and Ito, 2002).
inline constexpr Colour palette[] = {{0, 114, 178}, {213, 94, 0},   {0, 158, 115},  {204, 121, 167},
                                     {140, 120, 0}, {86, 160, 220}, {150, 90, 200}, {130, 130, 130}};
inline constexpr Colour ink{40, 40, 40};
/// Of the palette; -1: ink.
inline Colour colour_of(int colour) {
  return colour < 0 ? ink : palette[std::size_t(colour) % std::size(palette)];
}

struct Pen {
  virtual ~Pen() = default;
  /// In colour_of(colour); ink thinner than 1 is pale.
  virtual void line(const std::vector<Point>& points, int colour, double width) = 0;
  /// Of a closed curve.
  virtual void fill(const std::vector<Point>& points, int colour) = 0;
  /// On a line through `at`; turned: which runs upwards.
  virtual void text(Point at, const std::string& text, int size, Canvas::Anchor anchor,
                    bool turned = false) = 0;
};

class SvgPen final : public Pen {
 public:
  explicit SvgPen(bool sheet) {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
        "font-family=\"sans-serif\"{}>\n",
        width, height, sheet ? " color=\"#282828\"" : "");
    if (sheet) out_ += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"#fff\"/>\n", width, height);
  }
  void line(const std::vector<Point>& points, int colour, double w) override {
    out_ += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" points=\"{}\"{}/>\n",
                        name(colour), w, list(points), colour < 0 && w < 1 ? " opacity=\".4\"" : "");
  }
  void fill(const std::vector<Point>& points, int colour) override {
    out_ += fmt::format("<polygon fill=\"{}\" points=\"{}\"/>\n", name(colour), list(points));
  }
  void text(Point at, const std::string& text, int size, Canvas::Anchor anchor, bool turned) override {
    constexpr const char* names[] = {"start", "middle", "end"};
    out_ += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"{}\" "
        "fill=\"currentColor\"{}>{}</text>\n",
        at.x, at.y, size, names[anchor],
        turned ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", at.x, at.y) : "", xml_escaped(text));
  }
  std::string done() const { return out_ + "</svg>\n"; }

 private:
  static std::string name(int colour) {
    if (colour < 0) return "currentColor";
    const Colour c = colour_of(colour);
    return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
  }
  /// Of points at one height in a row only the first and the last.
  static std::string list(const std::vector<Point>& points) {
    std::string s;
    const auto height_of = [&](std::size_t k) { return std::lround(10 * points[k].y); };
    for (std::size_t k = 0; k < points.size(); ++k)
      if (k == 0 || k + 1 == points.size() || height_of(k - 1) != height_of(k) ||
          height_of(k) != height_of(k + 1))
        s += fmt::format("{:.1f},{:.1f} ", points[k].x, points[k].y);
    return s;
  }
  std::string out_;
};

}  // namespace wavesim::plotting
