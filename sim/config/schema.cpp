#include <cmath>

#include "sim/config/config.hpp"
#include "sim/config/tree.hpp"
#include "sim/config/visitor.hpp"

namespace wavesim {

namespace {

Tree of_type(std::string_view type) {
  Tree t = Tree::map();
  t.add("type", Tree::string(type));
  return t;
}

Tree text_list(std::initializer_list<std::string_view> words) {
  Tree t = Tree::list();
  for (std::string_view w : words) t.items.push_back(Tree::string(w));
  return t;
}

Tree reference(std::string_view family) {
  Tree t = Tree::map();
  t.add("$ref", Tree::string("#/$defs/" + std::string(family)));
  return t;
}

Tree one_of(std::vector<Tree> schemas) {
  if (schemas.size() == 1) return std::move(schemas.front());
  Tree t = Tree::map(), list = Tree::list();
  list.items = std::move(schemas);
  t.add("oneOf", std::move(list));
  return t;
}

Tree one_or_many(const Tree& item) {
  Tree list = of_type("array");
  list.add("items", item);
  list.add("minItems", Tree::bare("1"));
  return one_of({item, list});
}

void bounds(Tree& t, const Rule& rule) {
  if (rule.above) t.add("exclusiveMinimum", Tree::bare(shortest(*rule.above)));
  if (rule.least) t.add("minimum", Tree::bare(shortest(*rule.least)));
  if (rule.most) t.add("maximum", Tree::bare(shortest(*rule.most)));
}

Tree array_of(Tree item, std::size_t count) {
  Tree t = of_type("array");
  t.add("items", std::move(item));
  t.add("minItems", Tree::bare(std::to_string(count)));
  t.add("maxItems", Tree::bare(std::to_string(count)));
  return t;
}

// What a value of each type looks like, its bounds included.
Tree schema_of(const double*, const Rule& rule) {
  Tree t = of_type("number");
  bounds(t, rule);
  if (rule.word.empty()) return t;
  Tree word = Tree::map();
  word.add("const", Tree::string(rule.word));
  return one_of({t, word});
}
Tree schema_of(const long*, const Rule& rule) {
  Tree t = of_type("integer");
  bounds(t, rule);
  return t;
}
Tree schema_of(const bool*, const Rule&) { return of_type("boolean"); }
Tree schema_of(const std::string*, const Rule& rule) {
  if (rule.choices.empty()) {  // a bare number is a text, too: thickness: 0.1
    Tree t = Tree::map();
    t.add("type", text_list({"string", "number"}));
    return t;
  }
  Tree t = Tree::map(), words = Tree::list();
  for (std::string_view c : rule.choices) words.items.push_back(Tree::string(c));
  t.add("enum", std::move(words));
  return t;
}
Tree schema_of(const FilePath*, const Rule&) { return of_type("string"); }
template <class T, std::size_t n>
Tree schema_of(const std::array<T, n>*, const Rule& rule) {
  return array_of(schema_of(static_cast<const T*>(nullptr), rule), n);
}
template <class T>
Tree schema_of(const std::optional<T>*, const Rule& rule) {
  return schema_of(static_cast<const T*>(nullptr), rule);
}
Tree schema_of(const std::vector<double>*, const Rule& rule) {
  return one_or_many(schema_of(static_cast<const double*>(nullptr), rule));
}
Tree schema_of(const std::vector<long>*, const Rule& rule) {
  return one_or_many(schema_of(static_cast<const long*>(nullptr), rule));
}
Tree schema_of(const std::vector<std::string>*, const Rule& rule) {
  return one_or_many(schema_of(static_cast<const std::string*>(nullptr), rule));
}
template <std::size_t n>
Tree schema_of(const std::vector<std::array<double, n>>*, const Rule& rule) {
  Tree t = of_type("array");
  t.add("items", schema_of(static_cast<const std::array<double, n>*>(nullptr), rule));
  return t;
}

// Defaults, where there is one.
void add_default(Tree& t, double v) {
  if (std::isfinite(v)) t.add("default", Tree::bare(shortest(v)));
}
void add_default(Tree& t, long v) { t.add("default", Tree::bare(std::to_string(v))); }
void add_default(Tree& t, bool v) { t.add("default", Tree::bare(v ? "true" : "false")); }
void add_default(Tree& t, const std::string& v) {
  if (!v.empty()) t.add("default", Tree::string(v));
}
template <std::size_t n, class T>
void add_default(Tree& t, const std::array<T, n>& v) {
  Tree list = Tree::list();
  for (T one : v) list.items.push_back(Tree::bare(shortest(double(one))));
  t.add("default", std::move(list));
}
void add_default(Tree& t, const std::vector<std::string>& v) {
  if (v.empty()) return;
  Tree list = Tree::list();
  for (const std::string& one : v) list.items.push_back(Tree::string(one));
  t.add("default", std::move(list));
}
template <class T>
void add_default(Tree&, const T&) {}

void describe(Tree& t, const Rule& rule) {
  std::string text(rule.text);
  if (!rule.unit.empty()) text += (text.empty() ? "[" : " [") + std::string(rule.unit) + "]";
  if (!text.empty()) t.add("description", Tree::string(text));
}

/// Builds {type: object, properties: ...} of one object; families go into $defs, once each.
class Schema : public Visitor<Schema> {
 public:
  explicit Schema(Tree& definitions) : definitions_(definitions) {}

  /// All forms of the object, bare ones included.
  Tree build(Configured& object, std::string_view shorthand = "") {
    object.fields(*this);
    Tree t = of_type("object");
    t.add("properties", std::move(properties_));
    if (!required_.items.empty()) t.add("required", std::move(required_));
    if (!exactly_one_.items.empty()) t.add("oneOf", std::move(exactly_one_));
    t.add("additionalProperties", Tree::bare("false"));
    std::vector<Tree> forms = std::move(bare_);
    if (const Tree* p = shorthand.empty() ? nullptr : t.find("properties")->find(shorthand))
      forms.push_back(*p);
    forms.insert(forms.begin(), std::move(t));
    return one_of(std::move(forms));
  }

  template <class T>
  void value(std::string_view key, T& v, const Rule& rule) {
    Tree t = schema_of(&v, rule);
    describe(t, rule);
    if (!rule.required) add_default(t, v);
    add(key, std::move(t), rule);
  }

  void section(std::string_view key, Configured& v, const Rule& rule) override {
    Tree t = Schema(definitions_).build(v, rule.shorthand);
    describe(t, rule);
    add(key, std::move(t), rule);
  }

  void list(std::string_view key, const std::function<Configured&()>& append,
            const std::function<std::vector<Configured*>()>&, const Rule& rule) override {
    Tree t = of_type("array");
    t.add("items", Schema(definitions_).build(append()));
    describe(t, rule);
    add(key, std::move(t), rule);
  }

 protected:
  void one(std::string_view key, std::string_view family, const std::vector<AnyKind>& kinds, const Take&,
           Configured*, const Rule& rule) override {
    define(family, kinds);
    Tree t = reference(family);
    describe(t, rule);
    add(key, std::move(t), rule);
  }

  void many(std::string_view key, std::string_view family, const std::vector<AnyKind>& kinds, const Take&,
            const std::function<void()>&, const std::vector<Configured*>&, const Rule& rule) override {
    define(family, kinds);
    Tree t = one_or_many(reference(family));
    describe(t, rule);
    add(key, std::move(t), rule);
  }

  void embedded(std::string_view family, const std::vector<AnyKind>& kinds, const Take&, Configured*,
                const Rule& rule) override {
    define(family, kinds);
    for (const AnyKind& kind : kinds) {
      if (kind.form == Form::word || kind.form == Form::number || kind.form == Form::text)
        bare_.push_back(bare_form(kind));
      if (kind.form == Form::word) continue;
      if (kind.form == Form::flat) {
        Schema own(definitions_);
        kind.make()->fields(own);
        for (auto& [key, value] : own.properties_.keys)
          if (!properties_.find(key)) properties_.add(key, std::move(value));
      } else {
        properties_.add(kind.name, kind.form == Form::nested ? Schema(definitions_).build(*kind.make())
                                                             : bare_form(kind));
      }
      Tree needs = Tree::map();
      needs.add("required", text_list({kind.name}));
      if (rule.required) exactly_one_.items.push_back(std::move(needs));
    }
  }

 private:
  void add(std::string_view key, Tree t, const Rule& rule) {
    properties_.add(key, std::move(t));
    if (rule.required) required_.items.push_back(Tree::string(key));
  }

  Tree bare_form(const AnyKind& kind) {
    Tree t = Tree::map();
    if (kind.form == Form::word || kind.form == Form::nested) {
      t.add("const", Tree::string(kind.name));
    } else {
      Schema own(definitions_);
      kind.make()->fields(own);
      t = *own.properties_.find("value");
      if (Tree* type = t.find("type"); type && kind.form == Form::text) *type = Tree::string("string");
    }
    const std::string text(kind.text);
    if (t.find("description"))
      *t.find("description") = Tree::string(text);
    else
      t.add("description", Tree::string(text));
    return t;
  }

  /// {kind: {...}} or the bare form of each kind of a family.
  void define(std::string_view family, const std::vector<AnyKind>& kinds) {
    if (definitions_.find(family)) return;
    definitions_.add(family, Tree::map());  // now there, so that a family may hold itself
    std::vector<Tree> forms;
    for (const AnyKind& kind : kinds) {
      if (kind.form == Form::flat) {
        Tree t = Schema(definitions_).build(*kind.make());
        t.add("description", Tree::string(kind.text));
        forms.push_back(std::move(t));
        continue;
      }
      if (kind.form != Form::nested || kind.bare) forms.push_back(bare_form(kind));
      if (kind.form == Form::word || kind.form == Form::number) continue;
      Tree map = of_type("object"), properties = Tree::map();
      properties.add(kind.name,
                     kind.form == Form::nested ? Schema(definitions_).build(*kind.make()) : bare_form(kind));
      map.add("properties", std::move(properties));
      map.add("required", text_list({kind.name}));
      map.add("additionalProperties", Tree::bare("false"));
      map.add("description", Tree::string(kind.text));
      forms.push_back(std::move(map));
    }
    *definitions_.find(family) = one_of(std::move(forms));
  }

  Tree& definitions_;
  Tree properties_ = Tree::map(), required_ = Tree::list(), exactly_one_ = Tree::list();
  std::vector<Tree> bare_;  // forms without keys
};

}  // namespace

std::string config_schema() {
  Tree definitions = Tree::map();
  Config config;
  Tree body = Schema(definitions).build(config);
  Tree root = Tree::map();
  root.add("$schema", Tree::string("https://json-schema.org/draft/2020-12/schema"));
  root.add("title", Tree::string("wavesim config"));
  for (auto& [key, value] : body.keys) root.add(key, std::move(value));
  root.add("$defs", std::move(definitions));
  return to_json(root);
}

}  // namespace wavesim
