#include "sim/config/keys.hpp"

#include "sim/config/visitor.hpp"

namespace wavesim {

namespace {

class Collector : public Visitor<Collector> {
 public:
  explicit Collector(const Tree& written) : written_(written) {}
  Keys keys;

  template <class T>
  void value(std::string_view key, T&, const Rule&) {
    add(key);
  }
  void section(std::string_view key, Configured&, const Rule&) override { add(key); }
  void list(std::string_view key, const std::function<Configured&()>&,
            const std::function<std::vector<Configured*>()>&, const Rule&) override {
    add(key);
  }

 protected:
  void one(std::string_view key, std::string_view, const std::vector<AnyKind>&, const Take&, Configured*,
           const Rule&) override {
    add(key);
  }
  void many(std::string_view key, std::string_view, const std::vector<AnyKind>&, const Take&,
            const std::function<void()>&, const std::vector<Configured*>&, const Rule&) override {
    add(key);
  }
  void embedded(std::string_view, const std::vector<AnyKind>& kinds, const Take&, Configured*,
                const Rule&) override {
    keys.embeds = true;
    for (const AnyKind& kind : kinds) add(kind.name);
    for (const AnyKind* kind : kinds_in(written_, kinds))
      if (kind->form == Form::flat) kind->make()->fields(*this);
  }

 private:
  void add(std::string_view key) { keys.names.emplace_back(key); }
  const Tree& written_;
};

/// Looks for a key in all sections below an object.
class Finder : public Visitor<Finder> {
 public:
  Finder(std::string_view key, std::vector<std::string>& found) : key_(key), found_(found) {}

  template <class T>
  void value(std::string_view key, T&, const Rule&) {
    visit(key);
  }
  void section(std::string_view key, Configured& v, const Rule&) override { enter(key, v); }
  void list(std::string_view key, const std::function<Configured&()>& append,
            const std::function<std::vector<Configured*>()>&, const Rule&) override {
    enter(key, append());
  }

 protected:
  void one(std::string_view key, std::string_view, const std::vector<AnyKind>&, const Take&, Configured*,
           const Rule&) override {
    visit(key);
  }
  void many(std::string_view key, std::string_view, const std::vector<AnyKind>&, const Take&,
            const std::function<void()>&, const std::vector<Configured*>&, const Rule&) override {
    visit(key);
  }
  void embedded(std::string_view, const std::vector<AnyKind>&, const Take&, Configured*,
                const Rule&) override {}

 private:
  void visit(std::string_view key) {
    if (key == key_) found_.push_back(path_ + std::string(key));
  }
  void enter(std::string_view key, Configured& v) {
    visit(key);
    const std::string outer = path_;
    path_ += std::string(key) + '.';
    v.fields(*this);
    path_ = outer;
  }

  std::string_view key_;
  std::vector<std::string>& found_;
  std::string path_;
};

class Paths : public Visitor<Paths> {
 public:
  std::vector<KeyPath> found;

  template <class T>
  void value(std::string_view key, T&, const Rule& rule) {
    add(key, {rule.choices.begin(), rule.choices.end()});
  }
  void value(std::string_view key, bool&, const Rule&) { add(key, {"true", "false"}); }
  void section(std::string_view key, Configured& v, const Rule& rule) override {
    if (rule.optional && rule.shorthand.empty()) add(key, {"none"});
    enter(key, v);
  }
  void list(std::string_view key, const std::function<Configured&()>& append,
            const std::function<std::vector<Configured*>()>&, const Rule&) override {
    enter(std::string(key) + ".0", append());
  }

 protected:
  void one(std::string_view key, std::string_view, const std::vector<AnyKind>& kinds, const Take&,
           Configured*, const Rule&) override {
    add(key, bare(kinds));
  }
  void many(std::string_view key, std::string_view, const std::vector<AnyKind>& kinds, const Take&,
            const std::function<void()>&, const std::vector<Configured*>&, const Rule&) override {
    add(key, bare(kinds));
  }
  void embedded(std::string_view, const std::vector<AnyKind>& kinds, const Take&, Configured*,
                const Rule&) override {
    for (const AnyKind& kind : kinds)
      if (kind.form == Form::nested) enter(kind.name, *kind.make());
  }

 private:
  static std::vector<std::string> bare(const std::vector<AnyKind>& kinds) {
    std::vector<std::string> words;
    for (const AnyKind& kind : kinds)
      if (kind.form == Form::word || kind.bare) words.emplace_back(kind.name);
    return words;
  }
  void add(std::string_view key, std::vector<std::string> choices) {
    found.push_back({path_ + std::string(key), std::move(choices)});
  }
  void enter(std::string_view key, Configured& v) {
    const std::string outer = path_;
    path_ += std::string(key) + '.';
    v.fields(*this);
    path_ = outer;
  }

  std::string path_;
};

}  // namespace

std::vector<KeyPath> key_paths(Configured& root) {
  Paths paths;
  root.fields(paths);
  return paths.found;
}

std::vector<std::string> places_of(std::string_view key, Configured& root) {
  std::vector<std::string> found;
  Finder finder(key, found);
  root.fields(finder);
  return found;
}

Keys keys_of(Configured& object, const Tree& written) {
  Collector collector(written);
  object.fields(collector);
  return collector.keys;
}

std::vector<const AnyKind*> kinds_in(const Tree& map, const std::vector<AnyKind>& kinds) {
  std::vector<const AnyKind*> found;
  for (const AnyKind& kind : kinds)
    if (map.find(kind.name)) found.push_back(&kind);
  return found;
}

std::vector<std::string> names_of(const std::vector<AnyKind>& kinds) {
  std::vector<std::string> names;
  for (const AnyKind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

}  // namespace wavesim
