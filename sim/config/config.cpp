#include "sim/config/config.hpp"

#include <algorithm>

#include "kernels/lax_wendroff/lax_wendroff.hpp"
#include "sim/config/names.hpp"
#include "sim/config/suggest.hpp"
#include "sim/input/hdf5_array.hpp"

namespace wavesim {

namespace {

constexpr std::array<std::string_view, 4> side_names{"left", "right", "bottom", "top"};

/// `edges`: one kind for all four sides, or a map of sides.
struct Edges : Configured {
  std::shared_ptr<Edge> all;
  std::array<std::shared_ptr<Edge>, 4>& sides;

  explicit Edges(std::array<std::shared_ptr<Edge>, 4>& s) : sides(s) {}
  void fields(Section& s) override {
    s.inside(all, {.text = "the same on all four sides"});
    for (std::size_t side = 0; side < 4; ++side)
      s(side_names[side], sides[side], {.text = "this side alone; default fixed"});
    s.together("left", "right", "periodic");
    s.together("bottom", "top", "periodic");
  }
  void verify() const override {
    if (all && std::any_of(sides.begin(), sides.end(), [](const auto& e) { return e != nullptr; }))
      where.fail(
          "'edges' is either one kind for all sides or left, right, bottom and top; remove one of the two");
  }
};

bool is_control(unsigned char c) { return c < ' ' || c == 127; }

std::shared_ptr<Edge> fixed_edge() {
  for (const Kind<Edge>& kind : kinds<Edge>())
    if (kind.name == "fixed") return kind.make();
  return nullptr;
}

}  // namespace

void ScheduleConfig::fields(Section& s) {
  s("every", every, {.text = "due each so many steps", .unit = "steps", .least = 1});
  s("interval", interval, {.text = "or each so many seconds of simulated time", .unit = "s", .above = 0});
  s("times", times, {.text = "or at these times; the nearest step is taken", .unit = "s", .least = 0});
  s.at_most_one({"every", "interval", "times"});
}

void ScheduleConfig::verify() const {
  if (int(every.has_value()) + int(interval.has_value()) + int(!times.empty()) > 1)
    where.fail("only one of 'every', 'interval' and 'times' can hold in '" + where.key + "'; keep one");
}

void GridConfig::fields(Section& s) {
  s("size", size, {.text = "length along x and y", .unit = "m", .required = true, .above = 0});
  s("cells", cells, {.text = "along x and y; the spacing is size / cells", .required = true, .least = 1});
  s("origin", origin, {.text = "the lower left corner", .unit = "m"});
}

void MediumConfig::fields(Section& s) {
  s("model", model, {.text = "what mass and tension are made of", .choices = names(medium_models())});
  s("speed", speed, {.text = "of the wave", .unit = "m/s", .above = 0});
  s("density", density,
    {.text = "mass per area or volume; default 1", .unit = "kg/m^2 or kg/m^3", .above = 0});
  s("depth", depth, {.text = "of the water, instead of speed; shallow-water only", .unit = "m", .above = 0});
  s("tension", tension, {.text = "of a membrane, with mass instead of speed", .unit = "N/m", .above = 0});
  s("mass", mass,
    {.text = "of a membrane, with tension: speed = sqrt(tension / mass)", .unit = "kg/m^2", .above = 0});
  s("damping", damping,
    {.text = "rate eta / m at which the velocity decays; default 0", .unit = "1/s", .least = 0});
  s("gravity", gravity, {.text = "with depth", .unit = "m/s^2", .above = 0});
  s.at_most_one({"speed", "depth", "tension"});
  s.at_least_one({"speed", "depth", "tension"});
  s.together("tension", "mass");
  s.not_where("density", "model", "shallow-water");
  for (const char* other : {"shallow-water", "acoustic"}) s.not_where("tension", "model", other);
  s.only_with("depth", "model", "shallow-water");
  s.at_most_one({"tension", "density"});
}

void MediumConfig::verify() const {
  if (gravity != MediumConfig().gravity && depth.empty())
    where.fail("'gravity' acts through 'depth' alone; remove it, or give model: shallow-water and depth");
}

void SpaceConfig::fields(Section& s) {
  s("order", order,
    {.text = "of the error: 2 couples five points, 4 nine, 8 seventeen (scheme: explicit)",
     .numbers = {2, 4, 8}});
}

void InitialConfig::fields(Section& s) {
  s("displacement", displacement, {.text = "u at t = 0; a list is a sum; default 0", .unit = "m"});
  s("velocity", velocity, {.text = "du/dt at t = 0; a list is a sum; default 0", .unit = "m/s"});
}

void RecordedConfig::fields(Section& s) {
  s("file", file, {.text = "result of that run, NAME.vtkhdf or NAME.h5", .required = true});
  s("backwards", backwards, {.text = "from `end` to 0: waves run back to where they came from"});
  s("end", end,
    {.text = "the last time that is played, backwards the first; default that of the file",
     .unit = "s",
     .above = 0});
  s("scale", scale, {.text = "factor on the values"});
}

void RecordedConfig::verify() const { prepare_to_read_hdf5(); }

void SourceConfig::fields(Section& s) {
  s("name", name, {.text = "default source-1, source-2, ..."});
  s("at", at,
    {.text = "a point source: the signal is the integral of the force; {x: \"3*t\", y: 0.5} moves",
     .unit = "m"});
  s("dipole", dipole,
    {.text = "[dx, dy] makes the point source a dipole: the signal at its head, less the signal at its foot, "
             "for any "
             "length times that length",
     .unit = "m"});
  s("area", area,
    {.text = "or a force density over the plane: the signal times this field, whose formula may have t"});
  const auto wanted = recorded ? recorded : std::make_shared<RecordedConfig>();
  wanted->stated |= recorded != nullptr;
  s.section("recorded", *wanted,
            {.text = "or what the receivers of another run recorded: a point source at the place of each",
             .optional = true});
  if (wanted->stated) recorded = wanted;
  s.inside(signal, {.text = "the force over time"});
  s.exactly_one({"at", "area", "recorded"});
  s.at_most_one({"dipole", "area"});
  std::vector<std::string_view> signals{"recorded"};
  for (const Kind<Signal>& kind : kinds<Signal>()) signals.push_back(kind.name);
  s.exactly_one(signals);
}

void SourceConfig::verify() const {
  check_name(where, name);
  if (recorded) {
    if (at || !area.empty() || signal || dipole)
      where.fail("'recorded' brings places and signals of its own; remove the other keys of '" + where.key +
                 "' but its name");
    return;
  }
  if (!signal) {
    std::vector<std::string> signals;
    for (const Kind<Signal>& kind : kinds<Signal>()) signals.emplace_back(kind.name);
    where.fail("'" + where.key + "' has no signal; add one of " + enumerate(signals));
  }
  if (at.has_value() == !area.empty())
    where.fail("the source '" + where.key + "' needs either 'at' (a point) or 'area' (a field)" +
               (at ? "; remove one" : "; add one"));
  if (dipole && !at)
    where.fail("'dipole' belongs to a point source, and '" + where.key + "' is none; remove it");
  if (dipole && (*dipole)[0] == 0 && (*dipole)[1] == 0)
    where.fail("'dipole' is [0, 0], which has no direction; write for example [1, 0]");
}

void TimeConfig::fields(Section& s) {
  s("scheme", scheme, {.text = "how time is stepped", .choices = names(scheme_names())});
  s("order", order,
    {.text = "of crank-nicolson's error in time, 2 or 4: 4 takes two solves a step; default 2",
     .numbers = {2, 4}});
  s("weights", weights, {.text = "[w+, w0, w-] of scheme: theta, adding up to 1"});
  s("courant", courant,
    {.text = "time step as max(speed) dt sqrt((1/dx^2 + 1/dy^2) / 2); default 1", .above = 0});
  s("step", step, {.text = "or the time step itself", .unit = "s", .above = 0});
  s("phase-error", phase_error,
    {.text = "or how far the shortest waves may be off at the end, in periods: then scheme, space.order and "
             "time step "
             "are chosen",
     .above = 0});
  s("end", end,
    {.text = "simulated time; the step is reduced once so that it is a whole number of steps",
     .unit = "s",
     .above = 0});
  s("steps", steps, {.text = "or the number of steps", .least = 1, .most = 2e9});
  s("wall-limit", wall_limit,
    {.text = "time on the clock after which the run saves its state and stops, to be continued: 2h"});
  s.only_with("weights", "scheme", "theta");
  s.needed_where("weights", "scheme", "theta");
  for (const char* other : {"numerov", "two-level", "theta", "explicit"})
    for (const char* key : {"order", "phase-error"}) s.not_where(key, "scheme", other);
  for (const char* chosen : {"weights", "order", "courant", "step"}) s.at_most_one({"phase-error", chosen});
  s.at_most_one({"courant", "step"});
  s.at_most_one({"end", "steps"});
  s.at_least_one({"end", "steps"});
}

void TimeConfig::verify() const {
  if (order && scheme != "crank-nicolson")
    where.fail("'order' is a choice of scheme: crank-nicolson, and scheme: " + scheme +
               " has an order of its own; remove 'order'");
  if (courant && step) where.fail("'courant' and 'step' both fix the time step; remove one of them");
  if (end && steps) where.fail("'end' and 'steps' both say when to stop; remove one of them");
  check_duration(where, "time.wall-limit", wall_limit);
  if (!end && !steps)
    where.fail("'" + where.key + "' does not say when to stop; add 'end: seconds' or 'steps: count'");
}

SolverOptions Config::solver_options() const {
  SolverOptions o = solver.options();
  o.mixed = precision == "mixed";
  for (SolverOptions& other : o.fallback) other.mixed = o.mixed;
  return o;
}

void Config::fields(Section& s) {
  s("name", name, {.text = "of the result; default the name of the config file"});
  s("device", device,
    {.text = "auto takes CUDA if a device answers, else the CPU", .choices = {"auto", "cuda", "cpu"}});
  s("precision", precision,
    {.text = "of the computation; mixed: double, with solves in single precision that are refined to it",
     .choices = {"double", "single", "mixed"}});
  s("parameters", parameters,
    {.text = "numbers by name, for all formulas: {a: 0.1}; --set parameters.a=0.2"});
  s.section("grid", grid, {.text = "the rectangle and its nodes: size, cells, origin", .required = true});
  s("shape", shape, {.text = "cuts the region of the wave out of the rectangle; a list is a union"});
  Edges all(edges);
  s.section("edges", all, {.text = "of the rectangle; default fixed"});
  if (all.stated)
    for (auto& edge : edges) edge = all.all ? all.all : edge ? edge : fixed_edge();
  s.section("medium", medium, {.text = "speed, density, damping", .required = true});
  s.section("space", space, {.text = "the order of derivatives in space"});
  s.section("initial", initial, {.text = "the state at t = 0; default at rest"});
  s("sources", sources, {.text = "forces"});
  s("receivers", receivers, {.text = "where the displacement is recorded"});
  s("shots", shots, {.text = "places that the only source takes in turn, a run each: docs/sweeps.md"});
  s.only_with("shots", "sources");
  s.section("time", time, {.text = "scheme, time step and end", .required = true});
  s.section("solver", solver, {.text = "of the linear system of each step"});
  s.section("output", output, {.text = "what is written, and when"});
  const auto saved = checkpoint ? checkpoint : std::make_shared<CheckpointConfig>();
  saved->stated |= checkpoint != nullptr;
  s.section("checkpoint", *saved,
            {.text = "states of the run on the disk, to continue it from: docs/checkpoints.md",
             .shorthand = "wall",
             .optional = true});
  if (saved->stated) checkpoint = saved;
  const auto wanted = study ? study : std::make_shared<StudyConfig>();
  wanted->stated |= study != nullptr;
  s.section("study", *wanted,
            {.text = "for wavesim study: solvers compared on the systems of this run", .optional = true});
  if (wanted->stated) study = wanted;
}

void Config::verify() const {
  constexpr std::size_t longest = 200;  // with endings, what file systems take
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
      name.size() > longest || std::any_of(name.begin(), name.end(), is_control))
    where.fail("'name' is the name of a folder and of files in it, and '" + name +
               "' is none; write a plain word");
  if (space.order == 4 && time.scheme == "explicit")
    time.where.fail(
        "scheme: explicit divides by the mass of each point, and with space: {order: 4} the mass couples "
        "points; write scheme: numerov, or space: {order: 2}, or {order: 8}");
  if (space.order == 8 && time.scheme != "explicit")
    space.where.fail("space: {order: 8} is for scheme: explicit, and the scheme is " + time.scheme +
                     "; write space: {order: 4}, or scheme: explicit");
  for (const int axis : {0, 1})
    if (const long cells = grid.cells[std::size_t(axis)];
        space.order == 8 && cells < lax_wendroff_least_cells)
      grid.where.fail("space: {order: 8} needs " + std::to_string(lax_wendroff_least_cells) +
                      " cells or more along each axis, and there are " + std::to_string(cells) + " along " +
                      "xy"[axis]);
  check_shots(*this);
  if (const std::string why = unavailable_on_cpu(solver.format); device == "cpu" && !why.empty())
    solver.where.fail(why);
  if (precision != "mixed") return;
  if (time.scheme == "explicit")
    where.fail("precision: mixed is about solves, and scheme: explicit has none; write precision: double");
  for (const std::string& why :
       {incompatibility(solver_options()), incompatibility(solver_options(), solver.format)})
    if (!why.empty()) solver.where.fail(why);
}

}  // namespace wavesim
