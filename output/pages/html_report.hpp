#pragma once
// One run as one HTML page that needs no network and no script.

#include <string>

#include "output/hdf5/result_reader.hpp"

namespace wavesim {

/// `sheet`: PNG of the contact sheet, "" for none; `narrow_sheet`: the one for a phone, "": the same; `made_by`: the version
/// and command that make the page.
std::string html_of(const ResultReader& result, const std::string& sheet, const std::string& made_by,
                    const std::string& narrow_sheet = "");

}  // namespace wavesim
