#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "kernels/backend/errors.hpp"
#include "sim/config/tree.hpp"
#include "sim/config/utf8.hpp"

namespace wavesim {

namespace {

// What a text may hold: more than any config does, and little enough for the computer.
constexpr std::size_t most_values = 500000, most_bytes = 64 << 20, most_keys = 1000, longest_key = 200;
constexpr std::size_t most_by_aliases = 100000;  // values beside those that are written
constexpr int deepest = 100;

/// Values and lines of a text, about: no fewer than it has but for some hundred.
std::size_t values_in(const std::string& text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](char c) {
    return c == ',' || c == '[' || c == '{' || c == '\n' || c == '\r';
  }));
}

/// From yaml-cpp's nodes, whose marks count from 0.
class Converter {
 public:
  /// `set`: the text is the value of the option `file`, which has no lines.
  Converter(std::string file, const std::string& text, bool set)
      : file_(std::move(file)), set_(set), most_(values_in(text) + most_by_aliases) {}

  Where place(const YAML::Mark& mark, const std::string& key) const {
    return set_ ? Where{file_, 0, 0, key} : Where{file_, mark.line + 1, mark.column + 1, key};
  }

  Tree convert(const YAML::Node& node, const Where& where, int depth = 0) {
    if (depth > deepest)
      where.fail("sections and lists are nested more than " + std::to_string(deepest) +
                 " deep here; check the brackets and aliases");
    // Aliases may make a small file a huge tree, or one without end.
    bytes_ += where.key.size() + (node.IsScalar() ? node.Scalar().size() : 0);
    if (++count_ > most_ || bytes_ > most_bytes)
      where.fail("the aliases of this file unfold without end; write the values out");
    check_tag(node, where);
    Tree tree;
    tree.where = where;
    if (node.IsScalar()) {
      if (!is_utf8(node.Scalar()))  // YAML knows no other bytes, and would not give them back
        where.fail("the value has bytes in it that are no UTF-8; save the file as UTF-8");
      tree.is = Tree::Is::scalar;
      tree.scalar = node.Scalar();
      tree.text = node.Tag() == "!" || node.Tag() == "tag:yaml.org,2002:str";
    } else if (node.IsSequence()) {
      tree.is = Tree::Is::list;
      for (std::size_t i = 0; i < node.size(); ++i)
        tree.items.push_back(
            convert(node[i], place(node[i].Mark(), join(where.key, std::to_string(i))), depth + 1));
    } else if (node.IsMap()) {
      tree.is = Tree::Is::map;
      std::vector<Tree> merged;
      for (const auto& pair : node) entry(pair.first, pair.second, where, depth, tree, merged);
      for (const Tree& from : merged)
        for (const auto& [key, value] : from.keys)
          if (!tree.find(key)) add(tree, key, value, where);
    }
    return tree;
  }

 private:
  static std::string join(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
  }

  /// Each key is compared with those before it.
  static void add(Tree& section, const std::string& key, Tree value, const Where& where) {
    if (section.keys.size() >= most_keys)
      where.fail("the section has more than " + std::to_string(most_keys) +
                 " keys, which none needs; remove those that mean nothing");
    section.keys.push_back({key, std::move(value)});
  }

  static void check_tag(const YAML::Node& node, const Where& where) {
    const std::string& tag = node.Tag();
    const std::string standard = "tag:yaml.org,2002:";
    if (tag.size() > 1 && tag.compare(0, standard.size(), standard) != 0)
      where.fail("the tag '" + tag.substr(0, 60) + "' means nothing here; remove it");
  }

  void entry(const YAML::Node& key_node, const YAML::Node& value, const Where& around, int depth, Tree& tree,
             std::vector<Tree>& merged) {
    if (!key_node.IsScalar())
      place(key_node.Mark(), around.key).fail("a key must be a plain word; write 'key: value'");
    const std::string& key = key_node.Scalar();
    if (key.size() > longest_key)
      place(key_node.Mark(), around.key)
          .fail("the key '" + key.substr(0, 57) + "...' has more than " + std::to_string(longest_key) +
                " letters; check the quotes and the '?' before it");
    const Where where = place(key_node.Mark(), join(around.key, key));
    if (key == "<<") {
      Tree from = convert(value, place(key_node.Mark(), around.key), depth + 1);
      if (from.is_map())
        merged.push_back(std::move(from));
      else if (from.is_list() &&
               std::all_of(from.items.begin(), from.items.end(), [](const Tree& t) { return t.is_map(); }))
        merged.insert(merged.end(), from.items.begin(), from.items.end());
      else
        where.fail("'<<' merges the keys of a section; write <<: *anchor");
      return;
    }
    if (const Tree* first = tree.find(key))
      where.fail("the key '" + key + "' is written twice" +
                 (first->where.line > 0 ? ", first in line " + std::to_string(first->where.line) : "") +
                 "; remove one of them");
    add(tree, key, convert(value, where, depth + 1), around);
  }

  std::string file_;
  bool set_;
  std::size_t most_, count_ = 0, bytes_ = 0;  // of values; bytes with their keys
};

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (char c : path) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// Where a second document begins in a text, if there is one.
class DocumentCounter final : public YAML::EventHandler {
 public:
  int documents = 0;
  YAML::Mark start;

  void OnDocumentStart(const YAML::Mark& mark) override { ++documents, start = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
  }
  void OnMapEnd() override {}
};

/// The only document of a text. Not by YAML::LoadAll: yaml-cpp 0.7 finds documents without end where a comma
/// stands at the beginning of a line.
YAML::Node only_document(const std::string& text, const Converter& converter) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentCounter counter;
  while (counter.documents < 2 && parser.HandleNextDocument(counter)) {
  }
  if (counter.documents > 1)
    converter.place(counter.start, "")
        .fail(
            "a second YAML document begins here; remove the line '---', or the comma at the beginning of a "
            "line");
  return YAML::Load(text);
}

/// The item that a part of a path names.
Tree& item(Tree& list, const std::string& part, const std::string& path, const Where& where) {
  const bool digits = !part.empty() && part.size() < 10 && std::all_of(part.begin(), part.end(), ::isdigit);
  if (!digits || std::stoul(part) >= list.items.size())
    where.fail("'" + path + "' is a list of " + std::to_string(list.items.size()) + ", and '" + part +
               "' is not one of its items, which are counted from 0");
  return list.items[std::stoul(part)];
}

}  // namespace

std::optional<std::string> text_to_load(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) return {};
  std::ifstream in(file, std::ios::binary);
  std::string text(largest_config + 1, '\0');
  in.read(text.data(), std::streamsize(text.size()));
  if (!in.is_open() || in.bad()) return {};
  text.resize(std::size_t(in.gcount()));
  return text;
}

namespace {

bool indented_by_tab(const std::string& text, int line) {
  std::size_t at = 0;
  for (int k = 1; k < line && at != text.npos; ++k)
    if ((at = text.find('\n', at)) != text.npos) ++at;
  if (at == text.npos) return false;
  const std::size_t end = text.find_first_not_of(" \t", at);
  return text.substr(at, end - at).find('\t') != text.npos;
}

}  // namespace

Tree load_tree(const std::string& text, const std::string& name) {
  Converter converter(name, text, false);
  try {
    const Where start{name, 1, 1, ""};
    if (text.size() > largest_config)
      start.fail(
          "the file has more than 8 MB, which no config needs; put long lists into a file of their own");
    // yaml-cpp holds all that stands in brackets in one line before it makes nodes of it: 200 bytes and more a value.
    if (values_in(text) > most_values)
      start.fail("the file has more than " + std::to_string(most_values) +
                 " values and lines, which no config needs; put long lists into a file of their own");
    const YAML::Node document = only_document(text, converter);
    if (document.IsNull()) start.fail("the config is empty; it needs at least grid, medium and time");
    if (!document.IsMap()) start.fail("the config does not begin with keys; write 'grid: ...' and so on");
    return converter.convert(document, start);
  } catch (const YAML::Exception& e) {
    const Where place = converter.place(e.mark, "");
    if (indented_by_tab(text, place.line))
      place.fail("this line is indented by a tab, which YAML does not allow; indent it by spaces");
    place.fail("this is not valid YAML (" + e.msg +
               "); check the indentation, colons and brackets here, and put formulas in quotes");
  }
}

Assignment parse_assignment(const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(option + " " + text + ": this is no assignment; write " + option + " key.path=value");
  const Where where{option, 0, 0, text.substr(0, equals)};
  try {
    return {where, Converter(option, text, true).convert(YAML::Load(text.substr(equals + 1)), where)};
  } catch (const YAML::Exception& e) {
    where.fail("the value is not valid YAML (" + e.msg + "); put the whole assignment in quotes");
  }
}

void set_in_tree(Tree& root, const Assignment& assignment) {
  const auto& [where, value] = assignment;
  const std::vector<std::string> parts = split(where.key);
  if (parts.size() > std::size_t(deepest)) where.fail("the path has more than 100 parts; write a key's own");
  const bool removes = value.is == Tree::Is::nothing;
  Tree* at = &root;
  std::string path;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    const std::string parent = path;
    path += (path.empty() ? "" : ".") + part;
    if (part.empty()) where.fail("the path has an empty part; write " + where.file + " key.path=value");
    if (at->is_list()) {
      at = &item(*at, part, parent, where);
    } else if (!at->is_map()) {
      where.fail("'" + parent + "' is a plain value without keys of its own; set it as a whole: " +
                 where.file + " '" + parent + "={" + part + ": ...}'");
    } else if (removes && !at->find(part)) {
      where.fail("the value is empty, which removes a key, but '" + path + "' is not there; give it a value");
    } else if (removes && i + 1 == parts.size()) {
      std::erase_if(at->keys, [&](const Tree::Entry& e) { return e.key == part; });
      return;
    } else if (Tree* next = at->find(part)) {
      at = next;
    } else {
      Tree made = Tree::map();
      made.where = {where.file, 0, 0, path};
      at = &at->add(part, std::move(made));
    }
  }
  if (removes) where.fail("the value is empty; items of lists cannot be removed, so set the whole list");
  *at = value;
}

}  // namespace wavesim
