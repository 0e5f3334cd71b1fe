#pragma once
// What the pages of a study and of a sweep have in common.

#include <map>
#include <string>

#include "output/pictures/figure.hpp"

namespace wavesim {

/// From the document's type to its first heading, `name`. `about` follows the name in the title of the window.
std::string page_begin(const std::string& name, const std::string& about);

/// A cell with the number that it shows, to the last digit. On a phone, where there is no room for columns, the heading
/// stands in it. Empty where there is no number.
std::string number_cell(const std::string& heading, double v, const std::string& words);

/// A figure in two widths, of which the style of the page shows one: class broad or narrow.
std::string svg_for_windows(const Figure& figure);

/// The command, versions and machine that `facts` has, as a section without its end: a page may add to it.
std::string made_with_section(const std::map<std::string, std::string>& facts, const std::string& config);

}  // namespace wavesim
