#include "sim/config/continued.hpp"

#include <algorithm>
#include <string_view>

#include "sim/config/tree.hpp"

namespace wavesim {

namespace {

/// Lists of scalars, which are one value to a reader.
bool plain(const Tree& t) {
  return t.is_scalar() ||
         (t.is_list() && std::all_of(t.items.begin(), t.items.end(), [](const Tree& i) { return plain(i); }));
}

void compare(const std::string& path, const Tree* before, const Tree* now,
             std::vector<ConfigChange>& changes) {
  const auto below = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  const bool both = before && now;
  if (both && before->is_map() && now->is_map()) {
    for (const auto& [key, value] : before->keys) compare(below(key), &value, now->find(key), changes);
    for (const auto& [key, value] : now->keys)
      if (!before->find(key)) compare(below(key), nullptr, &value, changes);
    return;
  }
  if (both && before->is_list() && now->is_list() && before->items.size() == now->items.size() &&
      !(plain(*before) && plain(*now))) {
    for (std::size_t k = 0; k < before->items.size(); ++k)
      compare(below(std::to_string(k)), &before->items[k], &now->items[k], changes);
    return;
  }
  const std::string a = before ? shown(*before) : "", b = now ? shown(*now) : "";
  if (a != b) changes.push_back({path, a, b});
}

bool is_or_below(std::string_view key, std::string_view section) {
  return key.starts_with(section) && (key.size() == section.size() || key[section.size()] == '.');
}

template <std::size_t n>
bool is_or_below_one(std::string_view key, const std::string_view (&sections)[n]) {
  return std::any_of(std::begin(sections), std::end(sections),
                     [&](std::string_view s) { return is_or_below(key, s); });
}

constexpr std::string_view free_to_change[] = {
    "name", "device", "time.end", "time.steps", "time.wall-limit", "checkpoint", "solver", "output", "study"};
/// The state holds what was tracked so far.
constexpr std::string_view tracked[] = {"output.fields.arrival-threshold"};
/// In the result that is continued they stay as they are.
constexpr std::string_view shape_of_result[] = {
    "output.fields.quantities", "output.fields.precision", "output.fields.region",
    "output.fields.stride",     "output.fields.layers",    "output.fields.formats",
    "output.receivers.formats", "output.energy.balance",   "output.pictures"};
/// But for these.
constexpr std::string_view schedules[] = {"output.pictures.every", "output.pictures.interval",
                                          "output.pictures.times"};

/// Those that need a field of their own from the start.
bool adds_a_tracked_quantity(const ConfigChange& c) {
  if (c.key != "output.fields.quantities") return false;
  for (const char* name : {"max-displacement", "arrival-time"})
    if (c.now.find(name) != std::string::npos && c.before.find(name) == std::string::npos) return true;
  return false;
}

/// A history names the solvers of a chain, and counts in it.
bool changes_a_chain(const ConfigChange& c, const Tree& before, const Tree& now) {
  const auto has_chain = [](const Tree& config) {
    const Tree* const solver = config.find("solver");
    const Tree* const on_failure = solver ? solver->find("on-failure") : nullptr;
    return on_failure && on_failure->is_map();
  };
  constexpr std::string_view links[] = {"solver.on-failure", "solver.method", "solver.preconditioner"};
  return is_or_below_one(c.key, links) && (has_chain(before) || has_chain(now));
}

/// 1 and nothing are the same Courant number.
bool is_usual_courant(const ConfigChange& c) {
  return c.key == "time.courant" && (c.before.empty() || c.before == "1") && (c.now.empty() || c.now == "1");
}

std::string value(const std::string& text) { return text.empty() ? "absent" : text; }

}  // namespace

std::vector<ConfigChange> config_changes(const std::string& before, const std::string& now) {
  const Tree a = load_tree(before, "saved config"), b = load_tree(now, "config");
  std::vector<ConfigChange> changes;
  compare("", &a, &b, changes);
  return changes;
}

void check_continued(const std::string& saved, const std::string& now, const Where& where,
                     const std::string& file, bool same_result, const std::string& chosen) {
  const Tree saved_tree = load_tree(saved, "saved config"), tree = load_tree(now, "config");
  for (const ConfigChange& c : config_changes(saved, now)) {
    const std::string begin = "'" + c.key + "' is " + value(c.now) + ", and was " + value(c.before) +
                              " in the run that " + file + " continues; ";
    if (is_usual_courant(c)) continue;
    if (!is_or_below_one(c.key, free_to_change))
      where.fail(
          begin + "only end time, outputs, solver, device and checkpoints may change, so take the old value" +
          (chosen.empty() ? "" : " (" + chosen + ", for this end of the run: write what was chosen then)") +
          ", or start a new run without --restart and --resume");
    if (is_or_below_one(c.key, tracked) || adds_a_tracked_quantity(c))
      where.fail(begin +
                 "what it asks for would be needed from the first step on, so take the old value, or start a "
                 "new run without --restart and --resume");
    // A section of pictures that comes or goes changes no picture that is there.
    const bool whole_section = c.key == "output.pictures" && (c.before.empty() || c.now.empty());
    const bool shape = is_or_below_one(c.key, shape_of_result) && !is_or_below_one(c.key, schedules);
    if (same_result && !whole_section && (shape || changes_a_chain(c, saved_tree, tree)))
      where.fail(begin +
                 "what is written already would not fit what follows, so take the old value, or write "
                 "into another folder with --restart " +
                 file + " --output DIR");
  }
}

bool same_solver(const std::string& saved, const std::string& now) {
  const std::vector<ConfigChange> changes = config_changes(saved, now);
  return std::none_of(changes.begin(), changes.end(),
                      [](const ConfigChange& c) { return is_or_below(c.key, "solver"); });
}

}  // namespace wavesim
