#pragma once
// What draws a plot on a sheet of fixed size: as SVG, or as pixels.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "output/pictures/canvas.hpp"
#include "output/pictures/xml_escaped.hpp"

namespace wavesim::plotting {

/// Of every plot, in pixels of an SVG; a PNG is scaled.
inline constexpr double width = 960, height = 400;

struct Point {
  double x, y;  // from the upper left
};

// Visible on white and on black, and distinct for most colour-blind people (after Okabe and Ito, 2002).
inline constexpr Colour palette[] = {{0, 114, 178}, {213, 94, 0},   {0, 158, 115},  {204, 121, 167},
                                     {140, 120, 0}, {86, 160, 220}, {150, 90, 200}, {130, 130, 130}};
inline constexpr Colour ink{40, 40, 40};

struct Pen {
  virtual ~Pen() = default;
  /// `colour` -1: ink.
  virtual void line(const std::vector<Point>& points, int colour, double width) = 0;
  /// Of a closed curve.
  virtual void fill(const std::vector<Point>& points, int colour) = 0;
  virtual void text(Point at, const std::string& text, int size, Canvas::Anchor anchor) = 0;
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
  void text(Point at, const std::string& text, int size, Canvas::Anchor anchor) override {
    constexpr const char* names[] = {"start", "middle", "end"};
    out_ += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"{}\" "
        "fill=\"currentColor\">{}</text>\n",
        at.x, at.y, size, names[anchor], xml_escaped(text));
  }
  std::string done() const { return out_ + "</svg>\n"; }

 private:
  static std::string name(int colour) {
    if (colour < 0) return "currentColor";
    const Colour& c = palette[std::size_t(colour) % std::size(palette)];
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

class CanvasPen final : public Pen {
 public:
  explicit CanvasPen(int pixels)
      : scale_(pixels / width), canvas_(pixels, int(std::lround(height * scale_)), {255, 255, 255}) {}
  void line(const std::vector<Point>& points, int colour, double w) override {
    const Colour c = colour < 0 ? (w < 1 ? Colour{200, 200, 200} : ink) : of(colour);
    for (std::size_t k = 0; k + 1 < points.size(); ++k)
      canvas_.line(points[k].x * scale_, canvas_.height() - points[k].y * scale_, points[k + 1].x * scale_,
                   canvas_.height() - points[k + 1].y * scale_, std::max(1.0, w * scale_), c);
  }
  void fill(const std::vector<Point>& points, int colour) override {
    // Even-odd, row by row.
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const Point& p : points) low = std::min(low, p.y), high = std::max(high, p.y);
    for (int row = int(std::floor(low * scale_)); row <= int(std::ceil(high * scale_)); ++row) {
      std::vector<double> cuts;
      const double y = (row + 0.5) / scale_;
      for (std::size_t k = 0; k < points.size(); ++k) {
        const Point &a = points[k], &b = points[(k + 1) % points.size()];
        if ((a.y <= y) != (b.y <= y)) cuts.push_back((a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)) * scale_);
      }
      std::sort(cuts.begin(), cuts.end());
      for (std::size_t k = 0; k + 1 < cuts.size(); k += 2)
        for (int x = int(std::floor(cuts[k])); x <= int(std::floor(cuts[k + 1])); ++x)
          canvas_.blend(x, canvas_.height() - 1 - row, of(colour),
                        std::min(cuts[k + 1], x + 1.0) - std::max(cuts[k], double(x)));
    }
  }
  void text(Point at, const std::string& text, int size, Canvas::Anchor anchor) override {
    canvas_.text(int(std::lround(at.x * scale_)), canvas_.height() - int(std::lround(at.y * scale_)), text,
                 std::max(8, int(std::lround(size * scale_))), ink, anchor);
  }
  Canvas done() const { return canvas_; }

 private:
  static Colour of(int colour) {
    return colour < 0 ? ink : palette[std::size_t(colour) % std::size(palette)];
  }
  double scale_;
  Canvas canvas_;
};

}  // namespace wavesim::plotting
