// Configs that are wrong: each ends with exit status 2 and one sentence that names the place, the key and the
// remedy, and leaves nothing behind.

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <limits>

#include "tests/apps/program.hpp"
#include "tests/apps/system_files.hpp"

namespace wavesim {
namespace {

struct Wrong {
  const char* name;
  const char* config;             // lines 5 and on of the config below
  std::vector<const char*> says;  // all of them stand in the sentence: place, key or value, remedy
  std::vector<std::string> arguments = {};
};

/// Lines 1 to 4 of every config.
const char* const right = R"yaml(name: wrong
grid: {size: [1, 1], cells: [16, 16]}
medium: {speed: 1}
time: {steps: 4}
)yaml";

const std::vector<Wrong>& wrong_configs() {
  static const std::vector<Wrong> all{
      {"UnknownKey",
       "solver:\n  tolerence: 1\n",
       {"w.yaml:6:3:", "'tolerence' in solver", "did you mean 'tolerance'?"}},
      {"KeyThatATerminalWouldObey", "\"\\x1b[31mred\": 1\n", {"w.yaml:5:1:", "unknown key '\\x1b[31mred'"}},
      {"FileThatIsNowhere",
       "shape: {file: sea.h5}\n",
       {"w.yaml:5:1:", "there is no file",
        "sea.h5, nor one of that name in a folder of --data or WAVESIM_DATA"}},
      {"FolderOfDataThatIsNotThere", "", {"--data nowhere: there is no such folder"}, {"--data", "nowhere"}},
      {"UnknownSection",
       "snapshots: {every: 3}\n",
       {"w.yaml:5:1:", "unknown key 'snapshots'", "its keys are name"}},
      {"MisspelledKind", "edges: fixd\n", {"w.yaml:5:1:", "'fixd'", "did you mean 'fixed'?"}},
      {"PricesOfAFixedMethod",
       "solver: {method: cg, prices: built-in}\n",
       {"w.yaml:5:1:", "'prices' belongs to method: auto"}},
      {"PricesThatAreNotThere",
       "device: cpu\nsolver: {method: auto, prices: nowhere.yaml}\n",
       {"nowhere.yaml: this file of prices cannot be read", "wavesim measure", "built-in"}},
      {"WrongType",
       "solver: {max-iterations: many}\n",
       {"w.yaml:5:10:", "solver.max-iterations", "must be a whole number"}},
      {"ListOfWrongLength", "", {"--set grid.cells:", "list of 2 numbers"}, {"--set", "grid.cells=[4]"}},
      {"TextForANumber",
       "",
       {"--set time.courant:", "must be a number", "remove the quotes"},
       {"--set", "time.courant=\"1\""}},
      {"DuplicateKey",
       "solver: {method: cg, method: jacobi}\n",
       {"w.yaml:5:22:", "'method' is written twice", "remove one"}},
      {"OctalSurprise",
       "solver: {max-iterations: 0100}\n",
       {"w.yaml:5:10:", "'0100'", "without leading zeros"}},
      {"NotFiniteNumber",
       "",
       {"--set time.courant:", "'.nan' is not finite"},
       {"--set", "time.courant=.nan"}},
      {"NegativeSize", "", {"--set grid.size.1:", "greater than 0", "'-1'"}, {"--set", "grid.size=[1, -1]"}},
      {"NoCells", "", {"--set grid.cells.0:", "not less than 1"}, {"--set", "grid.cells=[0, 4]"}},
      {"MissingSection",
       "",
       {"--set time.steps:", "removes a key"},
       {"--set", "time.steps=", "--set", "time.steps="}},
      {"NoEnd",
       "",
       {"w.yaml:4:1:", "does not say when to stop", "add 'end: seconds' or 'steps: count'"},
       {"--set", "time.steps="}},
      {"TwoEnds", "", {"w.yaml:4:1:", "'end' and 'steps'", "remove one"}, {"--set", "time.end=1"}},
      {"TwoTimeSteps",
       "",
       {"w.yaml:4:1:", "'courant' and 'step'", "remove one"},
       {"--set", "time.courant=1", "--set", "time.step=1"}},
      {"TwoSchedules",
       "output: {fields: {every: 1, interval: 1}}\n",
       {"w.yaml:5:10:", "'every', 'interval' and 'times'", "keep one"}},
      {"BrokenYaml", "solver: [\n", {"w.yaml:6:1:", "not valid YAML", "check the indentation"}},
      {"Tabs", "solver:\n\tmethod: cg\n", {"w.yaml:6:", "indented by a tab"}},
      {"UnknownMethod",
       "solver: {method: gc}\n",
       {"w.yaml:5:10:", "'gc' for 'solver.method'", "did you mean 'cg'?"}},
      {"MethodNotBuilt",
       "solver: {norm: energy}\n",
       {"w.yaml:5:10:", "'energy'", "it is one of increment, relative-2 and max"}},
      {"PrecisionNotBuilt",
       "precision: half\n",
       {"w.yaml:5:1:", "'half' for 'precision'", "double, single and mixed"}},
      {"MixedPrecisionWithoutSolves",
       "precision: mixed\n",
       {"w.yaml:", "scheme: explicit has none", "write precision: double"},
       {"--set", "time.scheme=explicit", "--set", "time.courant=0.5"}},
      {"TwoWaysToAbsorb",
       "edges: {absorbing: {pml: {}, radiation: {}}}\n",
       {"w.yaml:5:9:", "absorbs in one way", "keep one of pml, radiation"}},
      {"ExactEnergyWithoutSolves",
       "solver: {energy: exact}\n",
       {"w.yaml:5:1:", "energy: exact", "has no solves"},
       {"--set", "time.scheme=explicit", "--set", "time.courant=0.5"}},
      {"MissingFile", "shape: {file: nowhere.h5}\n", {"w.yaml:5:1:", "nowhere.h5"}},
      {"MissingDataset",
       "shape: {file: data.h5, dataset: /speeed}\n",
       {"w.yaml:5:1:", "/speeed", "data.h5", "/flat"}},
      {"DatasetOfWrongShape", "shape: {file: data.h5, dataset: /row}\n", {"w.yaml:5:1:", "/row"}},
      {"FileIsNoHdf5", "shape: {file: w.yaml}\n", {"w.yaml:5:1:", "HDF5"}},
      {"NotANumberInAField",
       "initial: {displacement: {file: data.h5, dataset: /nan}}\n",
       {"w.yaml:5:11:", "nan", "[1, 2]", "replace it"}},
      {"FileDoesNotCoverTheGrid",
       "initial: {displacement: {file: data.h5, dataset: /flat, spacing: [0.1, 0.1]}}\n",
       {"w.yaml:5:11:", "covers", "the grid is", "make grid.size smaller"}},
      {"ZeroSpeed",
       "",
       {"--set medium.speed:", "speed is 0 m/s", "greater than 0"},
       {"--set", "medium.speed=0"}},
      {"NegativeSpeedSomewhere",
       "",
       {"--set medium.speed:", "speed is -0.", "greater than 0"},
       {"--set", "medium.speed=0.9 - x"}},
      {"NoSpeed", "", {"w.yaml:3:1:", "needs 'speed'"}, {"--set", "medium.speed="}},
      {"NegativeDamping",
       "",
       {"--set medium.damping:", "damping is -1", "must not be negative"},
       {"--set", "medium.damping=-1"}},
      {"DepthOfLand",
       "",
       {"--set medium.depth:", "depth is", "shape"},
       {"--set", "medium={model: shallow-water, depth: 0.5 - x}"}},
      {"ExpressionWithAMistake", "initial: {velocity: sin(z)}\n", {"w.yaml:5:11:", "sin(z)", "z"}},
      {"PeriodicOnOneSideOnly", "edges: {left: periodic}\n", {"w.yaml:5:9:", "periodic", "left"}},
      {"PeriodicWithTooFewCells",
       "edges: periodic\n",
       {"w.yaml:2:1:", "at least 3 cells"},
       {"--set", "grid.cells=[2, 2]"}},
      {"SourceOutside",
       "sources:\n  - {at: [2, 0], ricker: {frequency: 1}}\n",
       {"w.yaml:6:5:", "outside the grid", "move it inside"}},
      {"SourceOnFixedEdge",
       "sources:\n  - {at: [0, 0.5], ricker: {frequency: 1}}\n",
       {"w.yaml:6:5:", "cannot move", "move it"}},
      {"SourceWithoutASignal",
       "sources:\n  - {at: [0.5, 0.5]}\n",
       {"w.yaml:6:5:", "has no signal", "add one of ricker"}},
      {"TwoSignals",
       "sources:\n  - {at: [0.5, 0.5], ricker: {frequency: 1}, sinusoid: {frequency: 1}}\n",
       {"w.yaml:6:", "ricker and sinusoid", "keep one"}},
      {"ReceiverOutside",
       "receivers: [{at: [0, 9]}]\n",
       {"w.yaml:5:13:", "outside the grid", "move it inside"}},
      {"TwoReceiversOfOneName",
       "receivers: [{name: a, at: [0, 0]}, {name: a, at: [1, 1]}]\n",
       {"w.yaml:5:", "named 'a'", "own name"}},
      {"NothingLeftByTheShape", "shape: {circle: {center: [9, 9], radius: 1}}\n", {"w.yaml:5:1:", "shape"}},
      {"PolygonOfTwoCorners",
       "shape: {polygon: [[0, 0], [1, 1]]}\n",
       {"w.yaml:5:1:", "2 corners", "at least 3"}},
      {"ExplicitBeyondItsLimit",
       "",
       {"w.yaml:4:1:", "explicit is unstable", "stable up to"},
       {"--set", "time.scheme=explicit", "--set", "time.courant=0.9"}},
      {"WeightsThatDoNotAddUp",
       "",
       {"w.yaml:4:1:", "add up to 1"},
       {"--set", "time.scheme=theta", "--set", "time.weights=[1, 1, 1]"}},
      {"ToleranceBelowThePrecision",
       "precision: single\n",
       {"--set solver:", "below what single precision", "loosen"},
       {"--set", "solver={tolerance: 1e-12}"}},
      {"PreconditionerThatIsNotTaken",
       "solver: {method: jacobi, preconditioner: jacobi}\n",
       {"w.yaml:5:1:", "takes no preconditioner", "preconditioner: none"}},
      {"RelaxationWithoutJacobi",
       "solver: {relaxation: 0.5}\n",
       {"w.yaml:5:1:", "'relaxation' is no option of method: cg", "remove it"}},
      {"TimeOutsideOfTheRun",
       "output: {fields: {times: [1000]}}\n",
       {"w.yaml:5:", "1000", "outside of the run"}},
      {"ImpedanceOfWater",
       "",
       {"shape:", "impedance is not defined for the height of water"},
       {"--set", "shape={circle: {center: [0.5, 0.5], radius: 0.4}, edge: {absorbing: {impedance: 2}}}",
        "--set", "medium={model: shallow-water, depth: 2}"}},
      {"SpeedBeyondNumbers",
       "",
       {"--set medium.speed:", "no number that can be computed with"},
       {"--set", "medium.speed=1e160"}},
      {"StepBelowNumbers", "", {"w.yaml:4:1:", "too small to compute with"}, {"--set", "time.step=1e-308"}},
      {"CellsBeyondNumbers",
       "",
       {"--set grid.cells.0:", "too large"},
       {"--set", "grid.cells=[9223372036854775807, 2]"}},
      {"RegionOutside", "output: {fields: {region: [5, 5, 6, 6]}}\n", {"w.yaml:5:10:", "region", "overlap"}},
      {"StrideTooLarge", "output: {fields: {stride: 50}}\n", {"w.yaml:5:10:", "stride", "smaller stride"}},
      {"ArrivalWithoutAThreshold",
       "output: {fields: {quantities: arrival-time}}\n",
       {"w.yaml:5:10:", "arrival-threshold", "add it"}},
      {"TableThatRunsBackwards",
       "edges: {left: {driven: {table: {file: back.csv}}}}\n",
       {"w.yaml:5:", "back.csv", "sort it"}},
      {"OutputBelowAFile", "", {"w.yaml", "output"}, {"--output", "w.yaml"}},
      {"OutputWhereNothingCanBeMade", "", {"/proc"}, {"--output", "/proc"}},
      {"NameThatIsNoFolder", "", {"w.yaml:1:1: 'name'", "'a/b'", "plain word"}, {"--set", "name=a/b"}},
      {"PathThroughAValue",
       "",
       {"--set time.steps.x:", "'time.steps' is a plain value", "set it as a whole"},
       {"--set", "time.steps.x=1"}},
      {"NoAssignment", "", {"--set time", "write --set key.path=value"}, {"--set", "time"}},
      {"OptionNotBuilt", "", {"--rewind", "see 'wavesim run --help'"}, {"--rewind", "a.vtkhdf"}},
      {"UnknownDevice", "", {"--device", "gpu", "see 'wavesim run --help'"}, {"--device", "gpu"}},
  };
  return all;
}

/// data.h5: /flat (4 x 4), /nan (the same with a NaN at [1, 2]) and /row (4).
void write_data(const std::filesystem::path& file) {
  const hid_t h5 = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  std::vector<double> values(16, 1.0);
  const auto put = [&](const char* name, int rank) {
    const hsize_t shape[2] = {4, 4};
    const hid_t space = H5Screate_simple(rank, shape, nullptr);
    const hid_t data = H5Dcreate2(h5, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(data);
    H5Sclose(space);
  };
  put("flat", 2);
  put("row", 1);
  values[1 * 4 + 2] = std::numeric_limits<double>::quiet_NaN();
  put("nan", 2);
  H5Fclose(h5);
}

void PrintTo(const Wrong& wrong, std::ostream* to) { *to << wrong.name; }

class WrongConfig : public testing::TestWithParam<Wrong> {};

TEST_P(WrongConfig, IsRefusedInOneSentenceAndLeavesNothingBehind) {
  const Wrong& wrong = GetParam();
  Workplace here;
  here.write("w.yaml", std::string(right) + wrong.config);
  here.write("back.csv", "1, 0\n0, 1\n");
  here.write("data.h5", "");
  write_data(here.folder() / "data.h5");
  std::vector<std::string> arguments{"w.yaml"};
  arguments.insert(arguments.end(), wrong.arguments.begin(), wrong.arguments.end());

  const Outcome outcome = here.run(arguments);
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.rfind("wavesim: ", 0), 0u) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  for (const char* words : wrong.says)
    EXPECT_NE(outcome.err.find(words), std::string::npos) << words << " is not in: " << outcome.err;
  EXPECT_EQ(here.left_behind(), std::vector<std::string>{});
  if (wrong.arguments.empty() || wrong.arguments[0] == "--set") {  // the dry run finds the same
    std::vector<std::string> dry = arguments;
    dry.push_back("--dry-run");
    EXPECT_EQ(here.run(dry).err, outcome.err);
    dry.push_back("--json");
    const Outcome json = here.run(dry);
    EXPECT_EQ(json.status, 2);
    EXPECT_EQ(json.err, outcome.err);
    const Tree t = load_tree(json.out, "json");
    EXPECT_EQ(word_of(t, "status"), "bad-input") << json.out;
    EXPECT_EQ(word_of(t, "exit-status"), "2") << json.out;
    EXPECT_EQ("wavesim: " + word_of(t, "sentence") + "\n", json.err) << json.out;
  }
}

INSTANTIATE_TEST_SUITE_P(All, WrongConfig, testing::ValuesIn(wrong_configs()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace wavesim
