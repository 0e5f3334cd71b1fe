#include "output/picture_writer.hpp"

#include "kernels/errors.hpp"

#ifndef WAVESIM_HAVE_VTK

namespace wavesim {

std::unique_ptr<Writer> make_picture_writer(const PicturesOutput&) {
  throw InputError(
      "output.pictures needs VTK, which this build is without; leave the section out, or install libvtk9-dev "
      "and build again");
}

}  // namespace wavesim

#else

#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <filesystem>
#include <optional>

#include "output/canvas.hpp"
#include "output/colour_map.hpp"
#include "output/partial_file.hpp"
#include "output/paths.hpp"
#include "output/resample.hpp"

namespace wavesim {

namespace {

namespace fs = std::filesystem;

constexpr Colour paper{255, 255, 255}, ink{40, 40, 40}, outside{158, 158, 158};

/// Where everything lies, in pixels; y from the bottom.
struct Layout {
  int font, margin, bar_width, bar_room, head;
  int plot_width, plot_height, width, height;

  Layout(int wanted, double aspect) {
    width = std::max(wanted, 64);
    font = std::clamp(width / 60, 9, 48);
    margin = font;
    bar_width = font;
    bar_room = bar_width + 6 * font;
    head = 2 * font;
    plot_width = std::max(16, width - bar_room - 3 * margin);
    plot_height = int(std::lround(plot_width * aspect));
    if (plot_height > 2 * width) {  // a tall domain: keep the picture a picture
      plot_height = 2 * width;
      plot_width = std::max(1, int(std::lround(plot_height / aspect)));
      width = plot_width + bar_room + 3 * margin;
    }
    plot_height = std::max(plot_height, 8);
    height = plot_height + head + 2 * margin;
  }
};

struct Waiting {
  long step;
  double time;
  Image image;
};

class PictureWriter final : public Writer {
 public:
  explicit PictureWriter(const PicturesOutput& pictures)
      : width_(pictures.width), up_(pictures.y == "up"), range_(pictures.range.value_or(0)) {}

  void begin(const RunInfo& info) override {
    info_ = info;
    const double wide = double(info.nx - 1) * info.spacing[0], high = double(info.ny - 1) * info.spacing[1];
    layout_.emplace(int(width_), high / wide);
    x_.emplace(std::size_t(info.nx), std::size_t(layout_->plot_width));
    y_.emplace(std::size_t(info.ny), std::size_t(layout_->plot_height));
    folder_ = (fs::path(info.directory) / "pictures").string();
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) fail_to_write(folder_, error.message());
  }

  void picture(const Frame& f) override {
    const auto values = f.planes.at(0).values.as<float>();
    waiting_.push_back(
        {f.step, f.time,
         resample(values, info_.inside, std::size_t(info_.nx), std::size_t(info_.ny), *x_, *y_)});
    const Image& image = waiting_.back().image;
    for (std::size_t k = 0; k < image.values.size(); ++k)
      if (image.inside.empty() || image.inside[k] > 0.5f)
        largest_ = std::max(largest_, std::abs(image.values[k]));
    if (range_ > 0 || waiting_.size() >= most_waiting()) draw_waiting();
  }

  void finish(const RunSummary&) override { draw_waiting(); }
  std::vector<std::string> files() const override {
    return {folder_ + "/ (" + std::to_string(drawn_) + (drawn_ == 1 ? " picture)" : " pictures)")};
  }

 private:
  /// The first tenth of the pictures decides on the range, at least 10, at most what fits into 64 MB.
  std::size_t most_waiting() const {
    const std::size_t bytes = std::size_t(layout_->plot_width) * std::size_t(layout_->plot_height) * 8;
    const auto wanted = std::size_t(std::max(10L, info_.planned_pictures / 10));
    return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, (64 << 20) / bytes));
  }

  void draw_waiting() {
    // Only zeros until now: they look the same on every range, and the next pictures decide.
    if (range_ == 0 && largest_ > 0) range_ = two_digits(largest_);
    for (; !waiting_.empty(); waiting_.pop_front()) draw(waiting_.front());
  }

  /// Rounded up to two digits, so that the numbers at the bar are short.
  static double two_digits(double v) {
    const double unit = std::pow(10.0, std::floor(std::log10(v)) - 1);
    return std::ceil(v / unit - 1e-9) * unit;
  }

  void draw(const Waiting& w) {
    const Layout& l = *layout_;
    Canvas canvas(l.width, l.height, paper);
    const int left = l.margin, bottom = l.margin;
    canvas.rectangle(left - 1, bottom - 1, l.plot_width + 2, l.plot_height + 2, ink);
    const double scale = range_ > 0 ? 1 / range_ : 0;
    for (int row = 0; row < l.plot_height; ++row) {
      const std::size_t from = std::size_t(up_ ? row : l.plot_height - 1 - row) * std::size_t(l.plot_width);
      for (int col = 0; col < l.plot_width; ++col) {
        const std::size_t k = from + std::size_t(col);
        const Colour c = diverging_colour(w.image.values[k] * scale);
        canvas.set(left + col, bottom + row, w.image.inside.empty() ? c : mix(outside, c, w.image.inside[k]));
      }
    }
    draw_bar(canvas, left + l.plot_width + l.margin, bottom);
    canvas.text(left, bottom + l.plot_height + l.font / 2,
                fmt::format("{}    t = {:.4g} s", info_.name, w.time), l.font + l.font / 4, ink,
                Canvas::left);
    const std::string path = folder_ + "/" + step_name(info_, w.step, ".png"), temporary = path + ".partial";
    const std::string failure = canvas.write_png(temporary);
    if (!failure.empty()) {
      std::error_code ignored;
      fs::remove(temporary, ignored);
      fail_to_write(path, failure);
    }
    rename_file(temporary, path);
    ++drawn_;
  }

  void draw_bar(Canvas& canvas, int left, int bottom) const {
    const Layout& l = *layout_;
    canvas.rectangle(left - 1, bottom - 1, l.bar_width + 2, l.plot_height + 2, ink);
    for (int row = 0; row < l.plot_height; ++row) {
      const Colour c = diverging_colour(2 * (row + 0.5) / l.plot_height - 1);
      for (int col = 0; col < l.bar_width; ++col) canvas.set(left + col, bottom + row, c);
    }
    if (range_ == 0) return;
    const int ticks = l.plot_height > 12 * l.font ? 2 : 1;  // on each side of zero
    for (int k = -ticks; k <= ticks; ++k) {
      const int y = bottom + int(std::lround((double(k) / ticks + 1) / 2 * (l.plot_height - 1)));
      canvas.rectangle(left + l.bar_width, y, l.font / 3 + 1, 1, ink);
      // The outer numbers stay within the height of the bar.
      const int shift = k == -ticks ? 0 : k == ticks ? -l.font : -l.font / 2;
      canvas.text(left + l.bar_width + l.font / 2 + 1, y + shift, fmt::format("{:.3g}", range_ * k / ticks),
                  l.font, ink, Canvas::left);
    }
  }

  const long width_;
  const bool up_;
  double range_;  // 0: not known yet
  float largest_ = 0;
  RunInfo info_;
  std::optional<Layout> layout_;
  std::optional<LineFilter> x_, y_;
  std::string folder_;
  std::deque<Waiting> waiting_;
  long drawn_ = 0;
};

}  // namespace

std::unique_ptr<Writer> make_picture_writer(const PicturesOutput& pictures) {
  return std::make_unique<PictureWriter>(pictures);
}

}  // namespace wavesim

#endif
