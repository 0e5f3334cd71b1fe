#include "sim/config/config.hpp"

#include <algorithm>
#include <set>

#include "sim/config/names.hpp"

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
  }
  void verify() const override {
    if (all && std::any_of(sides.begin(), sides.end(), [](const auto& e) { return e != nullptr; }))
      where.fail(
          "'edges' is either one kind for all sides or left, right, bottom and top; remove one of the two");
  }
};

std::shared_ptr<Edge> fixed_edge() {
  for (const Kind<Edge>& kind : kinds<Edge>())
    if (kind.name == "fixed") return kind.make();
  return nullptr;
}

/// The keys of a schedule stand among those of the section.
void schedule_in(Configured& section, ScheduleConfig& schedule, Section& s) {
  schedule.where = section.where;
  schedule.fields(s);
}

}  // namespace

void ScheduleConfig::fields(Section& s) {
  s("every", every, {.text = "due each so many steps", .unit = "steps", .least = 1});
  s("interval", interval, {.text = "or each so many seconds of simulated time", .unit = "s", .above = 0});
  s("times", times, {.text = "or at these times; the nearest step is taken", .unit = "s", .least = 0});
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
  s("speed", speed, {.text = "of the wave", .unit = "m/s"});
  s("density", density, {.text = "mass per area or volume; default 1", .unit = "kg/m^2 or kg/m^3"});
  s("depth", depth, {.text = "of the water, instead of speed; shallow-water only", .unit = "m"});
  s("damping", damping, {.text = "rate eta / m at which the velocity decays; default 0", .unit = "1/s"});
  s("gravity", gravity, {.text = "with depth", .unit = "m/s^2", .above = 0});
}

void MediumConfig::verify() const {
  if (gravity != MediumConfig().gravity && depth.empty())
    where.fail("'gravity' acts through 'depth' alone; remove it, or give model: shallow-water and depth");
}

void InitialConfig::fields(Section& s) {
  s("displacement", displacement, {.text = "u at t = 0; a list is a sum; default 0", .unit = "m"});
  s("velocity", velocity, {.text = "du/dt at t = 0; a list is a sum; default 0", .unit = "m/s"});
}

void SourceConfig::fields(Section& s) {
  s("name", name, {.text = "default source-1, source-2, ..."});
  s("at", at, {.text = "a point source: the signal is the integral of the force", .unit = "m"});
  s("area", area, {.text = "or a force density over the plane: the signal times this field"});
  s.inside(signal, {.text = "the force over time", .required = true});
}

void SourceConfig::verify() const {
  if (at.has_value() == !area.empty())
    where.fail("the source '" + where.key + "' needs either 'at' (a point) or 'area' (a field)" +
               (at ? "; remove one" : "; add one"));
}

void ReceiverConfig::fields(Section& s) {
  s("name", name, {.text = "default receiver-1, receiver-2, ..."});
  s("at", at, {.text = "one point", .unit = "m"});
  s("from", from, {.text = "or the first point of a line", .unit = "m"});
  s("to", to, {.text = "and its last", .unit = "m"});
  s("count", count, {.text = "points of the line, its ends included", .least = 1});
}

void ReceiverConfig::verify() const {
  if (from.has_value() != to.has_value())
    where.fail("a line of receivers needs both 'from' and 'to'; add '" + std::string(from ? "to" : "from") +
               "'");
  if (at.has_value() == from.has_value())
    where.fail("a receiver is either 'at' a point or a line 'from' ... 'to'" +
               std::string(at ? "; remove one" : "; add one of them"));
}

void TimeConfig::fields(Section& s) {
  s("scheme", scheme, {.text = "how time is stepped", .choices = names(scheme_names())});
  s("weights", weights, {.text = "[w+, w0, w-] of scheme: theta, adding up to 1"});
  s("courant", courant,
    {.text = "time step as max(speed) dt sqrt((1/dx^2 + 1/dy^2) / 2); default 1", .above = 0});
  s("step", step, {.text = "or the time step itself", .unit = "s", .above = 0});
  s("end", end,
    {.text = "simulated time; the step is reduced once so that it is a whole number of steps",
     .unit = "s",
     .above = 0});
  s("steps", steps, {.text = "or the number of steps", .least = 1, .most = 2e9});
}

void TimeConfig::verify() const {
  if (courant && step) where.fail("'courant' and 'step' both fix the time step; remove one of them");
  if (end && steps) where.fail("'end' and 'steps' both say when to stop; remove one of them");
  if (!end && !steps)
    where.fail("'" + where.key + "' does not say when to stop; add 'end: seconds' or 'steps: count'");
}

void ChoicesConfig::field(Section& s, const Option& o) {
  const Rule rule{.text = o.text,
                  .least = o.words.empty() ? std::optional<double>(o.least) : std::nullopt,
                  .most = o.words.empty() ? std::optional<double>(o.most) : std::nullopt,
                  .choices = o.words};
  if (!o.words.empty())
    s(o.name, words[std::string(o.name)], rule);
  else if (o.whole)
    s(o.name, counts[std::string(o.name)], rule);
  else
    s(o.name, numbers[std::string(o.name)], rule);
}

Choices ChoicesConfig::chosen() const {
  Choices c;
  for (const auto& [name, v] : numbers)
    if (v) c.numbers[name] = *v;
  for (const auto& [name, v] : counts)
    if (v) c.numbers[name] = double(*v);
  for (const auto& [name, v] : words)
    if (v) c.words[name] = *v;
  return c;
}

void PreconditionerConfig::fields(Section& s) {
  s("type", type, {.text = "which one", .choices = names(solver_preconditioners())});
  for (const Option* o : options_of(solver_preconditioners())) choices.field(s, *o);
}

void SolverConfig::fields(Section& s) {
  s("method", method, {.text = "of solving the system of each step", .choices = names(solver_methods())});
  s("format", format, {.text = "how the matrix is stored", .choices = names(solver_formats())});
  s.section("preconditioner", preconditioner, {.text = "makes the system easier first", .shorthand = "type"});
  s("tolerance", tolerance, {.text = "of the true residual, in the norm below", .above = 0, .most = 0.5});
  s("norm", norm, {.text = "what the residual is compared with", .choices = names(stop_norms())});
  s("max-iterations", max_iterations, {.text = "after which a solve has failed", .least = 1, .most = 1e9});
  s("guess", guess,
    {.text = "where a solve starts: u(n), u(n) carried on by the last increments, or by the combination of "
             "them with the least error",
     .choices = {"previous", "extrapolate", "projection"}});
  s("guess-degree", guess_degree,
    {.text = "of the polynomial in time through the last increments, for guess: extrapolate; default 0",
     .least = 0,
     .most = 2});
  s("guess-solutions", guess_solutions,
    {.text = "increments that guess: projection keeps; default 4", .least = 1, .most = most_solutions});
  s("assembly", assembly,
    {.text = "of the matrix: each step anew, or once (the same bits)", .choices = {"each-step", "once"}});
  s("on-failure", on_failure,
    {.text = "what happens when a solve fails: stop with exit status 3, or go on and record it",
     .choices = {"stop", "continue"}});
  s("accurate", accurate,
    {.text = "whether the sums of a solve and the rows of its true residual are compensated"});
  for (const Option* o : options_of(solver_methods())) choices.field(s, *o);
}

GuessOptions SolverConfig::guess_options() const {
  return {guess, int(guess_degree.value_or(0)), int(guess_solutions.value_or(4))};
}

SolverOptions SolverConfig::options() const {
  SolverOptions o;
  o.method = method;
  o.preconditioner = {preconditioner.type, preconditioner.choices.chosen()};
  o.tolerance = tolerance;
  o.norm = norm;
  o.max_iterations = int(max_iterations);
  o.accurate = accurate;
  o.choices = choices.chosen();
  return o;
}

void SolverConfig::verify() const {
  if (guess_degree && guess != "extrapolate")
    where.fail("'guess-degree' belongs to guess: extrapolate; write that, or leave it out");
  if (guess_solutions && guess != "projection")
    where.fail("'guess-solutions' belongs to guess: projection; write that, or leave it out");
  if (const std::string why = incompatibility(options()); !why.empty()) where.fail(why);
}

void FieldsOutput::fields(Section& s) {
  schedule_in(*this, schedule, s);
  s("formats", formats,
    {.text = "vtkhdf: one HDF5 file, ParaView 5.12 and later; vti: a series for older ones",
     .choices = {"vtkhdf", "vti"}});
  s("quantities", quantities, {.text = "what is written", .choices = names(quantity_names())});
  s("precision", precision, {.text = "of the numbers in the file", .choices = {"single", "double"}});
  s("compression", compression, {.text = "gzip level; 0 is none and much faster", .least = 0, .most = 9});
  s("stride", stride, {.text = "each so-many-th node along x and y", .least = 1});
  s("region", region, {.text = "[x0, y0, x1, y1]; default the whole grid", .unit = "m"});
  s("layers", layers, {.text = "whether absorbing layers are written, too"});
  s("arrival-threshold", arrival_threshold,
    {.text = "|u| that counts as arrived; default 1 % of the largest initial |u|", .unit = "m", .above = 0});
}

void FieldsOutput::verify() const {
  schedule.verify();
  const auto has = [&](const char* name) {
    return std::find(quantities.begin(), quantities.end(), name) != quantities.end();
  };
  if (arrival_threshold && !has("arrival-time"))
    where.fail(
        "'arrival-threshold' belongs to the quantity arrival-time; add that to 'quantities', or remove it");
  if (quantities.size() == 1 && has("speed"))
    where.fail("'quantities' names only speed, which does not change; add displacement or another one");
  if (region && !((*region)[0] < (*region)[2] && (*region)[1] < (*region)[3]))
    where.fail("'region' is turned inside out; write the lower left corner first, [x0, y0, x1, y1]");
}

void ShadingConfig::fields(Section& s) {
  s("strength", strength,
    {.text = "0 changes nothing, 1 makes slopes that face away from the light black", .least = 0, .most = 1});
  s("relief", relief,
    {.text = "how high the value 'range' stands", .unit = "picture widths", .above = 0, .most = 1});
  s("azimuth", azimuth,
    {.text = "where the light comes from, clockwise: 0 the top of the picture, 315 the upper left",
     .unit = "degrees",
     .least = 0,
     .most = 360});
  s("altitude", altitude,
    {.text = "of the light above the ground", .unit = "degrees", .least = 5, .most = 90});
}

void PicturesOutput::fields(Section& s) {
  schedule_in(*this, schedule, s);
  s("quantity", quantity,
    {.text = "what is drawn", .choices = {"displacement", "velocity", "energy-density"}});
  s("colours", colours,
    {.text = "auto is blue-red for what has a sign, else violet-yellow",
     .choices = {"auto", "blue-red", "green-purple", "violet-yellow", "black-orange", "grey"}});
  s("scale", scale,
    {.text = "one range of colours for the whole run, or one for each picture",
     .choices = {"run", "picture"}});
  s("marks", marks, {.text = "whether sources and receivers are marked"});
  s.section("shading", shading,
            {.text = "hill shading: the field as a landscape, lit from one side",
             .shorthand = "strength",
             .optional = true});
  s("width", width, {.text = "of a picture", .unit = "pixels", .least = 64, .most = 16384});
  s("y", y, {.text = "where y points to", .choices = {"up", "down"}});
  s("range", range,
    {.text = "the colours span [-range, range]; default: the largest value of the first pictures",
     .unit = "of the quantity",
     .above = 0});
}

void PicturesOutput::verify() const {
  schedule.verify();
  if (range && scale == "picture")
    where.fail(
        "'range' fixes the colours of all pictures and scale: picture those of each; remove one of the two");
}

void ReceiversOutput::fields(Section& s) {
  schedule_in(*this, schedule, s);
  s("formats", formats,
    {.text = "hdf5: into the result file; csv: a table beside it", .choices = {"hdf5", "csv"}});
}

void ReceiversOutput::verify() const { schedule.verify(); }

void HistoryOutput::fields(Section& s) { schedule_in(*this, schedule, s); }

void HistoryOutput::verify() const { schedule.verify(); }

void EnergyOutput::fields(Section& s) { schedule_in(*this, schedule, s); }

void EnergyOutput::verify() const { schedule.verify(); }

void OutputConfig::fields(Section& s) {
  s("directory", directory, {.text = "results go into directory/name, from where wavesim is started"});
  s.section("fields", *frames, {.text = "arrays over the grid; default about 100 times"});
  const auto wanted = pictures ? pictures : std::make_shared<PicturesOutput>();
  wanted->stated |= pictures != nullptr;
  s.section("pictures", *wanted,
            {.text = "PNG files of the displacement or another quantity", .optional = true});
  if (wanted->stated) pictures = wanted;
  s.section("receivers", receivers, {.text = "what the receivers record; default each step"});
  s.section("history", history, {.text = "iterations, residual and times of each step; default each step"});
  s.section("energy", energy, {.text = "default together with fields"});
  s("buffer", buffer, {.text = "frames that may wait for the disk", .least = 1, .most = 1024});
}

void SweepConfig::fields(Section& s) {
  s("courant", courant, {.text = "Courant numbers, instead of time.courant or time.step", .above = 0});
  s("cells", cells,
    {.text = "numbers of cells along x, instead of grid.cells; along y in the same proportion", .least = 2});
}

void SweepConfig::verify() const {
  if (courant.empty() && cells.empty())
    where.fail("'" + where.key + "' goes through nothing; add courant: [1, 4, 16] or cells: [200, 400]");
  if (std::set<double>(courant.begin(), courant.end()).size() != courant.size())
    where.fail("'" + where.key + ".courant' lists a number twice; remove one of them");
  if (std::set<long>(cells.begin(), cells.end()).size() != cells.size())
    where.fail("'" + where.key + ".cells' lists a number twice; remove one of them");
}

void StudyConfig::fields(Section& s) {
  s("at", at, {.text = "steps whose systems are solved with all candidates; the first is 1", .least = 1});
  s("every", every, {.text = "or each so many steps", .unit = "steps", .least = 1});
  s.section("sweep", sweep, {.text = "the whole study for each of these", .optional = true});
  s("candidates", candidates, {.text = "solvers to compare; a list takes them together", .required = true});
  s("repetitions", repetitions,
    {.text = "timed solves of a candidate, whose median counts", .least = 1, .most = 10000});
  s("warm-up", warm_up, {.text = "solves before the timed ones", .least = 0, .most = 1000});
  s("reference-tolerance", reference_tolerance,
    {.text = "of the solves that carry the run on; default 1e-12 or what the precision can reach, but not "
             "above solver.tolerance",
     .above = 0,
     .most = 0.5});
}

void StudyConfig::verify() const {
  if (!at.empty() && every)
    where.fail("'at' and 'every' both say which steps '" + where.key + "' looks at; remove one of them");
  if (at.empty() && !every)
    where.fail("'" + where.key +
               "' does not say which steps to look at; add 'at: [1, 10]' or 'every: count'");
  if (std::set<long>(at.begin(), at.end()).size() != at.size())
    where.fail("'" + where.key + ".at' lists a step twice; remove one of them");
}

SolverOptions Config::solver_options() const {
  SolverOptions o = solver.options();
  o.mixed = precision == "mixed";
  return o;
}

void Config::fields(Section& s) {
  s("name", name, {.text = "of the result; default the name of the config file"});
  s("device", device,
    {.text = "auto takes CUDA if a device answers, else the CPU", .choices = {"auto", "cuda", "cpu"}});
  s("precision", precision,
    {.text = "of the computation; mixed: double, with solves in single precision that are refined to it",
     .choices = {"double", "single", "mixed"}});
  s.section("grid", grid, {.text = "the rectangle and its nodes: size, cells, origin", .required = true});
  s("shape", shape, {.text = "cuts the region of the wave out of the rectangle; a list is a union"});
  Edges all(edges);
  s.section("edges", all, {.text = "of the rectangle; default fixed"});
  if (all.stated)
    for (auto& edge : edges) edge = all.all ? all.all : edge ? edge : fixed_edge();
  s.section("medium", medium, {.text = "speed, density, damping", .required = true});
  s.section("initial", initial, {.text = "the state at t = 0; default at rest"});
  s("sources", sources, {.text = "forces"});
  s("receivers", receivers, {.text = "where the displacement is recorded"});
  s.section("time", time, {.text = "scheme, time step and end", .required = true});
  s.section("solver", solver, {.text = "of the linear system of each step"});
  s.section("output", output, {.text = "what is written, and when"});
  const auto wanted = study ? study : std::make_shared<StudyConfig>();
  wanted->stated |= study != nullptr;
  s.section("study", *wanted,
            {.text = "for wavesim study: solvers compared on the systems of this run", .optional = true});
  if (wanted->stated) study = wanted;
}

void Config::verify() const {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
    where.fail("'name' is the name of a folder and of files in it, and '" + name +
               "' is none; write a plain word");
  if (precision != "mixed") return;
  if (time.scheme == "explicit")
    where.fail("precision: mixed is about solves, and scheme: explicit has none; write precision: double");
  if (const std::string why = incompatibility(solver_options()); !why.empty()) solver.where.fail(why);
}

}  // namespace wavesim
