// wavesim list: every name that a config can choose by, with one line each.

#include <cstdio>

#include "apps/commands.hpp"
#include "kernels/backend/errors.hpp"
#include "sim/config/config.hpp"
#include "sim/config/names.hpp"
#include "sim/config/suggest.hpp"
#include "sim/config/tree.hpp"
#include "sim/input/expression_functions.hpp"

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
          {"rims", "edge of a shape", entries_of<RimEdge>()},
          {"candidates", "study.candidates", entries_of<Candidates>()},
          {"quantities", "output.fields.quantities", quantity_names()},
          {"functions", "in formulas, with x, y or t and pi", expression_functions()}};
}

/// What a method asks of the system, in a word or two.
std::string needs(const Method& m) {
  constexpr const char* words[] = {"", "grid", "five", "rectangle"};
  std::string text = words[int(m.structure)];
  const auto add = [&](bool holds, const char* word) {
    if (holds) text += (text.empty() ? "" : ", ") + std::string(word);
  };
  add(m.symmetric && !m.indefinite, "spd");
  add(m.symmetric && m.indefinite, "symmetric");
  add(m.transpose, "transpose");
  add(m.triangular, "triangle");
  add(m.doubles, "double");
  return text.empty() ? "any" : text;
}

/// Name, requirement, cost and what it is best for, in 80 columns; then what each is.
void print_methods() {
  std::printf("  %-22s %-9s %5s %5s  %s\n", "method", "needs", "words", "reads", "best for");
  for (const Method& m : solver_methods()) {
    SolverOptions chosen;
    chosen.method = std::string(m.name);
    const Work work = work_of(chosen);
    std::printf("  %-22.*s %-9s %5.3g %5.2g  %.*s\n", int(m.name.size()), m.name.data(), needs(m).c_str(),
                work.moved, work.products, int(m.best_for.size()), m.best_for.data());
  }
  std::printf(
      "\n"
      "  needs: spd, a symmetric positive definite matrix, as that of the wave; grid,\n"
      "  the wave's own system; five, that of five points (space.order 2); rectangle,\n"
      "  the same with a constant medium and no shape; transpose, products with it;\n"
      "  triangle, a triangular matrix (wavesim solve --uplo); double, that precision.\n"
      "  words: read or written for each unknown in an iteration with usual options,\n"
      "  beside the matrix, which is read `reads` times.\n\n");
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
    if (g.name == "methods") {
      print_methods();
    }
    for (const Entry& e : g.entries)
      std::printf("  %-22.*s %.*s\n", int(e.name.size()), e.name.data(), int(e.text.size()), e.text.data());
  }
  return 0;
}

}  // namespace wavesim
