#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "kernels/backend/errors.hpp"
#include "sim/config/tree.hpp"

namespace wavesim {

namespace {

/// From yaml-cpp's nodes, whose marks count from 0.
class Converter {
 public:
  /// `set`: the text is the value of a --set, which has no lines.
  Converter(std::string file, bool set) : file_(std::move(file)), set_(set) {}

  Where place(const YAML::Mark& mark, const std::string& key) const {
    return set_ ? Where{"--set", 0, 0, key} : Where{file_, mark.line + 1, mark.column + 1, key};
  }

  Tree convert(const YAML::Node& node, const Where& where, int depth = 0) {
    // Aliases may make a small file a huge tree, or one without end.
    if (++count_ > 1000000 || depth > 100)
      where.fail("the aliases of this file unfold without end; write the values out");
    check_tag(node, where);
    Tree tree;
    tree.where = where;
    if (node.IsScalar()) {
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
          if (!tree.find(key)) tree.keys.push_back({key, value});
    }
    return tree;
  }

 private:
  static std::string join(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
  }

  static void check_tag(const YAML::Node& node, const Where& where) {
    const std::string& tag = node.Tag();
    const std::string standard = "tag:yaml.org,2002:";
    if (tag.size() > 1 && tag.compare(0, standard.size(), standard) != 0)
      where.fail("the tag '" + tag + "' means nothing here; remove it");
  }

  void entry(const YAML::Node& key_node, const YAML::Node& value, const Where& around, int depth, Tree& tree,
             std::vector<Tree>& merged) {
    if (!key_node.IsScalar())
      place(key_node.Mark(), around.key).fail("a key must be a plain word; write 'key: value'");
    const std::string& key = key_node.Scalar();
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
    tree.keys.push_back({key, convert(value, where, depth + 1)});
  }

  std::string file_;
  bool set_;
  long count_ = 0;
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

Tree load_tree(const std::string& text, const std::string& name) {
  Converter converter(name, false);
  try {
    const Where start{name, 1, 1, ""};
    if (text.size() > largest_config)
      start.fail(
          "the file has more than 8 MB, which no config needs; put long lists into a file of their own");
    const YAML::Node document = only_document(text, converter);
    if (document.IsNull()) start.fail("the config is empty; it needs at least grid, medium and time");
    if (!document.IsMap()) start.fail("the config does not begin with keys; write 'grid: ...' and so on");
    return converter.convert(document, start);
  } catch (const YAML::Exception& e) {
    converter.place(e.mark, "")
        .fail("this is not valid YAML (" + e.msg +
              "); check the indentation, colons and brackets here, and put formulas in quotes");
  }
}

void set_in_tree(Tree& root, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError("--set " + assignment + ": this is no assignment; write --set key.path=value");
  const Where where{"--set", 0, 0, assignment.substr(0, equals)};
  Tree value;
  try {
    value = Converter("--set", true).convert(YAML::Load(assignment.substr(equals + 1)), where);
  } catch (const YAML::Exception& e) {
    where.fail("the value is not valid YAML (" + e.msg + "); put the whole assignment in quotes");
  }

  const std::vector<std::string> parts = split(where.key);
  const bool removes = value.is == Tree::Is::nothing;
  Tree* at = &root;
  std::string path;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    const std::string parent = path;
    path += (path.empty() ? "" : ".") + part;
    if (part.empty()) where.fail("the path has an empty part; write --set key.path=value");
    if (at->is_list()) {
      at = &item(*at, part, parent, where);
    } else if (!at->is_map()) {
      where.fail("'" + parent + "' is a plain value without keys of its own; set it as a whole: --set '" +
                 parent + "={" + part + ": ...}'");
    } else if (removes && !at->find(part)) {
      where.fail("the value is empty, which removes a key, but '" + path + "' is not there; give it a value");
    } else if (removes && i + 1 == parts.size()) {
      std::erase_if(at->keys, [&](const Tree::Entry& e) { return e.key == part; });
      return;
    } else if (Tree* next = at->find(part)) {
      at = next;
    } else {
      Tree made = Tree::map();
      made.where = {"--set", 0, 0, path};
      at = &at->add(part, std::move(made));
    }
  }
  if (removes) where.fail("the value is empty; items of lists cannot be removed, so set the whole list");
  *at = std::move(value);
}

}  // namespace wavesim
