// The effective config means what the config meant.

#include <regex>

#include "tests/config/configs.hpp"

namespace wavesim {
namespace {

/// Every kind of every family, every section, and numbers that occur once each.
const char* const everything = R"yaml(
name: everything
device: cpu
precision: single
grid: {size: [1.125, 2.25], cells: [31, 32], origin: [-0.75, 0.375]}
shape:
  - {circle: {center: [0.01, 0.02], radius: 0.03}, edge: free}
  - {ellipse: {center: [0.04, 0.05], radii: [0.06, 0.07], angle: 8}}
  - {polygon: [[0.08, 0.09], [0.11, 0.12], [0.13, 0.14]]}
  - {rectangles: [[0.15, 0.16, 0.17, 0.18]]}
  - {expression: "y - 0.19 * sin(x)"}
  - {file: mask.h5, dataset: /mask, flip: y, spacing: [0.21, 0.22], origin: [0.23, 0.24], threshold: 0.25}
  - {image: mask.png, threshold: 0.26}
  - {not: {circle: {center: [0.27, 0.28], radius: 0.29}}, edge: free}
edges:
  left: {absorbing: {radiation: {incoming: {sinusoid: {frequency: 31.5, amplitude: 32.5, phase: 33.5, ramp: 34.5}}}}}
  right: {absorbing: {sponge: {thickness: "35 cells", strength: 36.5}}}
  bottom: {driven: {gaussian-pulse: {width: 37.5, amplitude: 38.5, delay: 39.5}}}
  top: {absorbing: {pml: {thickness: "40 cells", reflection: 0.405}}}
medium:
  model: acoustic
  speed: {layers: [{from: 41.5, value: 42.5}, {from: 43.5, value: 44.5}], axis: x, direction: down}
  density: {file: rho.h5, dataset: /rho, scale: 45.5, offset: 46.5}
  damping: {image: eta.png, range: [47.5, 48.5]}
initial:
  displacement:
    - {gaussian: {center: [0.51, 0.52], width: 0.53, amplitude: 0.54}}
    - {ring: {center: [0.55, 0.56], radius: 0.57, width: 0.58, amplitude: 0.59}}
    - {mode: {m: 61, n: 62, amplitude: 0.63, edges: free}}
    - packet: {center: [0.64, 0.65], wavelength: 0.66, direction: [0.67, 0.68], width: [0.69, 0.71],
               amplitude: 0.72, phase: 0.73}
    - "x * 0.74"
  velocity: 0.75
sources:
  - {name: a, at: [0.76, 0.77], ricker: {frequency: 78.5, amplitude: 79.5, delay: 0.81}}
  - {name: b, area: {gaussian: {center: [0.82, 0.83], width: 0.84}}, expression: "sin(85 * t)"}
  - {name: c, at: [0.86, 0.87], table: {file: t.csv, dataset: d, outside: edge, scale: 0.88}}
receivers:
  - {name: p, at: [0.89, 0.91]}
  - {name: q, from: [0.92, 0.93], to: [0.94, 0.95], count: 96}
time: {scheme: theta, weights: [0.3125, 0.375, 0.3125], step: 0.0097, steps: 98, wall-limit: 981min}
solver: {method: jacobi, format: csr, preconditioner: none, tolerance: 0.00099, norm: max, max-iterations: 101,
         guess: extrapolate, guess-degree: 2, assembly: once, on-failure: continue, energy: exact, accurate: true, relaxation: 0.66667}
output:
  directory: elsewhere
  buffer: 103
  fields: {times: [0.104, 0.105], formats: [vti], quantities: [velocity, arrival-time], precision: double,
           compression: 7, stride: 107, region: [0.108, 0.109, 0.111, 0.112], layers: true, arrival-threshold: 0.113}
  pictures: {every: 114, quantity: velocity, colours: grey, marks: false, medium: false, width: 115, y: down, range: 0.116,
             clip: 0.1165,
             shading: {strength: 0.1161, relief: 0.1162, azimuth: 116.3, altitude: 11.64}}
  receivers: {interval: 0.117, formats: [csv]}
  history: {every: 118}
  energy: {interval: 0.119}
checkpoint: {every: 1191, wall: 1192s, keep: 193}
study:
  at: [121, 122]
  repetitions: 123
  warm-up: 124
  reference-tolerance: 1.25e-07
  sweep: {courant: [12.625, 12.75], cells: [128, 129]}
  candidates:
    - all
    - {method: gmres, name: long, format: csr, precision: single, preconditioner: {type: block-jacobi, block: 13},
       tolerance: 0.000131, norm: relative-2, max-iterations: 132, guess: projection, guess-solutions: 3,
       accurate: false, restart: 134}
    - {methods: [cg, bicgstab], formats: [dia, csr], preconditioners: [none, jacobi], tolerances: [0.0135, 0.0136],
       precisions: [double, mixed], guesses: [previous, extrapolate]}
)yaml";

TEST(EffectiveConfig, ReadsBackAsItself) {
  Config config = parse_config(everything, "everything.yaml", "/data");
  const std::string once = dump_config(config);
  Config again = parse_config(once, "dump.yaml", "/somewhere/else");
  EXPECT_EQ(dump_config(again), once);
}

TEST(EffectiveConfig, HoldsEveryNumberAndWordThatWasGiven) {
  Config config = parse_config(everything, "everything.yaml", "/data");
  const std::string text = everything, dump = dump_config(config);
  const std::regex word("[A-Za-z0-9./-]+");
  std::set<std::string> held;
  for (std::sregex_iterator i(dump.begin(), dump.end(), word), end; i != end; ++i) held.insert(i->str());
  for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i) {
    const std::string w = i->str();
    const bool file =
        w.find(".h5") != std::string::npos || w.find(".png") != std::string::npos || w == "t.csv";
    EXPECT_TRUE(held.count(file ? "/data/" + w : w)) << w << " is lost";
  }
}

TEST(EffectiveConfig, HoldsEveryKindOfEveryFamily) {
  Config config = parse_config(everything, "everything.yaml");
  const std::string dump = dump_config(config);
  const auto check = [&](const auto& all) {
    for (const auto& kind : all)
      if (kind.form == Form::nested || kind.form == Form::flat) {
        EXPECT_NE(dump.find(std::string(kind.name).append(":")), std::string::npos)
            << kind.name << " is not tried here";
      }
  };
  check(kinds<Field2>());
  check(kinds<Signal>());
  check(kinds<Shape>());
  check(kinds<Edge>());
  check(kinds<Candidates>());
}

TEST(EffectiveConfig, FillsInDefaults) {
  const std::string dump = dumped(with(""));
  for (const char* line :
       {"scheme: crank-nicolson", "method: cg", "tolerance: 1e-06", "device: auto", "model: membrane"})
    EXPECT_NE(dump.find(line), std::string::npos) << dump;
  EXPECT_EQ(dump.find("pictures"), std::string::npos);
}

TEST(EffectiveConfig, KeepsWhatYamlWouldTakeForSomethingElse) {
  for (const char* name : {"no", "null", "1e3", "true", "a b", "010", "~", "-"}) {
    const Config config = with("", {"name='" + std::string(name) + "'"});
    EXPECT_EQ(parse_config(dumped(config), "dump.yaml").name, name);
  }
}

TEST(EffectiveConfig, KeepsNumbersToTheBit) {
  const Config config =
      with("", {"time.end=0.1234567890123456789", "solver.tolerance=3.0000000000000001e-7"});
  const Config again = parse_config(dumped(config), "dump.yaml");
  EXPECT_EQ(again.time.end, config.time.end);
  EXPECT_EQ(again.solver.tolerance, config.solver.tolerance);
}

}  // namespace
}  // namespace wavesim
