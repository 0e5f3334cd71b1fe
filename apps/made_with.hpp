#pragma once
// What a study, a sweep or a survey was made with, for its page.

#include <map>
#include <string>

#include "apps/commands.hpp"
#include "kernels/backend/device.hpp"

namespace wavesim {

/// A word as a shell takes it.
std::string shell_word(const std::string& word);

/// What to type for this from its beginning: "wavesim VERB CONFIG --set ...".
std::string command_text(const std::string& verb, const RunCommand& words);

/// Command, date, device and build, by the names that pages show.
std::map<std::string, std::string> made_with(const std::string& command, const DeviceFacts& device);

}  // namespace wavesim
