#pragma once
#include <string>

namespace wavesim {

/// The text of a config in which the top-level section of `key` is `section` ("solver:\n  method: cg\n");
/// all else stays as it was written, comments included. `file` names it in sentences. Throws InputError
/// where the config is written in braces.
std::string replace_section(const std::string& text, const std::string& file, const std::string& key,
                            const std::string& section);

}  // namespace wavesim
