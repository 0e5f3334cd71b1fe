#pragma once
// How a config is described: once. Every section and every kind of source, shape, field, ... has one function
// `fields(Section&)` that names its keys with a rule each. The same function then reads and checks YAML
// (sim/config/reader.cpp), prints the JSON schema (schema.cpp) and stores the effective config in every
// result (dump.cpp).

#include <array>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wavesim {

/// Numbers that a config names, for its formulas.
struct Parameters {
  std::vector<std::pair<std::string, double>> values;
};

/// A place in the user's input, for sentences like "drum.yaml:14:3: unknown key 'tolerence' in solver; ...".
struct Where {
  std::string file;  // "drum.yaml", or "--set" for a value given on the command line
  int line = 0;      // from 1; 0 where the file is not the place (--set)
  int column = 0;    // from 1
  std::string key;   // the dotted path, "solver.tolerance"
  std::shared_ptr<const Parameters> parameters = {};          // that formulas there may use
  std::string text() const;                                   // "drum.yaml:14:3" or "--set solver.tolerance"
  [[noreturn]] void fail(const std::string& sentence) const;  // throws InputError("<text()>: <sentence>")
};

/// What a key means and which values it takes. Bounds are checked by the reader, which names key, value, unit
/// and bound.
struct Rule {
  std::string_view text = {};                  // one line of documentation, no final full stop
  std::string_view unit = {};                  // "m", "m/s", "1/s", "s", "Hz"; "" for pure numbers
  bool required = false;                       // otherwise the member's value on entry is the default
  std::optional<double> above = {};            // value > above (each element of an array)
  std::optional<double> least = {};            // value >= least
  std::optional<double> most = {};             // value <= most
  std::vector<std::string_view> choices = {};  // for strings
  std::vector<long> numbers = {};              // for whole numbers: those that it may be
  std::string_view word = {};                  // may stand in place of a number; the number is NaN then
  std::string_view shorthand = {};  // a section that may be written as the bare value of this key of its own
  bool optional =
      false;  // a section: absent, or `none`, is not the same as its defaults; see Configured::stated
};

/// A path to a file the user names; the reader finds it (search_path.hpp).
struct FilePath {
  std::filesystem::path path;
  bool empty() const { return path.empty(); }
};

/// A point that may move.
struct Place {
  std::array<double, 2> point{};
  std::array<std::string, 2> formula{};  // in t; empty: it rests at `point`
  bool moves() const { return !formula[0].empty(); }
  bool operator==(const Place&) const = default;
};

class Section;

/// Base of everything that is made from a piece of config. `where` is filled by the reader, also for sections
/// that the user leaves out (then it is the place of the section around them).
struct Configured {
  Where where;
  bool stated = false;  // written by the user
  virtual ~Configured() = default;
  virtual void fields(Section&) = 0;
  /// Rules between keys; called by the reader after fields(), for what is stated. Throws InputError.
  virtual void verify() const {}
};

/// How a kind is written.
///   nested   {circle: {center: [..], radius: 1}}           fields() sees the map under the kind's name
///   flat     {file: vp.h5, dataset: /speed, flip: y}       fields() sees the map that holds the kind's name,
///                                                          and the kind's own name is one of its keys
///   number   100                                           a bare number; fields() sees the single key "value"
///   text     "sin(x)"                                      a bare string, likewise; also written flat where
///                                                          `name` is a key
///   word     fixed                                         the bare name itself; no keys
enum class Form { nested, flat, number, text, word };

/// One member of a family: a line in the family's registry is all that a new kind needs besides its own file.
template <class Base>
struct Kind {
  std::string_view name;
  std::string_view text;  // one line for `wavesim list` and the docs
  Form form = Form::nested;
  std::shared_ptr<Base> (*make)() = nullptr;
  bool bare = false;  // a nested kind that may be written as its name alone: all its keys have defaults
};

template <class Base, class Derived>
std::shared_ptr<Base> make_kind() {
  return std::make_shared<Derived>();
}

/// All kinds of a family and its name ("field", "signal", "shape", "edge"); each family's registry.cpp
/// specialises both.
template <class Base>
const std::vector<Kind<Base>>& kinds();
template <class Base>
std::string_view family();

/// A kind with its type erased, so that the readers need no template.
struct AnyKind {
  std::string_view name, text;
  Form form;
  std::function<std::shared_ptr<Configured>()> make;
  bool bare = false;
};

/// The visitor. One implementation each for reading, schema and dump.
class Section {
 public:
  virtual ~Section() = default;

  // Plain values.
  virtual void operator()(std::string_view key, double& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, long& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, bool& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::string& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, FilePath& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, Parameters& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::optional<Place>& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::optional<double>& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::optional<long>& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::optional<bool>& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::optional<std::string>& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::array<double, 2>& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::array<long, 2>& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::optional<std::array<double, 2>>& v,
                          const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::optional<std::array<double, 3>>& v,
                          const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::optional<std::array<double, 4>>& v,
                          const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::vector<double>& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::vector<long>& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::vector<std::string>& v, const Rule& = {}) = 0;
  virtual void operator()(std::string_view key, std::vector<std::array<double, 2>>& v,
                          const Rule& = {}) = 0;  // [[x, y], ...]
  virtual void operator()(std::string_view key, std::vector<std::array<double, 4>>& v,
                          const Rule& = {}) = 0;  // [[x0, y0, x1, y1], ...]

  /// A nested section: {key: {...}}. Absent means defaults, unless required.
  virtual void section(std::string_view key, Configured& v, const Rule& = {}) = 0;
  /// A list of sections: {key: [{...}, {...}]}.
  virtual void list(std::string_view key, const std::function<Configured&()>& append,
                    const std::function<std::vector<Configured*>()>& items, const Rule& = {}) = 0;

  /// {key: <one kind of the family>}; null if absent.
  template <class Base>
  void operator()(std::string_view key, std::shared_ptr<Base>& v, const Rule& rule = {}) {
    one(
        key, family<Base>(), any<Base>(),
        [&](std::shared_ptr<Configured> p) { v = std::static_pointer_cast<Base>(p); }, v.get(), rule);
  }
  /// {key: kind} or {key: [kind, kind, ...]}.
  template <class Base>
  void operator()(std::string_view key, std::vector<std::shared_ptr<Base>>& v, const Rule& rule = {}) {
    std::vector<Configured*> now;
    for (auto& p : v) now.push_back(p.get());
    many(
        key, family<Base>(), any<Base>(),
        [&](std::shared_ptr<Configured> p) { v.push_back(std::static_pointer_cast<Base>(p)); },
        [&] { v.clear(); }, now, rule);
  }
  /// A kind written among the keys of this section itself: {name: shot, at: [0, 0], ricker: {...}}.
  template <class Base>
  void inside(std::shared_ptr<Base>& v, const Rule& rule = {}) {
    embedded(
        family<Base>(), any<Base>(),
        [&](std::shared_ptr<Configured> p) { v = std::static_pointer_cast<Base>(p); }, v.get(), rule);
  }
  /// Lists of plain structs derived from Configured.
  template <class S>
  void operator()(std::string_view key, std::vector<S>& v,
                  const Rule& rule = {}) requires std::is_base_of_v<Configured, S> {
    list(
        key, [&]() -> Configured& { return v.emplace_back(); },
        [&] {
          std::vector<Configured*> p;
          for (auto& s : v) p.push_back(&s);
          return p;
        },
        rule);
  }

  // Rules between keys, for the schema; Configured::verify() has them for the reader.
  using Words = const std::vector<std::string_view>&;
  virtual void at_most_one(Words) {}
  virtual void at_least_one(Words) {}
  virtual void exactly_one(Words) {}
  /// Both have the value `word`, or neither; without a word: both are there, or neither.
  virtual void together(std::string_view, std::string_view, std::string_view word = {}) { (void)word; }
  /// `key` is not there where `other` is `word`.
  virtual void not_where(std::string_view /*key*/, std::string_view /*other*/, std::string_view /*word*/) {}
  /// `key` is there where `other` is `word`.
  virtual void needed_where(std::string_view /*key*/, std::string_view /*other*/, std::string_view /*word*/) {
  }
  /// `key` is there only where `needed` is, with the value `word` if there is one.
  virtual void only_with(std::string_view /*key*/, std::string_view /*needed*/, std::string_view word = {}) {
    (void)word;
  }

 protected:
  using Take = std::function<void(std::shared_ptr<Configured>)>;
  virtual void one(std::string_view key, std::string_view family, const std::vector<AnyKind>&, const Take&,
                   Configured* now, const Rule&) = 0;
  virtual void many(std::string_view key, std::string_view family, const std::vector<AnyKind>&,
                    const Take& append, const std::function<void()>& clear,
                    const std::vector<Configured*>& now, const Rule&) = 0;
  virtual void embedded(std::string_view family, const std::vector<AnyKind>&, const Take&, Configured* now,
                        const Rule&) = 0;

 private:
  template <class Base>
  static const std::vector<AnyKind>& any() {
    static const std::vector<AnyKind> erased = [] {
      std::vector<AnyKind> a;
      for (const Kind<Base>& k : kinds<Base>())
        a.push_back({k.name, k.text, k.form,
                     [make = k.make] { return std::static_pointer_cast<Configured>(make()); }, k.bare});
      return a;
    }();
    return erased;
  }
};

}  // namespace wavesim
