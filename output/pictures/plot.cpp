#include "output/pictures/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wavesim {

namespace {

constexpr double width = 960, height = 400;  // of every plot; in pixels of an SVG and, scaled, of a PNG

struct Point {
  double x, y;  // from the upper left
};

// Seen on white and on black alike, and told apart by most colour-blind people (after Okabe and Ito, 2002).
constexpr Colour palette[] = {{0, 114, 178}, {213, 94, 0},   {0, 158, 115},  {204, 121, 167},
                              {140, 120, 0}, {86, 160, 220}, {150, 90, 200}, {130, 130, 130}};
constexpr Colour ink{40, 40, 40};

struct Pen {
  virtual ~Pen() = default;
  /// `colour` -1: ink.
  virtual void line(const std::vector<Point>& points, int colour, double width) = 0;
  virtual void fill(const std::vector<Point>& points,
                    int colour) = 0;  // closed, between its highest and lowest y
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

struct Span {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void take(double v) {
    if (!std::isfinite(v)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  bool empty() const { return !(low <= high); }
};

/// 1, 2 or 5 times a power of ten, so that there are about `count` ticks.
double tick_step(double length, int count) {
  const double rough = length / count, unit = std::pow(10.0, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * unit) return factor * unit;
  return 10 * unit;
}

struct Axes {
  Span x, y;
  bool log_y;
  double left = 84, right = width - 18, top = 42, bottom = height - 52;
  double place_x(double v) const { return left + (v - x.low) / (x.high - x.low) * (right - left); }
  double place_y(double v) const {
    return bottom - ((log_y ? std::log10(v) : v) - y.low) / (y.high - y.low) * (bottom - top);
  }
};

/// The curve's points on the sheet, in parts where it has gaps; of many points in one column of pixels only
/// the lowest and the highest.
std::vector<std::vector<Point>> parts_of(const Curve& c, const Axes& axes) {
  std::vector<std::vector<Point>> parts(1);
  std::size_t k = 0;
  while (k < c.x.size()) {
    if (!std::isfinite(c.y[k]) || (axes.log_y && c.y[k] <= 0)) {
      if (!parts.back().empty()) parts.emplace_back();
      ++k;
      continue;
    }
    const double column = std::floor(axes.place_x(c.x[k]));
    std::size_t low = k, high = k, end = k;
    for (; end < c.x.size() && std::floor(axes.place_x(c.x[end])) == column && std::isfinite(c.y[end]) &&
           !(axes.log_y && c.y[end] <= 0);
         ++end) {
      if (c.y[end] < c.y[low]) low = end;
      if (c.y[end] > c.y[high]) high = end;
    }
    const auto add = [&](std::size_t i) {
      parts.back().push_back({axes.place_x(c.x[i]), axes.place_y(c.y[i])});
    };
    add(std::min(low, high));
    if (low != high) add(std::max(low, high));
    k = std::max(end, k + 1);
  }
  return parts;
}

void draw_axes(Pen& pen, const Axes& a, const Plot& plot, bool numbers_y) {
  pen.text({a.left, 22}, plot.title, 16, Canvas::left);
  pen.text({(a.left + a.right) / 2, height - 10}, plot.x_label, 13, Canvas::middle);
  const double step = tick_step(a.x.high - a.x.low, 8);
  for (double v = std::ceil(a.x.low / step - 1e-9) * step; v <= a.x.high + 1e-9 * step; v += step) {
    const double x = a.place_x(v);
    pen.line({{x, a.top}, {x, a.bottom}}, -1, 0.5);
    pen.text({x, a.bottom + 18}, fmt::format("{:.4g}", std::abs(v) < 1e-9 * step ? 0 : v), 12,
             Canvas::middle);
  }
  if (numbers_y) {
    const double each =
        a.log_y ? std::max(1.0, std::ceil((a.y.high - a.y.low) / 8)) : tick_step(a.y.high - a.y.low, 5);
    for (double v = std::ceil(a.y.low / each - 1e-9) * each; v <= a.y.high + 1e-9 * each; v += each) {
      const double value = a.log_y ? std::pow(10.0, v) : std::abs(v) < 1e-9 * each ? 0 : v;
      const double y = a.bottom - (v - a.y.low) / (a.y.high - a.y.low) * (a.bottom - a.top);
      pen.line({{a.left, y}, {a.right, y}}, -1, 0.5);
      pen.text({a.left - 6, y + 4}, fmt::format("{:.4g}", value), 12, Canvas::right);
    }
  }
  pen.text({8, a.top - 8}, plot.y_label, 12, Canvas::left);
  pen.line({{a.left, a.top}, {a.right, a.top}, {a.right, a.bottom}, {a.left, a.bottom}, {a.left, a.top}}, -1,
           1);
}

Axes axes_of(const Plot& plot) {
  Axes a;
  a.log_y = plot.log_y;
  if (plot.from_zero) a.y.take(0);
  for (const Curve& c : plot.curves)
    for (std::size_t k = 0; k < c.x.size(); ++k) {
      a.x.take(c.x[k]);
      if (!plot.log_y)
        a.y.take(c.y[k]);
      else if (c.y[k] > 0)
        a.y.take(std::log10(c.y[k]));
    }
  if (a.x.empty()) a.x = {0, 1};
  if (a.y.empty()) a.y = {0, 1};
  if (!(a.x.high > a.x.low)) a.x.high = a.x.low + 1;
  if (plot.log_y) a.y = {std::floor(a.y.low), std::ceil(a.y.high)};
  if (!(a.y.high - a.y.low > 1e-12 * std::abs(a.y.high))) {
    const double room = std::max(1e-12, std::abs(a.y.high) * 0.1);
    a.y = {a.y.low - (plot.log_y ? 1 : room), a.y.high + (plot.log_y ? 1 : room)};
    if (plot.from_zero) a.y.low = 0;
  } else if (!plot.log_y) {
    const double room = 0.05 * (a.y.high - a.y.low);
    if (!plot.from_zero || a.y.low < 0) a.y.low -= room;
    a.y.high += room;
  }
  return a;
}

void draw_curves(Pen& pen, const Plot& plot) {
  const Axes a = axes_of(plot);
  draw_axes(pen, a, plot, true);
  double legend = a.right;
  for (std::size_t k = plot.curves.size(); k-- > 0;) {
    for (const auto& part : parts_of(plot.curves[k], a))
      if (part.size() == 1)
        pen.line({{part[0].x - 2, part[0].y}, {part[0].x + 2, part[0].y}}, int(k), 2);
      else if (!part.empty())
        pen.line(part, int(k), 1.5);
    if (plot.curves.size() < 2) continue;
    pen.text({legend, 22}, plot.curves[k].name, 13, Canvas::right);
    legend -= 7.5 * double(plot.curves[k].name.size()) + 6;
    pen.line({{legend - 18, 18}, {legend, 18}}, int(k), 3);
    legend -= 32;
  }
}

void draw_wiggles(Pen& pen, const Plot& plot) {
  Axes a = axes_of(plot);
  const double largest = plot.clip.value_or(std::max(std::abs(a.y.low), std::abs(a.y.high))),
               count = double(plot.curves.size());
  draw_axes(pen, a, plot, false);
  const double room = (a.bottom - a.top) / count;
  const std::size_t label_every =
      std::max<std::size_t>(1, std::size_t(std::ceil(count * 13 / (a.bottom - a.top))));
  for (std::size_t k = 0; k < plot.curves.size(); ++k) {
    Axes own = a;
    const double middle = a.top + (double(k) + 0.5) * room, reach = std::max(1.2 * room, 6.0);
    own.y = {-largest, largest};
    own.top = middle - reach;
    own.bottom = middle + reach;
    for (auto& part : parts_of(plot.curves[k], own)) {
      if (part.empty()) continue;
      for (Point& p : part) p.y = std::clamp(p.y, own.top, own.bottom);
      std::vector<Point> above{{part.front().x, middle}};
      for (const Point& p : part) above.push_back({p.x, std::min(p.y, middle)});
      above.push_back({part.back().x, middle});
      pen.fill(above, 0);
      pen.line(part, -1, 1);
    }
    if (k % label_every == 0) pen.text({a.left - 6, middle + 4}, plot.curves[k].name, 11, Canvas::right);
  }
}

void draw(Pen& pen, const Plot& plot) { plot.wiggles ? draw_wiggles(pen, plot) : draw_curves(pen, plot); }

}  // namespace

std::string xml_escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string svg_of(const Plot& plot, bool sheet) {
  SvgPen pen(sheet);
  draw(pen, plot);
  return pen.done();
}

Canvas canvas_of(const Plot& plot, int pixels) {
  CanvasPen pen(pixels);
  draw(pen, plot);
  return pen.done();
}

}  // namespace wavesim
