#pragma once
// What is wrong with a command line, as its user would say it.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace wavesim {

/// One sentence of what CLI11 found in the words after `wavesim`.
std::string sentence_of(const CLI::ParseError& error, const std::vector<std::string>& words);

}  // namespace wavesim
