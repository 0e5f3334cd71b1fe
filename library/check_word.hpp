#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "sim/config/suggest.hpp"

namespace wavesim {

/// What options may be, here and on the command line.
inline const std::vector<std::string> device_words{"auto", "cuda", "cpu"},
    precision_words{"double", "single", "mixed"}, norm_words{"relative-2", "max"},
    uplo_words{"lower", "upper"};

/// Throws InputError where the word of an option is none of these.
inline void check_word(const std::string& option, const std::string& word,
                       const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), word) == words.end())
    throw InputError(option + ": '" + word + "' is not one of " + enumerate(words));
}

}  // namespace wavesim
