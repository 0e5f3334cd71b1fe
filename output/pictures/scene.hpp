#pragma once
// What pictures of a run have in common: the nodes, the region, the medium, and what is marked.

#include <cstdint>
#include <string>
#include <vector>

#include "output/pictures/source_marks.hpp"
#include "output/run/quantity_names.hpp"
#include "sim/run/writer.hpp"

namespace wavesim {

struct Mark {
  bool source;  // else a receiver
  double x, y;  // metres
};

/// What the times of frames are.
struct Moments {
  double longest = 0;  // seconds, of the run; 0: not known
  std::vector<double>
      frequencies;  // Hz, where frames are modes and their times the numbers of these; empty: seconds
  /// "t = 12 ms", or "mode 3, 503.2 Hz"; without "t = " if `brief`.
  std::string text(double time, bool brief = false) const;
};

struct Scene {
  std::string name, model = "membrane";
  std::size_t nx = 0, ny = 0;
  double origin[2] = {0, 0}, spacing[2] = {1, 1};
  Values inside, rim;  // RunInfo's
  Values speed;        // none: not known
  std::vector<Mark> marks;
  std::vector<MovingPlace> moving;  // sources
  Moments moments;

  /// Height to width; of one row or column of nodes, and of sizes that are none, something that can be drawn.
  double aspect() const;
  /// The point source of a run that has one, which rests; none or several: null.
  const Mark* only_source() const;
};

/// From what a writer is told, or a result says. Places of sources are those in the config text, and in the files that it
/// names.
Scene scene_of(const RunInfo& info);

}  // namespace wavesim
