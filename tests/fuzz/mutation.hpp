#pragma once
// New inputs from old ones.

#include <random>
#include <string>
#include <vector>

namespace wavesim::fuzz {

/// One of the corpus after one to four changes: a flipped bit, another byte, a part cut out, doubled many times
/// or taken from another input, a number replaced by an extreme one. At most 64 kB. The generator alone decides.
std::string mutated(const std::vector<std::string>& corpus, std::mt19937_64& generator);

}  // namespace wavesim::fuzz
