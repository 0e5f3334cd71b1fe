#pragma once
// The config, one struct per section. `fields` names keys and rules; see section.hpp. The format is shown
// whole in docs/config.md; every struct here is its reference.

#include "sim/config/on_failure.hpp"
#include "sim/config/places.hpp"
#include "sim/config/tree.hpp"
#include "sim/edges/edge.hpp"
#include "sim/fields/field.hpp"
#include "sim/shapes/shape.hpp"
#include "sim/signals/signal.hpp"
#include "sim/study/candidates.hpp"
#include "sim/time/guess_options.hpp"
#include "solvers/core/options.hpp"

namespace wavesim {

/// When something is due: exactly one of the three. `every` counts steps, `interval` seconds, `times` seconds
/// (the nearest step, with its true time).
struct ScheduleConfig : Configured {
  std::optional<long> every;
  std::optional<double> interval;
  std::vector<double> times;
  void fields(Section&) override;
  void verify() const override;  // more than one given: an error
  bool given() const { return every || interval || !times.empty(); }
};

struct GridConfig : Configured {
  std::array<double, 2> size{1, 1};
  std::array<long, 2> cells{100, 100};
  std::array<double, 2> origin{0, 0};
  /// Cells in place of each that the user counts, along an axis: layers of "20 cells" keep their metres. No key
  /// of the config.
  long refinement = 1;
  void fields(Section&) override;
};

struct MediumConfig : Configured {
  std::string model = "membrane";                // membrane | shallow-water | acoustic
  std::vector<std::shared_ptr<Field2>> speed;    // m/s
  std::vector<std::shared_ptr<Field2>> density;  // kg/m^2 or kg/m^3; default 1
  std::vector<std::shared_ptr<Field2>> depth;    // m, shallow-water only, instead of speed
  std::vector<std::shared_ptr<Field2>> tension;  // N/m, of membranes, instead of speed
  std::vector<std::shared_ptr<Field2>> mass;     // kg/m^2, with tension
  std::vector<std::shared_ptr<Field2>> damping;  // 1/s: eta / m
  double gravity = 9.81;                         // m/s^2, shallow-water with depth
  void fields(Section&) override;
  void verify() const override;
};

/// How derivatives in space are taken.
struct SpaceConfig : Configured {
  long order = 2;  // of the error: 2, five points; 4, nine points; 8, seventeen points of explicit steps
  void fields(Section&) override;
};

struct InitialConfig : Configured {
  std::vector<std::shared_ptr<Field2>> displacement, velocity;
  void fields(Section&) override;
};

/// What the receivers of another run recorded, played by a point source at the place of each.
struct RecordedConfig : Configured {
  FilePath file;  // its result
  bool backwards = false;
  std::optional<double>
      end;  // seconds: what is played last (backwards: first); default the last time of the file
  double scale = 1;
  void fields(Section&) override;
  void verify() const override;
};

struct SourceConfig : Configured {
  std::string name;
  std::optional<Place> at;                      // a point source; its amplitude is the integral of f
  std::shared_ptr<RecordedConfig> recorded;     // or many point sources with signals of their own
  std::optional<std::array<double, 2>> dipole;  // of a point source: f = -s(t) dipole . grad delta
  std::vector<std::shared_ptr<Field2>> area;    // or g(x, y)
  std::shared_ptr<Signal> signal;               // written inside: {name: shot, at: [0, 0], ricker: {...}}
  void fields(Section&) override;
  void verify() const override;
};

/// Throws InputError where `text`, the value of `key`, is stated and no duration.
void check_duration(const Where& where, const char* key, const std::string& text);

/// States of the run on the disk, to go on from.
struct CheckpointConfig : Configured {
  std::optional<long> every;  // steps
  std::string wall;           // a duration; default 30min without `every`
  long keep = 2;
  /// Seconds between two by the clock; infinity: only steps count.
  double wall_seconds() const;
  void fields(Section&) override;
  void verify() const override;
};

struct TimeConfig : Configured {
  std::string scheme = "crank-nicolson";         // numerov | two-level | theta | explicit
  std::optional<long> order;                     // of crank-nicolson's error in time: 2 or 4
  std::optional<std::array<double, 3>> weights;  // theta: [w+, w0, w-]
  std::optional<double> courant, step;           // one of them (courant is 1 if neither)
  std::optional<double> end;                     // seconds
  std::optional<long> steps;                     // or a count
  std::string wall_limit;                        // a duration by the clock
  /// Seconds of a time step that was decided before: of the run that is continued. No key of the config.
  std::optional<double> decided_step;
  /// In place of scheme, order and step: how far the shortest waves may be off at the end, in periods
  /// (sim/run/choose_scheme.hpp).
  std::optional<double> phase_error;
  std::string note;  // about that choice, for the user. No key of the config.
  void fields(Section&) override;
  void verify() const override;
};

/// Options of methods or preconditioners, written among the keys of their section.
struct ChoicesConfig {
  std::map<std::string, std::optional<double>, std::less<>> numbers;
  std::map<std::string, std::optional<long>, std::less<>> counts;
  std::map<std::string, std::optional<std::string>, std::less<>> words;
  void field(Section&, const Option&);
  Choices chosen() const;
};

struct PreconditionerConfig : Configured {
  std::string type = "none";  // also written as a bare word: preconditioner: jacobi
  ChoicesConfig choices;
  void fields(Section&) override;
};

struct SolverConfig : Configured {
  std::string method = "cg", format = "stencil";
  PreconditionerConfig preconditioner;
  double tolerance = 1e-6;         // NaN: auto (sim/run/choose_tolerance.hpp)
  std::string norm = "increment";  // relative-2 | max
  long max_iterations = 500;
  std::string guess = "previous";                     // extrapolate | projection
  std::optional<long> guess_degree, guess_solutions;  // default 0 and 4, where they belong
  std::string assembly = "each-step";                 // once
  std::shared_ptr<OnFailure> on_failure = stop_on_failure();
  std::string energy = "as-solved";  // exact
  bool accurate = false;
  std::optional<std::string> prices;  // of method: auto: built-in, or a file; default: those of this machine
  ChoicesConfig choices;
  /// Those that were chosen for the run (sim/prices/choose_prices.hpp). No key of the config.
  std::shared_ptr<const Prices> known_prices;
  SolverOptions options() const;
  GuessOptions guess_options() const;
  void fields(Section&) override;
  void verify() const override;
};

struct FieldsOutput : Configured {
  ScheduleConfig schedule;                     // its keys are written in this section itself
  std::vector<std::string> formats{"vtkhdf"};  // vtkhdf | vti
  std::vector<std::string> quantities{"displacement"};
  std::string precision = "single";  // single | double
  long compression = 4;              // gzip level; 0 none
  long stride = 1;
  std::optional<std::array<double, 4>> region;  // [x0, y0, x1, y1], metres
  bool layers = false;                          // write absorbing layers too
  std::optional<double> arrival_threshold;  // metres: |u| that counts as arrived; default 1 % of the largest
                                            // initial |u| or required
  void fields(Section&) override;
  void verify() const override;
};

/// Hill shading: the field as a landscape that is lit from one side.
struct ShadingConfig : Configured {  // absent: none
  double strength = 0.7;             // 0: none; 1: slopes that face away from the light are black
  double relief = 0.02;              // height of the value `range`, over the picture's width
  double azimuth = 315;              // where the light comes from: degrees from the top, clockwise
  double altitude = 45;              // of the light, degrees
  void fields(Section&) override;
};

struct PicturesOutput : Configured {
  ScheduleConfig schedule;
  std::string quantity = "displacement";  // velocity | energy-density; of a result: any it has
  std::string colours = "auto";           // a colour map: output/pictures/colour_map.hpp
  std::string scale = "run";              // one range for all pictures; picture: each its own
  bool marks = true;                      // sources and receivers
  bool medium = true;                     // beneath the wave
  double clip = 0.005;                    // part of the pixels that may lie beyond a range that is not given
  ShadingConfig shading;
  long width = 960;      // pixels
  std::string y = "up";  // up | down
  std::optional<double>
      range;  // metres: colour scale is [-range, range]; default: what the first frames need
  void fields(Section&) override;
  void verify() const override;
};

struct ReceiversOutput : Configured {
  ScheduleConfig schedule;  // default every: 1
  std::vector<std::string> formats{"hdf5", "csv"};
  void fields(Section&) override;
  void verify() const override;
};

struct HistoryOutput : Configured {
  ScheduleConfig schedule;  // default every: 1
  void fields(Section&) override;
  void verify() const override;
};

struct EnergyOutput : Configured {
  ScheduleConfig schedule;  // default: with `fields`
  bool balance = false;     // in each step, what changes the energy
  void fields(Section&) override;
  void verify() const override;
};

struct OutputConfig : Configured {
  std::string directory = "results";
  std::shared_ptr<FieldsOutput> frames = std::make_shared<FieldsOutput>();  // key `fields`
  std::shared_ptr<PicturesOutput> pictures;                                 // null: no pictures
  ReceiversOutput receivers;
  HistoryOutput history;
  EnergyOutput energy;
  long buffer = 4;                   // frames waiting for the disk, at most
  std::string durability = "frame";  // end: when frames are on the disk
  void fields(Section&) override;
};

/// Courant numbers and grid sizes that a study goes through; empty: the config's own.
struct SweepConfig : Configured {
  std::vector<double> courant;
  std::vector<long> cells;  // along x; along y in the proportion of `grid`
  void fields(Section&) override;
  void verify() const override;
};

struct StudyConfig : Configured {
  std::vector<long> at;       // steps, counted from 1 as in the history of a run
  std::optional<long> every;  // or each so many
  std::vector<std::shared_ptr<Candidates>> candidates;
  long repetitions = 5, warm_up = 1;
  std::optional<double> reference_tolerance;
  SweepConfig sweep;
  void fields(Section&) override;
  void verify() const override;
};

struct Config : Configured {
  std::string name;                  // default: the config file's stem
  std::string device = "auto";       // cuda | cpu
  std::string precision = "double";  // single | mixed
  Parameters parameters;             // of formulas
  GridConfig grid;
  std::vector<std::shared_ptr<Shape>> shape;
  std::array<std::shared_ptr<Edge>, 4>
      edges;  // left, right, bottom, top; written as one edge or a map of sides; default fixed
  MediumConfig medium;
  SpaceConfig space;
  InitialConfig initial;
  std::vector<SourceConfig> sources;
  std::vector<ReceiverConfig> receivers;
  std::vector<ShotConfig> shots;  // places of the only source, a run each; empty: where it stands
  TimeConfig time;
  SolverConfig solver;
  OutputConfig output;
  std::shared_ptr<CheckpointConfig> checkpoint;  // null: none
  std::shared_ptr<StudyConfig> study;            // null: none
  /// Of the computation.
  int bytes_of_a_value() const { return precision == "single" ? 4 : 8; }
  /// Of the section `solver` and the precision.
  SolverOptions solver_options() const;
  void fields(Section&) override;
  void verify() const override;
};

/// Reads a config. `set` holds "key.path=value" strings, applied over the file, and `over` what is applied over these; files
/// that it names and that are not beside it are looked for in `data` (search_path.hpp). Throws InputError.
Config read_config(const std::filesystem::path& file, const std::vector<std::string>& set = {},
                   const std::vector<std::filesystem::path>& data = {},
                   const std::vector<Assignment>& over = {});
/// The same from text, for tests; `name` stands for the file name in sentences, `directory` is where relative
/// paths start.
Config parse_config(const std::string& text, const std::string& name,
                    const std::filesystem::path& directory = ".", const std::vector<std::string>& set = {},
                    const std::vector<std::filesystem::path>& data = {},
                    const std::vector<Assignment>& over = {});
/// Reads another file that is described in the same way.
void parse_section(Configured& root, const std::string& text, const std::string& name);
/// Its keys as YAML.
std::string dump_keys(Configured& root);
/// The effective config, defaults filled in, as YAML that read_config accepts.
std::string dump_config(Config& config);
/// One section in the same way, under its key.
std::string dump_section(std::string_view key, Configured& section);
/// JSON Schema (draft 2020-12) of the whole config.
std::string config_schema();

}  // namespace wavesim
