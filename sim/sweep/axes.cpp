#include "sim/sweep/axes.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "sim/sweep/product.hpp"

namespace wavesim {

namespace {

constexpr const char* option = "--over";
constexpr std::size_t longest_value = 40, longest_name = 160;

SweepAxis parse_axis(const std::string& text) {
  Assignment all = parse_assignment(text, option);
  const Where& where = all.where;
  if (where.key == "name" || where.key == "output" || where.key.starts_with("output.directory"))
    where.fail("the sweep gives each run a name and a folder of its own; leave this key out");
  if (where.key == "shots" || where.key.starts_with("shots."))
    where.fail("'shots' are runs of their own, which `wavesim run` goes through; leave this key out");
  if (!all.value.is_list())
    where.fail("'" + shown(all.value) + "' is no list of values; write " + option + " '" + where.key + "=[" +
               (all.value.is == Tree::Is::nothing ? "1, 2" : shown(all.value)) + ", ...]'");
  if (all.value.items.empty()) where.fail("the list of values is empty; write at least one");
  std::set<std::string> seen;
  for (const Tree& value : all.value.items) {
    if (value.is == Tree::Is::nothing) where.fail("a value is empty; write all of them, or remove its comma");
    if (!seen.insert(to_flow(value)).second)
      where.fail("the value " + shown(value) + " stands twice; remove one of them");
  }
  return {where, std::move(all.value.items)};
}

/// [100, 200] as 100x200
std::string value_word(const Tree& value) {
  std::string text;
  if (value.is_list())
    for (const Tree& item : value.items) text += (text.empty() ? "" : "x") + shown(item);
  else
    text = shown(value);
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '+' && c != '-') c = '_';
  return text.substr(0, longest_value);
}

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// A key by its last part where that tells it from the others.
std::vector<std::string> key_words(const std::vector<SweepAxis>& axes) {
  std::vector<std::string> words;
  for (const SweepAxis& axis : axes) {
    const std::string last = last_part(axis.where.key);
    const bool alone = std::count_if(axes.begin(), axes.end(), [&](const SweepAxis& other) {
                         return last_part(other.where.key) == last;
                       }) == 1;
    words.push_back(alone ? last : axis.where.key);
    std::replace(words.back().begin(), words.back().end(), '/', '_');
  }
  return words;
}

}  // namespace

std::vector<SweepAxis> parse_axes(const std::vector<std::string>& over) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : over) {
    SweepAxis axis = parse_axis(text);
    for (const SweepAxis& other : axes)
      if (other.where.key == axis.where.key)
        axis.where.fail("the key is named twice; put all of its values into one list");
    axes.push_back(std::move(axis));
  }
  return axes;
}

std::vector<SweepPoint> points_of(const std::vector<SweepAxis>& axes) {
  const std::vector<std::string> words = key_words(axes);
  std::vector<std::size_t> lengths;
  for (const SweepAxis& axis : axes) lengths.push_back(axis.values.size());
  std::vector<SweepPoint> points;
  std::set<std::string> taken;
  for (const std::vector<std::size_t>& choice : product_of(lengths)) {
    SweepPoint point;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      const Tree& value = axes[a].values[choice[a]];
      point.name += (a > 0 ? "," : "") + words[a] + "=" + value_word(value);
      // Read anew, it has its places as the value of the key, and not as an item of the list.
      point.set.push_back(parse_assignment(axes[a].where.key + "=" + to_flow(value), option));
    }
    point.name = point.name.substr(0, longest_name);
    const std::string name = point.name;  // formulas may differ in signs alone
    for (int k = 2; !taken.insert(point.name).second; ++k) point.name = name + "-" + std::to_string(k);
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace wavesim
