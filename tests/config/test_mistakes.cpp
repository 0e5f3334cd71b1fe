// How the reader refuses what is wrong: the whole sentence, place and remedy included.

#include "sim/config/suggest.hpp"
#include "tests/config/configs.hpp"

namespace wavesim {
namespace {

struct Mistake {
  const char *text, *sentence;
};

TEST(Mistakes, AreEachToldInOneSentenceWithPlaceAndRemedy) {
  const Mistake mistakes[] = {
      {"solver:\n  tolerence: 1e-6\n",
       "small.yaml:6:3: unknown key 'tolerence' in solver; did you mean 'tolerance'?"},
      {"tolerance: 1e-6\n",
       "small.yaml:5:1: unknown key 'tolerance' at the top level; it is written as 'solver.tolerance'"},
      {"snapshots: {every: 3}\n",
       "small.yaml:5:1: unknown key 'snapshots' at the top level; its keys are name, device, precision, "
       "parameters, "
       "grid, shape, "
       "edges, medium, space, initial, sources, receivers, shots, time, solver, output, checkpoint and "
       "study"},
      {"solver: {method: gc}\n",
       "small.yaml:5:10: unknown value 'gc' for 'solver.method'; did you mean 'cg'?"},
      {"solver: {norm: energy}\n",
       "small.yaml:5:10: unknown value 'energy' for 'solver.norm'; it is one of increment, relative-2 and "
       "max"},
      {"precision: half\n",
       "small.yaml:5:1: unknown value 'half' for 'precision'; it is one of double, single and mixed"},
      {"solver: {method: refinement}\nprecision: mixed\n",
       "small.yaml:5:1: method: refinement holds a solve in single precision already; write precision: "
       "double"},
      {"solver: {method: fgmres, preconditioner: single}\nprecision: mixed\n",
       "small.yaml:5:1: preconditioner: single holds a solve in single precision already; write precision: "
       "double"},
      {"device: cpu\nsolver: {format: cusparse}\n",
       "small.yaml:6:1: format: cusparse takes products by cuSPARSE, which works on a GPU only; write "
       "device: "
       "cuda, or another format, as csr"},
      {"solver: {format: cusparse, method: jacobi}\n",
       "small.yaml:5:1: method: jacobi reads rows of the matrix, and this format has only products with it; "
       "write format: csr, or one of the methods cg, bicgstab, pipelined-cg, fcg, minres, bicg, qmr, cgs, "
       "tfqmr, gmres, fgmres, idr"},
      {"solver: {format: cusparse, preconditioner: ic0}\n",
       "small.yaml:5:1: preconditioner: ic0 reads rows of the matrix, and this format has only products with "
       "it; write format: csr, or one of the preconditioners none, multigrid, sine-transform, steps"},
      {"solver: {format: cusparse, preconditioner: {type: steps, method: jacobi}}\n",
       "small.yaml:5:1: preconditioner: steps of jacobi reads rows of the matrix, and this format has only "
       "products with it; write format: csr, or one of the preconditioners none, multigrid, sine-transform, "
       "steps"},
      {"solver: {format: cusparse, accurate: true}\n",
       "small.yaml:5:1: accurate: true reads rows of the matrix, and this format has only products with it; "
       "write format: csr, or accurate: false"},
      {"solver: {format: cusparse}\nprecision: mixed\n",
       "small.yaml:5:1: precision: mixed reads rows of the matrix, and this format has only products with "
       "it; "
       "write format: csr, or precision: double"},
      {"solver: {format: cusparse, on-failure: {fallback: [direct]}}\n",
       "small.yaml:5:1: method: direct reads rows of the matrix, and this format has only products with it; "
       "write format: csr, or one of the methods cg, bicgstab, pipelined-cg, fcg, minres, bicg, qmr, cgs, "
       "tfqmr, gmres, fgmres, idr"},
      {"solver: {tolerance: small}\n",
       "small.yaml:5:10: 'solver.tolerance' must be 'auto' or a number greater than 0 and not greater than "
       "0.5, but "
       "'small' is "
       "not a number"},
      {"solver: {tolerance: \"1e-6\"}\n",
       "small.yaml:5:10: 'solver.tolerance' must be 'auto' or a number greater than 0 and not greater than "
       "0.5, but "
       "'1e-6' is "
       "text; remove the quotes"},
      {"sources: [{at: [0.5, 0.5], ricker: {frequency: f/3}}]\n",
       "small.yaml:5:37: 'sources.0.ricker.frequency' must be a number in Hz greater than 0, but 'f/3' is "
       "not a number; "
       "formulas and parameters may stand where a field, a shape or a signal is an expression"},
      {"sources: [{at: [3*t, 0.5], ricker: {frequency: 3}}]\n",
       "small.yaml:5:12: 'sources.0.at' is a place that rests; one that moves is written {x: \"3*t\", y: "
       "\"0.5\"}"},
      {"sources: [{at: [0,5, 0,5], ricker: {frequency: 3}}]\n",
       "small.yaml:5:12: 'sources.0.at' must be a list of 2 numbers in m, [a, b], not of 4; numbers have a "
       "decimal point, "
       "not a comma"},
      {"output: {pictures: off}\n",
       "small.yaml:5:10: 'output.pictures' is a section, or 'none'; write none for off"},
      {"solver: {max-iterations: 010}\n",
       "small.yaml:5:10: 'solver.max-iterations' must be a whole number not less than 1 and not greater than "
       "1e+09, but "
       "'010' is octal to some readers of YAML and decimal to others; write it without leading zeros"},
      {"solver: {max-iterations: 1.5}\n",
       "small.yaml:5:10: 'solver.max-iterations' must be a whole number not less than 1 and not greater than "
       "1e+09, but "
       "'1.5' is not whole"},
      {"solver: {tolerance: .inf}\n",
       "small.yaml:5:10: 'solver.tolerance' must be 'auto' or a number greater than 0 and not greater than "
       "0.5, but "
       "'.inf' is not "
       "finite"},
      {"initial: {displacement: .nan}\n",
       "small.yaml:5:11: 'initial.displacement' must be a number, but '.nan' is not finite"},
      {"solver: {tolerance: 0,1}\n",
       "small.yaml:5:23: a comma ends the value of 'tolerance'; write the decimal point: tolerance: 0.1"},
      {"initial: 5\n",
       "small.yaml:5:1: 'initial' must be a section of keys (displacement and velocity), not '5'"},
      {"solver:\n", "small.yaml:5:1: 'solver' has no value; write '{}' for its defaults, or remove it"},
      {"solver: {method: cg, method: cg}\n",
       "small.yaml:5:22: the key 'method' is written twice, first in line 5; remove one of them"},
      {"output: {fields: {layers: yes}}\n",
       "small.yaml:5:19: 'output.fields.layers' must be true or false, but 'yes' is neither"},
      {"output: {fields: {region: [0, 0, 1]}}\n",
       "small.yaml:5:19: 'output.fields.region' must be a list of 4 numbers in m, [a, b, c, d], not of 3"},
      {"output: {fields: {region: [1, 0, 0, 1]}}\n",
       "small.yaml:5:10: 'region' is turned inside out; write the lower left corner first, [x0, y0, x1, y1]"},
      {"output: {fields: {every: 2, interval: 0.1}}\n",
       "small.yaml:5:10: only one of 'every', 'interval' and 'times' can hold in 'output.fields'; keep one"},
      {"output: {fields: {arrival-threshold: 1}}\n",
       "small.yaml:5:10: 'arrival-threshold' belongs to the quantity arrival-time; add that to 'quantities', "
       "or remove "
       "it"},
      {"output: {fields: {quantities: [velocity, velocity]}}\n",
       "small.yaml:5:42: 'output.fields.quantities' lists 'velocity' twice; remove one of them"},
      {"output: {fields: {quantities: speed}}\n",
       "small.yaml:5:10: 'quantities' names only speed, which does not change; add displacement or another "
       "one"},
      {"solver: {relaxation: 0.5}\n",
       "small.yaml:5:1: 'relaxation' is no option of method: cg; remove it, or choose one of jacobi, sor, "
       "ssor"},
      {"edges: fixd\n", "small.yaml:5:1: unknown edge 'fixd' in edges; did you mean 'fixed'?"},
      {"edges: driven\n", "small.yaml:5:1: the edge 'driven' needs more than its name; write {driven: ...}"},
      {"edges: {left: {free: {}}}\n",
       "small.yaml:5:16: the edge 'free' has no keys; write the bare word free"},
      {"edges: {absorbing: {plm: {}}}\n",
       "small.yaml:5:21: unknown key 'plm' in edges.absorbing; did you mean 'pml'?"},
      {"edges: {absorbing: {radiation: {}}, left: free}\n",
       "small.yaml:5:1: 'edges' is either one kind for all sides or left, right, bottom and top; remove one "
       "of the two"},
      {"shape: {circel: {center: [0, 0], radius: 1}, edge: free}\n",
       "small.yaml:5:9: unknown shape 'circel' in shape; did you mean 'circle'?"},
      {"shape: {circle: {center: [0, 0]}}\n",
       "small.yaml:5:9: 'radius' is missing in shape.circle; add 'radius: ...' (in m)"},
      {"shape: {circle: {center: [0, 0], radius: 1}, image: a.png}\n",
       "small.yaml:5:46: several kinds of shape are given at once: circle and image; keep one of them"},
      {"initial: {displacement: {gaussian: {center: [0, 0], width: 1}, amplitude: 2}}\n",
       "small.yaml:5:64: unknown key 'amplitude' beside 'gaussian' in initial.displacement; the keys of "
       "'gaussian' stand "
       "below it"},
      {"initial: {displacement: {gaussian: {center: [0, 0], width: -1}}}\n",
       "small.yaml:5:53: 'initial.displacement.gaussian.width' must be a number in m greater than 0, but "
       "'-1' is too "
       "small"},
      {"initial: {displacement: []}\n",
       "small.yaml:5:11: 'initial.displacement' is an empty list; remove it or list at least one field"},
      {"sources: {at: [0, 0]}\n",
       "small.yaml:5:1: 'sources' must be a list of sections, each beginning with '- ', not a section of "
       "keys"},
      {"sources:\n  - at: [0, 0]\n",
       "small.yaml:6:5: 'sources.0' has no signal; add one of ricker, sinusoid, gaussian-pulse, expression "
       "and table"},
      {"sources:\n  - at: [0, 0]\n    rikcer: {frequency: 1}\n",
       "small.yaml:7:5: unknown key 'rikcer' in sources.0; did you mean 'ricker'?"},
      {"sources:\n  - ricker: {frequency: 1}\n",
       "small.yaml:6:5: the source 'sources.0' needs either 'at' (a point) or 'area' (a field); add one"},
      {"receivers: [{from: [0, 0]}]\n",
       "small.yaml:5:13: a line of receivers needs both 'from' and 'to'; add 'to'"},
      {"receivers: [{at: [0, 0], from: [0, 0], to: [1, 1]}]\n",
       "small.yaml:5:13: a receiver is either 'at' a point or a line 'from' ... 'to'; remove one"},
      {"shots: [{at: [0, 0]}]\n",
       "small.yaml:5:9: 'shots' are places of the only source, and there are 0; name one in 'sources'"},
      {"sources: [{at: {x: t, y: 1}, ricker: {frequency: 1}}]\nshots: [{at: [0, 0]}]\n",
       "small.yaml:5:11: 'shots' are places of a point source that rests, and 'sources.0' is none; give it "
       "'at: [x, "
       "y]', or remove 'shots'"},
      {"sources: [{area: 1, ricker: {frequency: 1}}]\nshots: [{at: [0, 0]}]\n",
       "small.yaml:5:11: 'shots' are places of a point source that rests, and 'sources.0' is none; give it "
       "'at: [x, "
       "y]', or remove 'shots'"},
      {"sources: [{at: [0, 0], ricker: {frequency: 1}}]\nshots: [{from: [0, 0], to: [1, 1]}]\n",
       "small.yaml:6:9: 'shots.0' is a line, but 'count' is 1; a line has at least 2 points, its ends "
       "included"},
      {"sources: [{at: [0, 0], ricker: {frequency: 1}}]\nshots: [{at: [0, 0], count: 3}]\n",
       "small.yaml:6:9: 'shots.0' is a point, but 'count' is 3; leave it out or give 'from' and 'to'"},
      {"shots: {at: [0, 0]}\n",
       "small.yaml:5:1: 'shots' must be a list of sections, each beginning with '- ', not a section of keys"},
      {"solver: [\n",
       "small.yaml:6:1: this is not valid YAML (end of sequence flow not found); check the indentation, "
       "colons and "
       "brackets here, and put formulas in quotes"},
      {"initial:\n  velocity: x < 1 ? 2 : 3\n",
       "small.yaml:6:23: this is not valid YAML (illegal map value); check the indentation, colons and "
       "brackets "
       "here, and put formulas in quotes"},
      {"device: !gpu cuda\n", "small.yaml:5:1: the tag '!gpu' means nothing here; remove it"},
      {"---\nname: b\n",
       "small.yaml:5:1: a second YAML document begins here; remove the line '---', or the comma at the "
       "beginning of a line"},
  };
  for (const Mistake& m : mistakes) EXPECT_EQ(refusal_of(m.text), m.sentence) << m.text;
}

TEST(Mistakes, ThatYamlCppWouldReadForEverAreToldAtOnce) {
  for (const char* text : {", a: 1\n", "- a\n,\n", "a: 1\n,\n", ",", ",,,,"})
    EXPECT_EQ(refusal(text).substr(0, 11), "small.yaml:") << text;
  EXPECT_NE(refusal(small_config + std::string("# ") + std::string(9 << 20, 'x') + "\n").find("8 MB"),
            std::string::npos);
}

TEST(Mistakes, InRequiredSectionsAreToldAtTheSection) {
  EXPECT_EQ(
      refusal("grid: {size: [1, 1], cells: [4, 4]}\nmedium: {speed: 1}\n"),
      "small.yaml:1:1: 'time' is missing at the top level; add 'time: ...' (scheme, time step and end)");
  EXPECT_EQ(refusal("medium: {speed: 1}\ngrid:\n  size: [1, 1]\ntime: {end: 1}\n"),
            "small.yaml:2:1: 'cells' is missing in grid; add 'cells: ...' (along x and y; the spacing is "
            "size / cells)");
  EXPECT_EQ(refusal(""), "small.yaml:1:1: the config is empty; it needs at least grid, medium and time");
  EXPECT_EQ(refusal("- a\n"),
            "small.yaml:1:1: the config does not begin with keys; write 'grid: ...' and so on");
}

TEST(Mistakes, OfTheTimeStepNameBothKeys) {
  EXPECT_EQ(refusal_of("", {"time.steps=3"}),
            "small.yaml:4:1: 'end' and 'steps' both say when to stop; remove one of them");
  EXPECT_EQ(refusal_of("", {"time={courant: 1, step: 1, end: 1}"}),
            "--set time: 'courant' and 'step' both fix the time step; remove one of them");
  EXPECT_EQ(refusal_of("", {"time={courant: 1}"}),
            "--set time: 'time' does not say when to stop; add 'end: seconds' or 'steps: count'");
}

TEST(Mistakes, OnTheCommandLineNameTheAssignment) {
  EXPECT_EQ(refusal_of("", {"solver.tolerence=1"}),
            "--set solver.tolerence: unknown key 'tolerence' in solver; did you mean 'tolerance'?");
  EXPECT_EQ(refusal_of("", {"medium.speed=x < 1 ? 2 : 3"}),
            "--set medium.speed.x < 1 ? 2: 'x < 1 ? 2: ...' is a key and its value to YAML; put a formula in "
            "quotes");
  EXPECT_EQ(refusal_of("", {"grid"}), "--set grid: this is no assignment; write --set key.path=value");
  EXPECT_EQ(refusal_of("", {"grid..cells=1"}),
            "--set grid..cells: the path has an empty part; write --set key.path=value");
  EXPECT_EQ(refusal_of("", {"name.x=1"}),
            "--set name.x: 'name' is a plain value without keys of its own; set it as a whole: --set "
            "'name={x: ...}'");
  EXPECT_EQ(refusal_of("receivers: [{at: [0, 0]}]\n", {"receivers.1.at=[0, 1]"}),
            "--set receivers.1.at: 'receivers' is a list of 1, and '1' is not one of its items, which are "
            "counted from "
            "0");
  EXPECT_EQ(refusal_of("", {"grid.cells=[1"}),
            "--set grid.cells: the value is not valid YAML (end of sequence flow not found); put the whole "
            "assignment in "
            "quotes");
}

TEST(Mistakes, OfAMisspelledKeyComeBeforeTheKeyItWasMeantFor) {
  EXPECT_EQ(refusal_of("shape: {circle: {centre: [0, 0], radius: 1}}\n"),
            "small.yaml:5:18: unknown key 'centre' in shape.circle; did you mean 'center'?");
}

TEST(Suggestion, IsTheNearestNameIfItIsNear) {
  EXPECT_EQ(nearest("tolerence", {"norm", "tolerance"}), "tolerance");
  EXPECT_EQ(nearest("max_iterations", {"max-iterations"}), "max-iterations");
  EXPECT_EQ(nearest("Speed", {"speed"}), "speed");
  EXPECT_EQ(nearest("zebra", {"speed", "depth"}), "");
  EXPECT_EQ(edit_distance("gc", "cg"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(enumerate({"a"}), "a");
  EXPECT_EQ(enumerate({"a", "b", "c"}), "a, b and c");
}

TEST(Mistakes, ACommaForADecimalPointIsNamed) {
  EXPECT_EQ(refusal_of("", {"time.end=0,1"}),
            "--set time.end: 'time.end' must be a number in s greater than 0, but '0,1' is written with a "
            "comma; write "
            "the decimal point, 0.1");
  EXPECT_NE(refusal_of("solver:\n  tolerance: 0,25\n").find("write the decimal point, 0.25"),
            std::string::npos);
}

TEST(Reader, TakesNoneForASectionThatIsLeftOut) {
  const std::string pictures = "output: {pictures: {every: 2}}\n";
  EXPECT_TRUE(with(pictures).output.pictures);
  EXPECT_FALSE(with(pictures, {"output.pictures=none"}).output.pictures);
  EXPECT_FALSE(with("study: none\n").study);
  EXPECT_NE(refusal_of("output: {fields: none}\n").find("must be a section of keys"), std::string::npos);
}

}  // namespace
}  // namespace wavesim
