#include "sim/config/config.hpp"
#include "sim/config/schema_values.hpp"
#include "sim/config/visitor.hpp"

namespace wavesim {

namespace {

using namespace json_schema;

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
    if (!rules_.items.empty()) t.add("allOf", std::move(rules_));
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
    if (rule.optional && rule.shorthand.empty()) t = one_of({std::move(t), constant("none")});
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

  void at_most_one(Words keys) override {
    for (auto a = keys.begin(); a != keys.end(); ++a)
      for (auto b = a + 1; b != keys.end(); ++b) rule("not", having({*a, *b}));
  }
  void at_least_one(Words keys) override { rule("anyOf", each(keys)); }
  void exactly_one(Words keys) override { rule("oneOf", each(keys)); }
  void together(std::string_view a, std::string_view b, std::string_view word) override {
    rule("if", having({a}, word)).add("then", having({b}, word));
    rule("if", having({b}, word)).add("then", having({a}, word));
  }
  void not_where(std::string_view key, std::string_view other, std::string_view word) override {
    rule("if", having({other}, word)).add("then", Tree::map()).add("not", having({key}));
  }
  void needed_where(std::string_view key, std::string_view other, std::string_view word) override {
    rule("if", having({other}, word)).add("then", having({key}));
  }
  void only_with(std::string_view key, std::string_view needed, std::string_view word) override {
    rule("if", having({key})).add("then", having({needed}, word));
  }

 protected:
  void one(std::string_view key, std::string_view family, const std::vector<AnyKind>& kinds, const Take&,
           Configured*, const Rule& rule) override {
    define(family, kinds);
    Tree t = reference(family);
    bounds(t, rule);
    describe(t, rule);
    add(key, std::move(t), rule);
  }

  void many(std::string_view key, std::string_view family, const std::vector<AnyKind>& kinds, const Take&,
            const std::function<void()>&, const std::vector<Configured*>&, const Rule& rule) override {
    define(family, kinds);
    Tree one = reference(family);
    bounds(one, rule);  // of a number; a sum may have terms beyond them
    Tree t = one_or_many(reference(family), std::move(one));
    describe(t, rule);
    add(key, std::move(t), rule);
  }

  void embedded(std::string_view family, const std::vector<AnyKind>& kinds, const Take&, Configured*,
                const Rule& rule) override {
    define(family, kinds);
    for (const AnyKind& kind : kinds) {
      if (kind.form == Form::word || kind.form == Form::number || kind.form == Form::text || kind.bare)
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
  static Tree each(Words keys) {
    Tree any = Tree::list();
    for (const std::string_view key : keys) any.items.push_back(having({key}));
    return any;
  }
  Tree& rule(std::string_view word, Tree t) {
    rules_.items.push_back(Tree::map());
    rules_.items.back().add(word, std::move(t));
    return rules_.items.back();
  }

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
  Tree properties_ = Tree::map(), required_ = Tree::list(), exactly_one_ = Tree::list(),
       rules_ = Tree::list();
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
