#pragma once
// What a run tells the world. sim/ owns this interface; output/ implements it.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/values.hpp"
#include "solvers/core/archive.hpp"

namespace wavesim {

/// A 2-D array (ny, nx) of one quantity, in the precision of the output.
struct Plane {
  std::string quantity;  // "displacement", "velocity", "max-displacement", ...
  Values values;
};

/// The state at one output time, already cut to region and stride.
struct Frame {
  long step = 0;
  double time = 0;  // seconds
  std::vector<Plane> planes;
  double energy = 0, residual = 0;  // of the step that led here; NaN if not computed
  long iterations = 0;
};

/// What changed the energy since the start: energy = energy_first + sources - damping - outflow + residual + error,
/// joules for a membrane. EnergyChange (sim/time/stepper.hpp) says what each is; the error is what is left.
struct EnergyBalance {
  double sources = 0, damping = 0, outflow = 0, residual = 0, error = 0;
  static constexpr std::array names{"source_work", "damping_loss", "outflow", "residual_work",
                                    "balance_error"};
  std::array<double, 5> columns() const { return {sources, damping, outflow, residual, error}; }
};

/// One row of the per-step history.
struct StepRecord {
  long step = 0;
  double time = 0;
  long iterations = 0;
  double residual_2 = 0, residual_max = 0;  // true residual, relative to the norm's reference and in max norm
  double residual_recurrence = 0;           // as residual_2, of the residual that the method kept itself
  std::string status;                       // "converged", ...
  double energy = 0;                        // NaN where not due
  double assembly_seconds = 0, solve_seconds = 0;
  EnergyBalance balance{};  // where RunInfo::balance
  long solver = 0;          // of RunInfo::solvers, the one that tried last
  std::string failures;     // why those before it could not: "max-iterations breakdown"
};

/// Samples of all receivers at one time.
struct ReceiverSample {
  long step = 0;
  double time = 0;
  std::vector<double> values;  // one per receiver
};

struct ReceiverInfo {
  std::string name;
  double x, y;
};

/// Seconds before the first step: to find the device, to make the model, to put the state on the device.
struct StartSeconds {
  double device = 0, model = 0, state = 0;
};

/// Everything a writer must know before the first frame.
struct RunInfo {
  std::string name;
  std::string directory;                     // results/drum
  std::string config;                        // effective config, YAML
  std::map<std::string, std::string> facts;  // version, commit, compiler, device, precision, threads, ...
  long nx = 0, ny = 0;                       // of the output planes
  double origin[2] = {0, 0}, spacing[2] = {1, 1};  // of the output planes
  std::vector<std::string> quantities;             // of every frame
  std::vector<Plane> once;                         // written once: "speed"
  Values inside;  // bytes: 1 where a node is inside the shapes; empty: everywhere
  /// Where rims cut the grid: about the distance of a node to the rim in spacings, from -1 (outside) to 1;
  /// linear between nodes, 0 on the rim. Empty: rims follow the nodes.
  Values rim;          // floats
  bool single = true;  // planes are float
  int compression = 4;
  bool balance = false;              // whether records have one
  std::vector<std::string> solvers;  // the solver and its fallback, by name; empty: there is no fallback
  bool durable = true;  // frames and pictures are on the disk soon after they are written, not at the end
  long planned_frames = 0, planned_pictures = 0, planned_steps = 0, planned_samples = 0, planned_history = 0;
  std::vector<ReceiverInfo> receivers;
  StartSeconds start;
};

/// How a run ended.
struct RunSummary {
  bool complete = false;  // false: stopped by failure or signal; what is written stays
  std::string ending;     // "done", or why not
  long steps = 0;
  double seconds = 0, assembly_seconds = 0, solve_seconds = 0, output_seconds = 0;
  std::string set_up;  // what method and preconditioner chose or found; may be empty
  long iterations_min = 0, iterations_max = 0;
  double iterations_mean = 0;
  /// Steps whose method ended with a residual of its own that is off from the true one by more than a factor
  /// of ten, and the first of them.
  long parted_steps = 0, parted_first = 0;
  long failed_steps = 0, failed_first = 0;  // steps whose solve failed, and the first of them
  /// Steps that each of RunInfo::solvers took; empty: there is no fallback.
  std::vector<long> steps_of_solver{};
  double energy_first = 0, energy_last = 0,
         energy_drift = 0;  // drift: largest |E - E_first| / E_first over the run; NaN if not computed
  std::optional<EnergyBalance> balance{};
  double balance_error = 0;  // the largest over the run, relative to the largest of energy and terms so far
};

/// Writers never decide when; the simulation calls them when their schedule is due. Calls come from one
/// thread, in order. Failures throw OutputError; DeviceError where a frame does not arrive from a device.
struct Writer {
  virtual ~Writer() = default;
  virtual void begin(const RunInfo&) = 0;
  /// In place of begin(): continues the files of a run from how far they were when it was saved after `step`,
  /// and cuts off what lies behind. Throws InputError if they hold less.
  virtual void resume(const RunInfo& info, long /*step*/, Archive& /*saved*/) { begin(info); }
  /// Names how far the files are, for resume(); all until then has left this process when this returns.
  virtual void save(Archive&) {}
  /// Tells it from other writers of a run in a saved state. Empty: it has nothing to save.
  virtual std::string name() const { return {}; }
  /// Before a frame: whether another one waits already, so that both may reach the disk together.
  virtual void more_wait(bool) {}
  virtual void frame(const Frame&) {}
  virtual void picture(const Frame&) {}  // planes[0] is what is drawn, over the whole output region, float
  virtual void sample(const ReceiverSample&) {}
  virtual void step(const StepRecord&) {}
  virtual void finish(const RunSummary&) {}
  virtual std::vector<std::string> files() const { return {}; }  // for the summary
};

}  // namespace wavesim
