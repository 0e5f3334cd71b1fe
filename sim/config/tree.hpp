#pragma once
// A config as plain data: what lies between YAML text and the structs, and on the way back. Unlike yaml-cpp's
// nodes it knows where each key was written, also for a value from the command line, and holds no key twice.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/section.hpp"

namespace wavesim {

struct Tree {
  Tree();
  Tree(const Tree&);
  Tree(Tree&&) noexcept;
  Tree& operator=(const Tree&);
  Tree& operator=(Tree&&) noexcept;
  ~Tree();

  enum class Is { nothing, scalar, list, map };
  Is is = Is::nothing;
  Where where;  // of the key that holds it, or of the item in its list
  std::string scalar;
  bool text = false;        // a scalar in quotes
  std::vector<Tree> items;  // of a list
  struct Entry;
  std::vector<Entry> keys;  // of a map, in the order of the file

  bool is_map() const { return is == Is::map; }
  bool is_list() const { return is == Is::list; }
  bool is_scalar() const { return is == Is::scalar; }
  const Tree* find(std::string_view key) const;
  Tree* find(std::string_view key);

  static Tree map() { return made(Is::map); }
  static Tree list() { return made(Is::list); }
  /// A number, a bool: printed as it stands.
  static Tree bare(std::string scalar);
  /// Text: printed in quotes where YAML would take it for something else.
  static Tree string(std::string_view scalar);
  Tree& add(std::string_view key, Tree value);

 private:
  static Tree made(Is is);
};

struct Tree::Entry {
  std::string key;
  Tree value;
};

// Here, because they want an Entry to be complete.
inline Tree::Tree() = default;
inline Tree::Tree(const Tree&) = default;
inline Tree::Tree(Tree&&) noexcept = default;
inline Tree& Tree::operator=(const Tree&) = default;
inline Tree& Tree::operator=(Tree&&) noexcept = default;
inline Tree::~Tree() = default;

/// Reads YAML. `name` stands for the file in sentences. Anchors, aliases and merge keys are resolved. Throws
/// InputError for what is not YAML, for duplicate keys and for what is not a map.
Tree load_tree(const std::string& text, const std::string& name);
/// Bytes of a text that it takes.
constexpr std::size_t largest_config = 8 << 20;
/// The text of a file for load_tree; of one that is too long as much as it refuses. Nothing where it cannot be
/// read.
std::optional<std::string> text_to_load(const std::filesystem::path& file);

/// A key of a config and its value, from the command line.
struct Assignment {
  Where where;  // the option and the key
  Tree value;
};

/// Reads "key.path=value" of an option; the value is YAML. Throws InputError.
Assignment parse_assignment(const std::string& text, const std::string& option = "--set");
/// Items of lists are counted from 0: "sources.0.at=[1, 2]". Maps that are not there are made. An empty value, "time.end=",
/// removes the key. Throws InputError.
void set_in_tree(Tree& root, const Assignment& assignment);

std::string to_yaml(const Tree&);
std::string to_json(const Tree&);
/// YAML in one line.
std::string to_flow(const Tree&);
/// The same without quotes, for sentences and tables.
std::string shown(const Tree&);

/// Shortest text that reads back as the same number.
std::string shortest(double);

}  // namespace wavesim
