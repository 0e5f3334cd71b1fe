#pragma once
// What a word of the command line that nobody knows was meant to be.

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace wavesim {

/// "there is no subcommand 'rendr'; did you mean 'render'?" of a first word that is near a subcommand and no file; else
/// "".
std::string unknown_subcommand(const CLI::App& app, const std::string& word);

/// "wavesim render has no option '--clp'; did you mean '--clip'?" of the first option that the subcommand words[0] does
/// not have and that is near one of its own; else "".
std::string unknown_option(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace wavesim
