#include "sim/config/refusals.hpp"

#include <algorithm>

#include "sim/config/config.hpp"
#include "sim/config/scalar.hpp"
#include "sim/config/suggest.hpp"

namespace wavesim {

namespace {

/// {end: 0,1} is a key end and a key 1 to YAML.
void check_decimal_comma(const Tree& map, const std::string& key) {
  const auto whole = [](const std::string& s) {
    return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  const auto at = std::find_if(map.keys.begin(), map.keys.end(), [&](const auto& e) { return e.key == key; });
  if (at == map.keys.begin() || at->value.is != Tree::Is::nothing || !whole(key)) return;
  const auto& [name, value] = *(at - 1);
  if (value.is_scalar() && whole(value.scalar))
    at->value.where.fail("a comma ends the value of '" + name + "'; write the decimal point: " + name + ": " +
                         value.scalar + "." + key);
}

[[noreturn]] void unknown_key(const Tree& map, const std::string& key,
                              const std::vector<std::string>& names) {
  const Where& section = map.where;
  check_decimal_comma(map, key);
  Config anywhere;
  auto places = places_of(key, anywhere);
  std::erase_if(places,
                [](const std::string& p) { return p.rfind("study.", 0) == 0; });  // which repeats some
  if (nearest(key, names).empty() && places.size() == 1)
    map.find(key)->where.fail("unknown key '" + key + "' " + place_name(section) + "; it is written as '" +
                              places[0] + "'");
  map.find(key)->where.fail("unknown key '" + key + "' " + place_name(section) +
                            (names.empty() ? "; it has no keys" : did_you_mean(key, names, "its keys are")));
}

}  // namespace

std::string place_name(const Where& where) {
  return where.key.empty() ? "at the top level" : "in " + where.key;
}

std::string described(const Tree& t) {
  return t.is_scalar() ? quote(t) : t.is_list() ? "a list" : t.is_map() ? "a section of keys" : "nothing";
}

void check_keys(const Tree& map, const Keys& keys) {
  for (const auto& [key, value] : map.keys)
    if (std::find(keys.names.begin(), keys.names.end(), key) == keys.names.end())
      unknown_key(map, key, keys.names);
}

void unknown_kind(const Tree& map, std::string_view family, const std::vector<AnyKind>& kinds) {
  const std::vector<std::string> names = names_of(kinds);
  if (map.keys.empty())
    map.where.fail("'" + map.where.key + "' names no " + std::string(family) + "; it is one of " +
                   enumerate(names));
  // Of several keys the one that resembles a kind is the misspelled one.
  const std::string* word = &map.keys.front().key;
  for (const auto& [key, value] : map.keys)
    if (!nearest(key, names).empty()) {
      word = &key;
      break;
    }
  if (word->find_first_of(" ?<>=*+/(") != std::string::npos)
    map.find(*word)->where.fail("'" + *word +
                                ": ...' is a key and its value to YAML; put a formula in quotes");
  map.find(*word)->where.fail("unknown " + std::string(family) + " '" + *word + "' " + place_name(map.where) +
                              did_you_mean(*word, names, "it is one of"));
}

void refuse_words_for_none(const Tree& t) {
  if (!t.is_scalar() || t.text) return;
  for (const char* word : {"off", "no", "false", "None", "null"})
    if (t.scalar == word)
      t.where.fail("'" + t.where.key + "' is a section, or 'none'; write none for " + word);
}

}  // namespace wavesim
