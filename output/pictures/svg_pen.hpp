#pragma once
// A pen that writes SVG.

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "output/pictures/base64.hpp"
#include "output/pictures/plot_pens.hpp"
#include "output/pictures/xml_escaped.hpp"

namespace wavesim::plotting {

class SvgPen final : public Pen {
 public:
  SvgPen(bool sheet, double width, double height) {
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
  void fill(const std::vector<Point>& points, Colour colour) override {
    out_ += fmt::format("<polygon fill=\"{}\" points=\"{}\"/>\n", name(colour), list(points));
  }
  void box(double left, double top, double w, double h, Colour colour) override {
    out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                        left, top, w, h, name(colour));
  }
  void image(double left, double top, double w, double h, const Canvas& picture) override {
    out_ += fmt::format(
        "<image x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" preserveAspectRatio=\"none\" "
        "href=\"data:image/png;base64,{}\"/>\n",
        left, top, w, h, base64(picture.png()));
  }
  void text(Point at, const std::string& text, int size, Canvas::Anchor anchor, bool turned,
            int colour) override {
    constexpr const char* names[] = {"start", "middle", "end"};
    out_ += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"{}\" "
        "fill=\"{}\"{}>{}</text>\n",
        at.x, at.y, size, names[anchor], name(colour),
        turned ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", at.x, at.y) : "", xml_escaped(text));
  }
  std::string done() const { return out_ + "</svg>\n"; }

 private:
  static std::string name(int colour) { return name(colour_of(colour)); }
  /// Ink is what the page around writes with.
  static std::string name(Colour c) {
    if (c == ink) return "currentColor";
    return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
  }
  /// Of points at one height in a row, or above each other, only the first and the last.
  static std::string list(const std::vector<Point>& points) {
    std::string s;
    const auto same = [&](double Point::*part, std::size_t k) {
      const auto tenths = [&](std::size_t i) { return std::lround(10 * points[i].*part); };
      return tenths(k - 1) == tenths(k) && tenths(k) == tenths(k + 1);
    };
    for (std::size_t k = 0; k < points.size(); ++k)
      if (k == 0 || k + 1 == points.size() || (!same(&Point::y, k) && !same(&Point::x, k)))
        s += fmt::format("{:.1f},{:.1f} ", points[k].x, points[k].y);
    return s;
  }
  std::string out_;
};

}  // namespace wavesim::plotting
