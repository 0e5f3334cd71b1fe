#pragma once
// What the reader says of a config that it refuses.

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/keys.hpp"

namespace wavesim {

/// "in solver" or "at the top level"
std::string place_name(const Where&);
/// What a node is, for a sentence: the text of a scalar, or "a list" and so on.
std::string described(const Tree&);
/// Refuses keys that the object does not know, before any of them is read: a misspelled key must not show up
/// as a missing one.
void check_keys(const Tree& map, const Keys& keys);
/// None of the keys of `map` is a kind of the family.
[[noreturn]] void unknown_kind(const Tree& map, std::string_view family, const std::vector<AnyKind>& kinds);

/// Refuses what others write for `none`: off, no, false.
void refuse_words_for_none(const Tree& t);

}  // namespace wavesim
