#pragma once
// Which keys a section has: its `fields` names them, so that there is no second list.

#include "sim/config/tree.hpp"

namespace wavesim {

struct Keys {
  std::vector<std::string> names;
  bool embeds = false;  // a kind may be written among them, or instead of them where it has a bare form
};

/// The keys of `object` where it is written as `written`: a flat kind that stands among them brings its own.
Keys keys_of(Configured& object, const Tree& written);

/// The kinds whose names are keys of the map.
std::vector<const AnyKind*> kinds_in(const Tree& map, const std::vector<AnyKind>& kinds);

/// Where a key is known below `root`, whose lists grow by an item each: "solver.tolerance".
std::vector<std::string> places_of(std::string_view key, Configured& root);

/// A key with its dotted path, as --set takes it, and the words that it chooses from.
struct KeyPath {
  std::string path;
  std::vector<std::string> choices;
};

/// The keys of the sections below an object; of its lists, which grow by an item each, those of the first item.
std::vector<KeyPath> key_paths(Configured& root);

std::vector<std::string> names_of(const std::vector<AnyKind>& kinds);

}  // namespace wavesim
