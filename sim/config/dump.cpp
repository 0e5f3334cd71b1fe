#include <cmath>
#include <typeinfo>

#include "kernels/backend/errors.hpp"
#include "sim/config/config.hpp"
#include "sim/config/tree.hpp"
#include "sim/config/visitor.hpp"

namespace wavesim {

namespace {

Tree tree_of(double v) { return Tree::bare(shortest(v)); }
Tree tree_of(long v) { return Tree::bare(std::to_string(v)); }
Tree tree_of(bool v) { return Tree::bare(v ? "true" : "false"); }
Tree tree_of(const std::string& v) { return Tree::string(v); }
/// Absolute, since the effective config lies elsewhere than the one it was read from.
Tree tree_of(const FilePath& v) {
  return Tree::string(std::filesystem::absolute(v.path).lexically_normal().string());
}
template <class T, std::size_t n>
Tree tree_of(const std::array<T, n>& v);
Tree tree_of(const Place& v) {
  if (!v.moves()) return tree_of(v.point);
  Tree t = Tree::map();
  t.add("x", tree_of(v.formula[0]));
  t.add("y", tree_of(v.formula[1]));
  return t;
}
Tree tree_of(const Parameters& v) {
  Tree t = Tree::map();
  for (const auto& [name, value] : v.values) t.add(name, tree_of(value));
  return t;
}
template <class T>
Tree tree_of_list(const T& values) {
  Tree list = Tree::list();
  for (const auto& v : values) list.items.push_back(tree_of(v));
  return list;
}
template <class T, std::size_t n>
Tree tree_of(const std::array<T, n>& v) {
  return tree_of_list(v);
}
template <class T>
Tree tree_of(const std::vector<T>& v) {
  return tree_of_list(v);
}

template <class T>
bool unset(const T&) {
  return false;
}
template <class T>
bool unset(const std::optional<T>& v) {
  return !v;
}
template <class T>
bool unset(const std::vector<T>& v) {
  return v.empty();
}
bool unset(const std::string& v) { return v.empty(); }
bool unset(const FilePath& v) { return v.empty(); }
bool unset(const Parameters& v) { return v.values.empty(); }

/// Writes the keys of an object into a map.
class Dump : public Visitor<Dump> {
 public:
  explicit Dump(Tree& map) : map_(map) {}
  bool requires_keys = false;  // some key has no default

  template <class T>
  void value(std::string_view key, T& v, const Rule& rule) {
    requires_keys |= rule.required;
    if (!unset(v)) map_.add(key, tree_of(v));
  }
  void value(std::string_view key, double& v, const Rule& rule) {
    requires_keys |= rule.required;
    map_.add(key, !rule.word.empty() && std::isnan(v) ? Tree::string(rule.word) : tree_of(v));
  }
  template <class T>
  void value(std::string_view key, std::optional<T>& v, const Rule& rule) {
    requires_keys |= rule.required;
    if (v) map_.add(key, tree_of(*v));
  }

  void section(std::string_view key, Configured& v, const Rule& rule) override {
    requires_keys |= rule.required;
    Tree own = Tree::map();
    Dump inner(own);
    v.fields(inner);
    const bool may_lack = rule.optional || inner.requires_keys;
    if (v.stated || rule.required || (!may_lack && !own.keys.empty())) map_.add(key, std::move(own));
  }

  void list(std::string_view key, const std::function<Configured&()>&,
            const std::function<std::vector<Configured*>()>& items, const Rule&) override {
    Tree all = Tree::list();
    for (Configured* item : items()) all.items.push_back(keys_of(*item));
    if (!all.items.empty()) map_.add(key, std::move(all));
  }

 protected:
  void one(std::string_view key, std::string_view, const std::vector<AnyKind>& kinds, const Take&,
           Configured* now, const Rule& rule) override {
    requires_keys |= rule.required;
    if (now) map_.add(key, written(*now, kinds));
  }
  void many(std::string_view key, std::string_view, const std::vector<AnyKind>& kinds, const Take&,
            const std::function<void()>&, const std::vector<Configured*>& now, const Rule& rule) override {
    requires_keys |= rule.required;
    if (now.empty()) return;
    if (now.size() == 1) {
      map_.add(key, written(*now.front(), kinds));
      return;
    }
    Tree all = Tree::list();
    for (Configured* one : now) all.items.push_back(written(*one, kinds));
    map_.add(key, std::move(all));
  }
  void embedded(std::string_view, const std::vector<AnyKind>& kinds, const Take&, Configured* now,
                const Rule& rule) override {
    requires_keys |= rule.required;
    if (!now) return;
    const AnyKind& kind = kind_of(*now, kinds);
    const Tree own = keys_of(*now);
    if (kind.form == Form::flat)
      for (const auto& [key, value] : own.keys) map_.add(key, value);
    else
      map_.add(kind.name, kind.form == Form::nested ? own : *own.find("value"));
  }

 private:
  static Tree keys_of(Configured& object) {
    Tree own = Tree::map();
    Dump inner(own);
    object.fields(inner);
    return own;
  }

  static const AnyKind& kind_of(const Configured& object, const std::vector<AnyKind>& kinds) {
    for (const AnyKind& kind : kinds) {
      const auto sample = kind.make();
      const Configured& fresh = *sample;
      if (typeid(fresh) == typeid(object)) return kind;
    }
    throw std::logic_error("an object of no registered kind stands in the config");
  }

  static Tree written(Configured& object, const std::vector<AnyKind>& kinds) {
    const AnyKind& kind = kind_of(object, kinds);
    if (kind.form == Form::word) return Tree::string(kind.name);
    Tree own = keys_of(object);
    if (kind.form == Form::flat) return own;
    if (kind.form == Form::number) return *own.find("value");
    Tree map = Tree::map();
    map.add(kind.name, kind.form == Form::text ? *own.find("value") : own);
    return map;
  }

  Tree& map_;
};

}  // namespace

std::string dump_section(std::string_view key, Configured& section) {
  Tree map = Tree::map(), own = Tree::map();
  Dump dump(own);
  section.fields(dump);
  map.add(key, std::move(own));
  return to_yaml(map);
}

std::string dump_keys(Configured& root) {
  Tree map = Tree::map();
  Dump dump(map);
  root.fields(dump);
  return to_yaml(map);
}

std::string dump_config(Config& config) { return dump_keys(config); }

}  // namespace wavesim
