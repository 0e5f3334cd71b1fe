#include "output/run/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "output/run/duration.hpp"

namespace wavesim {

namespace {

int columns(std::FILE* stream) {
  winsize size{};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string progress_text(const Progress& now) {
  const double rate = now.seconds > 0 ? double(now.step) / now.seconds : 0;
  std::string text = fmt::format("step {}/{}, t = {:.4g} s, {}, {:.3g} iterations", now.step, now.steps,
                                 now.time, human_rate(rate), now.iterations);
  if (!std::isnan(now.energy)) text += fmt::format(", energy {:.4g}", now.energy);
  if (now.step >= now.steps) return text + ", " + human_duration(now.seconds);
  if (rate > 0) text += ", " + human_duration(double(now.steps - now.step) / rate) + " left";
  return text;
}

ProgressBar::ProgressBar(std::FILE* stream, double quiet_seconds)
    : stream_(stream),
      quiet_seconds_(quiet_seconds),
      terminal_(isatty(fileno(stream))),
      shown_(std::chrono::steady_clock::now()) {}

ProgressBar::~ProgressBar() {
  if (open_line_) std::fputc('\n', stream_);
}

void ProgressBar::operator()(const Progress& now) {
  const std::string text = progress_text(now);
  if (!terminal_) {
    const auto time = std::chrono::steady_clock::now();
    const bool quiet = std::chrono::duration<double>(time - shown_).count() < quiet_seconds_;
    if (quiet && now.step < now.steps) return;
    shown_ = time;
    std::fprintf(stream_, "%s\n", text.c_str());
    std::fflush(stream_);
    return;
  }
  const int width = columns(stream_), bar = std::clamp(width - int(text.size()) - 10, 0, 40);
  const double done = now.steps > 0 ? double(now.step) / double(now.steps) : 1;
  std::string line = fmt::format("{:3.0f} % ", 100 * done);
  if (bar >= 8) {
    const int full = int(std::lround(done * bar));
    line += fmt::format("[{:=<{}}{:<{}}] ", "", full, "", bar - full);
  }
  line =
      (line + text).substr(0, std::size_t(std::max(width - 1, 10)));  // a wrapped line could not be redrawn
  std::fprintf(stream_, "\r%s\x1b[K", line.c_str());
  std::fflush(stream_);
  open_line_ = true;
}

}  // namespace wavesim
