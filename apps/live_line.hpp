#pragma once
// Progress on stderr.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace wavesim {

/// One line that is redrawn on a terminal; elsewhere a line every few seconds.
class LiveLine {
 public:
  LiveLine() = default;
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;
  ~LiveLine() {
    if (open_) std::fputc('\n', stderr);
  }
  /// Whether it is time for another text; for the last one it always is.
  bool is_due(bool last) const { return last || !shown_once_ || since_shown() >= (terminal_ ? 0.1 : 5); }
  void show(const std::string& text) {
    shown_ = Clock::now();
    shown_once_ = true;
    std::fprintf(stderr, terminal_ ? "\r%s\x1b[K" : "%s\n", text.c_str());
    std::fflush(stderr);
    open_ = terminal_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  double since_shown() const { return std::chrono::duration<double>(Clock::now() - shown_).count(); }

  const bool terminal_ = isatty(STDERR_FILENO);
  bool open_ = false, shown_once_ = false;
  Clock::time_point shown_{};
};

}  // namespace wavesim
