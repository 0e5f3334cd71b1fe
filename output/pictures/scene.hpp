#pragma once
// What pictures of a run have in common: the nodes, the region, the medium, and what is marked.

#include <cstdint>
#include <string>
#include <vector>

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
  std::vector<std::uint8_t> inside;  // empty: everywhere
  std::vector<float> rim;            // RunInfo::rim
  std::vector<float> speed;          // empty: not known
  std::vector<Mark> marks;
  Moments moments;

  /// Height to width; of one row or column of nodes, and of sizes that are none, something that can be drawn.
  double aspect() const;
  /// The point source of a run that has one; none or several: null.
  const Mark* only_source() const;
};

/// From what a writer is told, or a result says. Places of sources are those in the config text.
Scene scene_of(const RunInfo& info);

/// medium.model of an effective config.
std::string model_of(const std::string& config);
/// What a quantity is in a medium of this model: "pressure", "largest |surface height|", ...
std::string name_of(const std::string& quantity, const std::string& model);
/// "m", "m/s", ... of a quantity in a medium of this model; "" for none known.
std::string unit_of(const std::string& quantity, const std::string& model);
/// Whether a quantity has a sign, so that zero is the middle of its colours.
bool has_sign(const std::string& quantity);

}  // namespace wavesim
