#pragma once
// Everything the program says about its own command line, made from one description of it: help of 80
// columns, man page, shell completion.

#include <CLI/CLI.hpp>
#include <string>

namespace wavesim {

/// Help that reads well at 80 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(26); }
  std::string make_option(const CLI::Option* option, bool positional) const override;
  std::string make_subcommand(const CLI::App* sub) const override;
  std::string make_description(const CLI::App* app) const override;
};

/// roff, for `man -l`.
std::string man_page(const CLI::App& app, const std::string& version);
/// A script for bash, zsh or fish. Throws InputError for other shells.
std::string completion(const CLI::App& app, const std::string& shell);

}  // namespace wavesim
