#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "sim/config/suggest.hpp"

namespace wavesim {

/// Throws InputError where the word of an option is none of these.
inline void check_word(const std::string& option, const std::string& word,
                       const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), word) == words.end())
    throw InputError(option + ": '" + word + "' is not one of " + enumerate(words));
}

inline void check_device(const std::string& word) { check_word("--device", word, {"auto", "cuda", "cpu"}); }

}  // namespace wavesim
