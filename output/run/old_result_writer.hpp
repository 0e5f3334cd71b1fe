#pragma once
// Removes the result that a run replaces, once the new one has a frame.

#include "output/run/result_directory.hpp"
#include "sim/run/writer.hpp"

namespace wavesim {

/// To be the last of a run's writers: when it is handed a frame, the others have written theirs.
class OldResultWriter final : public Writer {
 public:
  explicit OldResultWriter(ResultDirectory& folder) : folder_(folder) {}
  void begin(const RunInfo&) override {}
  void frame(const Frame&) override { folder_.discard_old(); }

 private:
  ResultDirectory& folder_;
};

}  // namespace wavesim
