#pragma once
// A small picture of each run, for the page of a sweep or a survey.

#include <filesystem>
#include <vector>

#include "output/sweep/sweep_page.hpp"

namespace wavesim {

/// The last frame of each run that is done, all with one range of colours.
std::vector<RunPicture> last_frames(const std::filesystem::path& folder, const SweepTable& table);
/// The first figure of the receivers of each run that is done.
std::vector<RunPicture> receiver_pictures(const std::filesystem::path& folder, const SweepTable& table,
                                          double gain);

}  // namespace wavesim
