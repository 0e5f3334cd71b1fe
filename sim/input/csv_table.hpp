#pragma once
// Two columns of numbers in a text file.

#include "sim/config/section.hpp"

namespace wavesim {

/// Reads lines "t, s": separated by commas, semicolons or blanks; empty lines and lines that begin with # are
/// passed over, and so is a first line of names. Throws InputError that names file and line.
std::vector<std::array<double, 2>> read_csv_table(const std::filesystem::path& file, const Where& where);

}  // namespace wavesim
