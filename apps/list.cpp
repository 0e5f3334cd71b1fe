// wavesim list: every name that a config can choose by, with one line each.

#include <cstdio>

#include "apps/commands.hpp"
#include "kernels/errors.hpp"
#include "sim/config/config.hpp"
#include "sim/config/names.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/tree.hpp"

namespace wavesim {

namespace {

struct Group {
  std::string_view name, where;  // where in a config it is chosen
  std::vector<Entry> entries;
};

template <class Base>
std::vector<Entry> entries_of() {
  std::vector<Entry> entries;
  for (const Kind<Base>& kind : kinds<Base>()) entries.push_back({kind.name, kind.text});
  return entries;
}

template <class E>
std::vector<Entry> plain(const std::vector<E>& table) {
  std::vector<Entry> entries;
  for (const E& e : table) entries.push_back({e.name, e.text});
  return entries;
}

std::vector<Group> all_groups() {
  return {{"methods", "solver.method", plain(solver_methods())},
          {"formats", "solver.format", plain(solver_formats())},
          {"preconditioners", "solver.preconditioner", plain(solver_preconditioners())},
          {"norms", "solver.norm", stop_norms()},
          {"schemes", "time.scheme", scheme_names()},
          {"models", "medium.model", medium_models()},
          {"fields", "medium, initial, area of a source", entries_of<Field2>()},
          {"signals", "sources, driven edges, incoming waves", entries_of<Signal>()},
          {"shapes", "shape", entries_of<Shape>()},
          {"edges", "edges", entries_of<Edge>()},
          {"candidates", "study.candidates", entries_of<Candidates>()},
          {"quantities", "output.fields.quantities", quantity_names()}};
}

}  // namespace

int list(const std::string& family, bool json) {
  std::vector<Group> groups = all_groups();
  if (!family.empty()) {
    std::vector<std::string> names;
    for (const Group& g : groups) names.emplace_back(g.name);
    std::erase_if(groups, [&](const Group& g) { return g.name != family; });
    if (groups.empty())
      throw InputError("there is no list of '" + family + "'" + did_you_mean(family, names, "there are"));
  }
  if (json) {
    Tree t = Tree::map();
    for (const Group& g : groups) {
      Tree& names = t.add(g.name, Tree::map());
      for (const Entry& e : g.entries) names.add(e.name, Tree::string(e.text));
    }
    std::fputs(to_json(t).c_str(), stdout);
    return 0;
  }
  for (const Group& g : groups) {
    std::printf("%s%.*s (%.*s)\n", &g == &groups.front() ? "" : "\n", int(g.name.size()), g.name.data(),
                int(g.where.size()), g.where.data());
    for (const Entry& e : g.entries)
      std::printf("  %-22.*s %.*s\n", int(e.name.size()), e.name.data(), int(e.text.size()), e.text.data());
  }
  return 0;
}

}  // namespace wavesim
