#include "kernels/backend/errors.hpp"
#include "sim/config/config.hpp"
#include "sim/config/keys.hpp"
#include "sim/config/parameters.hpp"
#include "sim/config/refusals.hpp"
#include "sim/config/scalar.hpp"
#include "sim/config/search_path.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/visitor.hpp"

namespace wavesim {

namespace {

/// What values are read with: where files that are named lie, and the parameters of formulas.
struct Surroundings {
  std::filesystem::path config;
  std::vector<std::filesystem::path> data;
  std::shared_ptr<const Parameters> parameters;
};

class Reader : public Visitor<Reader> {
 public:
  /// Reads the keys of `node`. `absent`: the section is not there; only places are handed on.
  Reader(const Tree& node, const Surroundings& around, bool absent = false)
      : node_(node), around_(around), absent_(absent) {}

  template <class T>
  void value(std::string_view key, T& v, const Rule& rule) {
    if (const Tree* t = present(key, rule)) read(*t, v, rule);
  }

  void section(std::string_view key, Configured& v, const Rule& rule) override {
    const Tree* t = present(key, rule);
    const bool may_be_none = rule.optional && rule.shorthand.empty();
    if (t && may_be_none) refuse_words_for_none(*t);
    if (t && !(may_be_none && t->is_scalar() && t->scalar == "none"))
      read_section(v, *t, rule.shorthand);
    else
      leave(v, key);
  }

  void list(std::string_view key, const std::function<Configured&()>& append,
            const std::function<std::vector<Configured*>()>&, const Rule& rule) override {
    const Tree* t = present(key, rule);
    if (!t) return;
    if (!t->is_list())
      t->where.fail("'" + t->where.key + "' must be a list of sections, each beginning with '- ', not " +
                    described(*t));
    for (const Tree& item : t->items) read_section(append(), item, "");
  }

 protected:
  void one(std::string_view key, std::string_view family, const std::vector<AnyKind>& kinds, const Take& take,
           Configured*, const Rule& rule) override {
    if (const Tree* t = present(key, rule)) take(make(*t, family, kinds));
  }

  void many(std::string_view key, std::string_view family, const std::vector<AnyKind>& kinds,
            const Take& append, const std::function<void()>& clear, const std::vector<Configured*>&,
            const Rule& rule) override {
    const Tree* t = present(key, rule);
    if (!t) return;
    clear();
    if (!t->is_list()) return append(make(*t, family, kinds));
    if (t->items.empty())
      t->where.fail("'" + t->where.key + "' is an empty list; remove it or list at least one " +
                    std::string(family));
    for (const Tree& item : t->items) append(make(item, family, kinds));
  }

  void embedded(std::string_view family, const std::vector<AnyKind>& kinds, const Take& take, Configured*,
                const Rule& rule) override {
    if (node_.is_scalar()) return take(make(node_, family, kinds));
    const std::vector<const AnyKind*> found = kinds_in(node_, kinds);
    if (found.empty()) {
      if (rule.required && !absent_)
        node_.where.fail("'" + node_.where.key + "' has no " + std::string(family) + "; add one of " +
                         enumerate(names_of(kinds)));
      return;
    }
    take(make_from_map(node_, found, family, false));
  }

 private:
  const Tree* present(std::string_view key, const Rule& rule) const {
    const Tree* t = node_.find(key);
    if (!t && rule.required && !absent_) {
      std::string meaning(rule.text);
      if (!rule.unit.empty()) {
        if (!meaning.empty()) meaning += ", ";
        meaning.append("in ").append(rule.unit);
      }
      const std::string name(key);
      if (!meaning.empty()) meaning = std::string(" (").append(meaning).append(")");
      node_.where.fail("'" + name + "' is missing " + place_name(node_.where) + "; add '" + name + ": ...'" +
                       meaning);
    }
    return t;
  }

  template <class T>
  void read(const Tree& t, T& v, const Rule& rule) {
    read_value(t, v, rule);
  }
  template <class T>
  void read(const Tree& t, std::optional<T>& v, const Rule& rule) {
    T one{};
    read(t, one, rule);
    v = one;
  }
  template <class T, std::size_t n>
  void read(const Tree& t, std::array<T, n>& v, const Rule& rule) {
    read_numbers(t, v.data(), n, rule);
  }
  template <std::size_t n>
  void read(const Tree& t, std::vector<std::array<double, n>>& v, const Rule& rule) {
    v.clear();
    if (!t.is_list())
      t.where.fail("'" + t.where.key + "' must be a list of lists of " + std::to_string(n) +
                   " numbers, not " + described(t));
    for (const Tree& item : t.items) read(item, v.emplace_back(), rule);
  }
  void read(const Tree& t, FilePath& v, const Rule& rule) {
    std::string text;
    read_value(t, text, rule);
    v.path = find_file(text, around_.config, around_.data);
  }

  /// [x, y], or {x: "3*t", y: 0.5}
  void read(const Tree& t, Place& v, const Rule& rule) {
    if (t.is_list() && t.items.size() == 2 && names(t, "t"))
      t.where.fail("'" + t.where.key + "' is a place that rests; one that moves is written {x: \"" +
                   t.items[0].scalar + "\", y: \"" + t.items[1].scalar + "\"}");
    if (!t.is_map()) return read_numbers(t, v.point.data(), 2, rule);
    check_keys(t, {{"x", "y"}, false});
    for (const int axis : {0, 1}) {
      const std::string name(1, "xy"[axis]);
      const Tree* const formula = t.find(name);
      if (!formula)
        t.where.fail("'" + name + "' is missing in '" + t.where.key +
                     "'; write both, {x: \"3 * t\", y: 0.5}");
      read_value(*formula, v.formula[std::size_t(axis)], {});
    }
  }
  void read(const Tree& t, Parameters& v, const Rule&) { v = read_parameters(t); }

  void read_object(Configured& object, const Tree& node) {
    object.where = node.where;
    object.where.parameters = around_.parameters;
    object.stated = true;
    Reader reader(node, around_);
    object.fields(reader);
    object.verify();
  }

  void read_section(Configured& object, const Tree& t, std::string_view shorthand) {
    if (t.is_scalar() && !shorthand.empty()) {
      Tree map = Tree::map();
      map.where = t.where;
      map.add(shorthand, t);
      return read_object(object, map);
    }
    const Keys keys = keys_of(object, t);
    if (t.is_map())
      check_keys(t, keys);
    else if (t.is == Tree::Is::nothing)
      t.where.fail("'" + t.where.key + "' has no value; write '{}' for its defaults, or remove it");
    else if (!t.is_scalar() || !keys.embeds)
      t.where.fail("'" + t.where.key + "' must be a section of keys (" + enumerate(keys.names) + "), not " +
                   described(t));
    read_object(object, t);
  }

  /// A section that the user left out: its places, for sentences, are those of the section around it.
  void leave(Configured& object, std::string_view key) {
    Tree map = Tree::map();
    map.where = node_.where;
    if (!map.where.key.empty()) map.where.key += '.';
    map.where.key += key;
    object.where = map.where;
    Reader reader(map, around_, true);
    object.fields(reader);
  }

  std::shared_ptr<Configured> make(const Tree& t, std::string_view family,
                                   const std::vector<AnyKind>& kinds) {
    if (t.is_map()) {
      const auto found = kinds_in(t, kinds);
      if (found.empty()) unknown_kind(t, family, kinds);
      return make_from_map(t, found, family, true);
    }
    if (!t.is_scalar())
      t.where.fail("'" + t.where.key + "' must be one " + std::string(family) + ", not " + described(t) +
                   "; one of " + enumerate(names_of(kinds)));
    for (const AnyKind& kind : kinds)
      if (kind.name == t.scalar) {
        if (kind.form == Form::word || kind.bare) return make_bare(kind, t);
        t.where.fail("the " + std::string(family) + " '" + t.scalar + "' needs more than its name; write {" +
                     t.scalar + ": ...}");
      }
    for (const AnyKind& kind : kinds)
      if (kind.form == Form::number && looks_like_number(t)) return make_bare(kind, t);
    for (const AnyKind& kind : kinds)
      if (kind.form == Form::text) return make_bare(kind, t);
    t.where.fail("unknown " + std::string(family) + " " + quote(t) + " " + place_name(t.where) +
                 did_you_mean(t.scalar, names_of(kinds), "it is one of"));
  }

  std::shared_ptr<Configured> make_bare(const AnyKind& kind, const Tree& t) {
    auto object = kind.make();
    Tree map = Tree::map();
    map.where = t.where;
    if (kind.form != Form::word && kind.form != Form::nested) map.add("value", t);
    read_object(*object, map);
    return object;
  }

  /// `alone`: the map holds nothing but the kind; otherwise it is a section that embeds it.
  std::shared_ptr<Configured> make_from_map(const Tree& map, const std::vector<const AnyKind*>& found,
                                            std::string_view family, bool alone) {
    const AnyKind& kind = *found.front();
    if (found.size() > 1) {
      std::vector<std::string> names;
      for (const AnyKind* k : found) names.emplace_back(k->name);
      map.find(names[1])->where.fail("several kinds of " + std::string(family) +
                                     " are given at once: " + enumerate(names) + "; keep one of them");
    }
    const std::string name(kind.name);
    const Tree& own = *map.find(name);
    if (kind.form == Form::flat) {
      auto object = kind.make();
      if (alone) check_keys(map, keys_of(*object, map));
      read_object(*object, map);
      return object;
    }
    if (alone)
      for (const auto& [key, value] : map.keys)
        if (key != name)
          value.where.fail("unknown key '" + key + "' beside '" + name + "' " + place_name(map.where) +
                           "; the keys of '" + name + "' stand below it");
    if (kind.form == Form::word)
      own.where.fail("the " + std::string(family) + " '" + name + "' has no keys; write the bare word " +
                     name);
    if (kind.form != Form::nested) return make_bare(kind, own);
    auto object = kind.make();
    read_section(*object, own, "");
    return object;
  }

  const Tree& node_;
  const Surroundings& around_;
  bool absent_;

  friend void read_root(Configured&, const Tree&, const Surroundings&);
};

void read_root(Configured& object, const Tree& root, const Surroundings& around) {
  Reader(root, around).read_section(object, root, "");
}

}  // namespace

Config parse_config(const std::string& text, const std::string& name, const std::filesystem::path& directory,
                    const std::vector<std::string>& set, const std::vector<std::filesystem::path>& data,
                    const std::vector<Assignment>& over) {
  Tree root = load_tree(text, name);
  for (const std::string& assignment : set) set_in_tree(root, parse_assignment(assignment));
  for (const Assignment& assignment : over) set_in_tree(root, assignment);
  if (!root.find("name")) {
    Tree stem = Tree::string(std::filesystem::path(name).stem().string());
    stem.where = {name, 1, 1, "name"};
    root.add("name", std::move(stem));
  }
  check_parameters_are_used(root);
  const Tree* const named = root.find("parameters");
  const auto parameters = std::make_shared<const Parameters>(named ? read_parameters(*named) : Parameters());
  Config config;
  read_root(config, root, {directory, data, parameters});
  return config;
}

void parse_section(Configured& root, const std::string& text, const std::string& name) {
  read_root(root, load_tree(text, name), {std::filesystem::path(name).parent_path(), {}, nullptr});
}

Config read_config(const std::filesystem::path& file, const std::vector<std::string>& set,
                   const std::vector<std::filesystem::path>& data, const std::vector<Assignment>& over) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw InputError(file.string() + ": there is no such config file; check the name");
  if (std::filesystem::is_directory(file, ignored))
    throw InputError(file.string() + ": this is a folder; name a config file in it");
  const std::optional<std::string> text = text_to_load(file);
  if (!text) throw InputError(file.string() + ": the config cannot be read; check its permissions");
  return parse_config(*text, file.string(), file.parent_path(), set, data, over);
}

}  // namespace wavesim
