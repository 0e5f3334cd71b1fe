#include "tests/config/all_keys.hpp"

#include <set>

#include "sim/config/config.hpp"
#include "sim/config/visitor.hpp"

namespace wavesim {
namespace {

std::string example(double) { return "1"; }
std::string example(long) { return "1"; }
std::string example(bool) { return "true"; }
std::string example(const std::string&) { return "'1'"; }
std::string example(const FilePath&) { return "'1'"; }
std::string example(const Parameters&) { return "{a: 1}"; }
std::string example(const Place&) { return "[0, 0]"; }
template <class T, std::size_t n>
std::string example(const std::array<T, n>&) {
  std::string list;
  for (std::size_t k = 0; k < n; ++k) list += (k ? ", " : "") + example(T{});
  return "[" + list + "]";
}
template <class T>
std::string example(const std::vector<T>&) {
  const std::string one = example(T{});
  return "[" + one + ", " + one + ", " + one + "]";
}

template <class T>
std::string example(const std::optional<T>&) {
  return example(T{});
}

/// What has to stand in a section, with values of the right type.
class Required : public Visitor<Required> {
 public:
  std::string text;

  template <class T>
  void value(std::string_view key, T& v, const Rule& rule) {
    add(key, rule, rule.choices.empty() ? example(v) : std::string(rule.choices.front()));
  }
  void section(std::string_view key, Configured& v, const Rule& rule) override {
    add(key, rule, "{" + of(v) + "}");
  }
  void list(std::string_view key, const std::function<Configured&()>& append,
            const std::function<std::vector<Configured*>()>&, const Rule& rule) override {
    if (rule.required) add(key, rule, "[{" + of(append()) + "}]");
  }
  static std::string of(Configured& v) {
    Required walk;
    v.fields(walk);
    return walk.text;
  }
  static std::string of(const std::vector<AnyKind>& kinds) { return "{" + of(*kinds.front().make()) + "}"; }

 protected:
  void one(std::string_view key, std::string_view, const std::vector<AnyKind>& kinds, const Take&,
           Configured*, const Rule& rule) override {
    if (rule.required) add(key, rule, of(kinds));
  }
  void many(std::string_view key, std::string_view, const std::vector<AnyKind>& kinds, const Take&,
            const std::function<void()>&, const std::vector<Configured*>&, const Rule& rule) override {
    if (rule.required) add(key, rule, of(kinds));
  }
  void embedded(std::string_view, const std::vector<AnyKind>&, const Take&, Configured*,
                const Rule&) override {}

 private:
  void add(std::string_view key, const Rule& rule, const std::string& value) {
    if (rule.required) text += (text.empty() ? "" : ", ") + std::string(key) + ": " + value;
  }
};

class Walk : public Visitor<Walk> {
 public:
  /// `flat`: the kind whose keys these are, if its name has to stand among them.
  Walk(std::vector<KnownKey>& found, KnownKey around, std::set<std::string> families,
       std::string_view flat = "")
      : found_(found), around_(std::move(around)), families_(std::move(families)), flat_(flat) {}

  template <class T>
  void value(std::string_view key, T& v, const Rule& rule) {
    if (key == flat_) flat_value_ = rule.choices.empty() ? example(v) : std::string(rule.choices.front());
    add(key, rule);
  }
  void section(std::string_view key, Configured& v, const Rule& rule) override {
    if (key == flat_) flat_value_ = "{" + Required::of(v) + "}";
    add(key, rule);
    below(v, inside(key, "{", "}"));
  }
  void list(std::string_view key, const std::function<Configured&()>& append,
            const std::function<std::vector<Configured*>()>&, const Rule& rule) override {
    add(key, rule);
    below(append(), inside(key, "[{", "}]"));
  }

 protected:
  void one(std::string_view key, std::string_view family, const std::vector<AnyKind>& kinds, const Take&,
           Configured*, const Rule& rule) override {
    if (key == flat_) flat_value_ = Required::of(kinds);
    add(key, rule);
    all_kinds(inside(key, "{", "}"), family, kinds);
  }
  void many(std::string_view key, std::string_view family, const std::vector<AnyKind>& kinds, const Take&,
            const std::function<void()>&, const std::vector<Configured*>&, const Rule& rule) override {
    add(key, rule);
    all_kinds(inside(key, "{", "}"), family, kinds);
  }
  void embedded(std::string_view family, const std::vector<AnyKind>& kinds, const Take&, Configured*,
                const Rule&) override {
    all_kinds(around_, family, kinds);
  }

 private:
  void add(std::string_view key, const Rule& rule) {
    KnownKey k = beside(key);
    k.name = key;
    k.documented = !rule.text.empty() || !rule.unit.empty() || key == flat_;
    found_.push_back(k);
  }

  KnownKey beside(std::string_view key) const {
    KnownKey k = around_;
    if (!flat_.empty() && key != flat_) k.before += std::string(flat_) + ": " + flat_value_ + ", ";
    return k;
  }

  static void extend(std::string& path, std::string_view key) {
    if (!path.empty()) path += '.';
    path += key;
  }

  KnownKey inside(std::string_view key, const char* open, const char* close) const {
    KnownKey k = beside(key);
    if (k.top.empty()) {
      k.top = key;
      k.before = open;
      k.after = close;
    } else {
      k.before += std::string(key) + ": " + open;
      k.after = close + k.after;
    }
    extend(k.section, key);
    return k;
  }

  void below(Configured& object, const KnownKey& around) {
    Walk walk(found_, around, families_);
    object.fields(walk);
  }

  void all_kinds(const KnownKey& around, std::string_view family, const std::vector<AnyKind>& kinds) {
    std::set<std::string> families = families_;
    const bool first = families.insert(std::string(family)).second;  // a shape may hold a shape
    for (const AnyKind& kind : kinds) {
      if (kind.form == Form::nested || kind.form == Form::flat) {
        KnownKey name = around;
        name.name = kind.name;
        name.documented = !kind.text.empty();
        found_.push_back(name);
      }
      if (!first) continue;
      KnownKey own = around;
      extend(own.section, kind.name);
      if (kind.form == Form::nested) {
        own.before += std::string(kind.name) + ": {";
        own.after = "}" + own.after;
      } else if (kind.form != Form::flat) {
        continue;
      }
      Walk walk(found_, own, families, kind.form == Form::flat ? kind.name : "");
      kind.make()->fields(walk);
    }
  }

  std::vector<KnownKey>& found_;
  KnownKey around_;
  std::set<std::string> families_;
  std::string_view flat_;
  std::string flat_value_ = "1";
};

}  // namespace

std::vector<KnownKey> all_keys() {
  std::vector<KnownKey> found;
  Config config;
  Walk walk(found, {}, {});
  config.fields(walk);
  return found;
}

}  // namespace wavesim
