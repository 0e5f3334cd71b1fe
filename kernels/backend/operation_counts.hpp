#pragma once
// Operation counts of a backend: passes over memory, reductions and bytes by label, and allocated memory.
// Tests assert them.

#include <cstring>
#include <vector>

namespace wavesim {

struct OperationCounts {
  struct Line {
    const char* label;
    long passes = 0;
    double bytes = 0;
  };
  std::vector<Line> lines;
  long passes = 0, reductions = 0;
  double bytes = 0;
  double allocated = 0;  // bytes; releases are not subtracted

  void add(const char* label, double moved, bool reduces) {
    ++passes;
    reductions += reduces;
    bytes += moved;
    Line& line = line_of(label);
    ++line.passes;
    line.bytes += moved;
  }
  /// Adds the counts of `that`, so many times.
  void add(const OperationCounts& that, long times) {
    passes += times * that.passes;
    reductions += times * that.reductions;
    bytes += double(times) * that.bytes;
    for (const Line& more : that.lines) {
      Line& line = line_of(more.label);
      line.passes += times * more.passes;
      line.bytes += double(times) * more.bytes;
    }
  }
  long count(const char* label) const {
    for (const Line& line : lines)
      if (std::strcmp(line.label, label) == 0) return line.passes;
    return 0;
  }
  void clear() { *this = {}; }

 private:
  Line& line_of(const char* label) {
    for (Line& line : lines)
      if (line.label == label || std::strcmp(line.label, label) == 0) return line;
    return lines.emplace_back(Line{label});
  }
};

}  // namespace wavesim
