#include "sim/config/places.hpp"

#include "sim/config/config.hpp"

namespace wavesim {

std::vector<std::array<double, 2>> PlacesConfig::points() const {
  if (!is_line()) return {*at};
  std::vector<std::array<double, 2>> all;
  for (long k = 0; k < count; ++k) {
    const double part = count > 1 ? double(k) / double(count - 1) : 0;
    all.push_back({(1 - part) * (*from)[0] + part * (*to)[0], (1 - part) * (*from)[1] + part * (*to)[1]});
  }
  return all;
}

void PlacesConfig::fields(Section& s) {
  s("at", at, {.text = "one point", .unit = "m"});
  s("from", from, {.text = "or the first point of a line", .unit = "m"});
  s("to", to, {.text = "and its last", .unit = "m"});
  s("count", count, {.text = "points of the line, its ends included", .least = 1});
  s.at_most_one({"at", "from"});
  s.at_least_one({"at", "from"});
  s.together("from", "to");
}

void PlacesConfig::verify() const {
  const std::string what(word());
  if (from.has_value() != to.has_value())
    where.fail("a line of " + what + "s needs both 'from' and 'to'; add '" +
               std::string(from ? "to" : "from") + "'");
  if (at.has_value() == from.has_value())
    where.fail("a " + what + " is either 'at' a point or a line 'from' ... 'to'" +
               std::string(at ? "; remove one" : "; add one of them"));
}

void ReceiverConfig::fields(Section& s) {
  s("name", name, {.text = "default receiver-1, receiver-2, ..."});
  PlacesConfig::fields(s);
}

void ReceiverConfig::verify() const {
  check_name(where, name);
  PlacesConfig::verify();
}

void ShotConfig::verify() const {
  PlacesConfig::verify();
  if (is_line() && count < 2)
    where.fail("'" + where.key + "' is a line, but 'count' is " + std::to_string(count) +
               "; a line has at least 2 points, its ends included");
  if (!is_line() && count != 1)
    where.fail("'" + where.key + "' is a point, but 'count' is " + std::to_string(count) +
               "; leave it out or give 'from' and 'to'");
}

std::vector<std::array<double, 2>> shot_places(const std::vector<ShotConfig>& shots) {
  std::vector<std::array<double, 2>> all;
  for (const ShotConfig& shot : shots)
    for (const std::array<double, 2>& point : shot.points()) all.push_back(point);
  return all;
}

void check_shots(const Config& config) {
  if (config.shots.empty()) return;
  const Where& where = config.shots.front().where;
  if (config.sources.size() != 1)
    where.fail("'shots' are places of the only source, and there are " +
               std::to_string(config.sources.size()) + "; name one in 'sources'");
  const SourceConfig& source = config.sources.front();
  if (!source.at || source.at->moves())
    source.where.fail("'shots' are places of a point source that rests, and '" + source.where.key +
                      "' is none; give it 'at: [x, y]', or remove 'shots'");
}

void check_name(const Where& where, const std::string& name) {
  if (name.find_first_of("\n\t") != std::string::npos)
    where.fail("the name in '" + where.key + "' has a line break or a tab in it; write it in one line");
}

}  // namespace wavesim
