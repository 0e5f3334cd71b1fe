#pragma once
// "did you mean ...?"

#include <string>
#include <string_view>
#include <vector>

namespace wavesim {

/// Letters to insert, remove, change or swap with their neighbour until one word is the other (restricted
/// Damerau-Levenshtein distance). Upper and lower case are the same here, and so are '-' and '_'.
int edit_distance(std::string_view a, std::string_view b);

/// The nearest of the names if it is near enough to be meant, else "".
std::string nearest(std::string_view word, const std::vector<std::string>& names);

/// "; did you mean 'x'?", or "; <what> x, y and z" where none is near. `what` as in "one of:".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names, std::string_view what);

/// "x, y and z"
std::string enumerate(const std::vector<std::string>& names);

}  // namespace wavesim
