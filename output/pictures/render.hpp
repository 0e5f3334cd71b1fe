#pragma once
// Pictures, films and contact sheets of a result, after the run.

#include <optional>
#include <string>
#include <vector>

#include "output/hdf5/result_reader.hpp"
#include "output/pictures/canvas.hpp"
#include "sim/config/config.hpp"

namespace wavesim {

struct RenderPlan {
  PicturesOutput look;
  long every = 1;
  std::optional<double> from, to;      // seconds
  std::string folder;                  // where files go
  bool pictures = false, pdf = false;  // PNG; and each as PDF, too
  std::optional<std::string> movie;    // mp4 | webm | ogv
  int rate = 25;                       // pictures a second of the film
  std::optional<long> sheet;           // frames on the contact sheet
};

/// Throws InputError for what does not fit the result: an unknown quantity, no frame between from and to.
std::vector<std::size_t> chosen_frames(const ResultReader& result, const RenderPlan& plan);

/// `count` of them, evenly spaced, the first and the last among them.
std::vector<std::size_t> spread(const std::vector<std::size_t>& frames, std::size_t count);

/// PNG of `count` of the chosen frames, in `most_columns` at most: contact_sheet.hpp.
Canvas sheet_of(const ResultReader& result, const RenderPlan& plan, std::size_t count, int most_columns = 12);

/// Draws what the plan asks for; the files it made. Throws OutputError.
std::vector<std::string> render(const ResultReader& result, const RenderPlan& plan);

}  // namespace wavesim
