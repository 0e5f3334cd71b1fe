#include "output/pictures/picture_writer.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <optional>

#include "kernels/backend/errors.hpp"
#include "output/pictures/picture.hpp"
#include "output/run/partial_file.hpp"
#include "output/run/paths.hpp"

namespace wavesim {

namespace {

namespace fs = std::filesystem;

struct Waiting {
  long step;
  double time;
  Image image;
};

class PictureWriter final : public Writer {
 public:
  explicit PictureWriter(const PicturesOutput& look) : look_(look), range_(look.range.value_or(0)) {}

  void begin(const RunInfo& info) override {
    info_ = info;
    picture_.emplace(scene_of(info), look_);
    info_.once.clear(), info_.inside = info_.rim = {};  // ranks need keep only what the picture reads again
    folder_ = (fs::path(info.directory) / "pictures").string();
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) fail_to_write(folder_, error.message());
  }

  void resume(const RunInfo& info, long step, Archive& saved) override {
    begin(info);
    position(saved);
    remove_later_files(folder_, info.name, ".png", step);
  }
  void save(Archive& a) override { position(a); }
  std::string name() const override { return "pictures"; }

  void picture(const Frame& f) override {
    const FieldPainter& field = picture_->field();
    waiting_.push_back({f.step, f.time, field.sample_in_parts(f.planes.at(0).values)});
    if (look_.scale == "picture") {
      range_ = two_digits(field.range(waiting_.back().image));
      return draw_all();
    }
    if (range_ > 0 || waiting_.size() >= most_waiting()) draw_waiting();
  }

  void finish(const RunSummary&) override { draw_waiting(); }
  std::vector<std::string> files() const override {
    return {folder_ + "/ (" + std::to_string(drawn_) + (drawn_ == 1 ? " picture)" : " pictures)")};
  }

 private:
  /// Pictures that wait for the range are part of it.
  void position(Archive& a) {
    a.number("range", range_);
    a.number("drawn", drawn_);
    std::vector<long> steps;
    std::vector<double> times, lows, highs;
    for (const Waiting& w : waiting_) {
      steps.push_back(w.step), times.push_back(w.time);
      lows.push_back(double(w.image.low)), highs.push_back(double(w.image.high));
    }
    a.list("steps that wait", steps);
    a.list("times that wait", times);
    a.list("lowest values that wait", lows);
    a.list("highest values that wait", highs);
    if (a.loading()) {
      waiting_.clear();
      const auto width = std::size_t(picture_->field().width()),
                 height = std::size_t(picture_->field().height());
      for (std::size_t k = 0; k < steps.size(); ++k)
        waiting_.push_back(
            {steps[k],
             times.at(k),
             {width, height, std::vector<float>(width * height), float(lows.at(k)), float(highs.at(k))}});
    }
    for (Waiting& w : waiting_)
      a.table("image of step " + std::to_string(w.step), w.image.values, w.image.height, w.image.width);
  }

  /// The first tenth of the pictures decides on the range, at least 10, at most what fits into 64 MB.
  std::size_t most_waiting() const {
    const std::size_t bytes =
        std::size_t(picture_->field().width()) * std::size_t(picture_->field().height()) * 4;
    const auto wanted = std::size_t(std::max(10L, info_.planned_pictures / 10));
    return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, (64 << 20) / bytes));
  }

  void draw_waiting() {
    // Only zeros so far: they look the same in every range, so the next pictures decide.
    if (range_ == 0) {
      RangeFinder finder;
      for (const Waiting& w : waiting_) picture_->field().count(w.image, finder);
      range_ = two_digits(picture_->field().range(finder));
    }
    draw_all();
  }

  void draw_all() {
    for (; !waiting_.empty(); waiting_.pop_front()) {
      const Waiting& w = waiting_.front();
      replace_file(folder_ + "/" + step_name(info_, w.step, ".png"),
                   picture_->draw(w.image, w.time, range_).png(), info_.durable ? Sync::now : Sync::later);
      ++drawn_;
    }
  }

  const PicturesOutput look_;
  double range_;  // 0: not known yet
  RunInfo info_;
  std::optional<Picture> picture_;
  std::string folder_;
  std::deque<Waiting> waiting_;
  long drawn_ = 0;
};

}  // namespace

std::unique_ptr<Writer> make_picture_writer(const PicturesOutput& pictures) {
  return std::make_unique<PictureWriter>(pictures);
}

}  // namespace wavesim
