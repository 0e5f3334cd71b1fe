#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

/// cos(omega dt) of a recurrence a(n+1) + a(n-1) = 2 cos(omega dt) a(n), by least squares, and the frequency
/// of the semi-discrete system behind it: Crank-Nicolson turns omega into (2 / dt) atan(omega dt / 2).
double frequency(const std::vector<double>& a, double dt) {
  double ab = 0, aa = 0;
  for (std::size_t n = 1; n + 1 < a.size(); ++n) {
    ab += a[n] * (a[n + 1] + a[n - 1]);
    aa += 2 * a[n] * a[n];
  }
  const double turned = std::acos(ab / aa) / dt;
  return 2 / dt * std::tan(turned * dt / 2);
}

double drum_frequency(int order, double zero, int radius) {
  const double R = 1;
  const long n = 2 * radius + 4;  // cells of R / radius; the rim lies inside
  Running run(
      with("{grid: {size: [%.17g, %.17g], cells: [%ld, %ld], origin: [%.17g, %.17g]}, "
           "shape: {circle: {center: [0, 0], radius: 1}, edge: fixed}, time: {courant: 2, steps: 160}, "
           "initial: {displacement: 0}, solver: {tolerance: 1e-9}}",
           double(n) * R / radius, double(n) * R / radius, n, n, -double(n) * R / radius / 2,
           -double(n) * R / radius / 2));
  // The mode itself, as initial state: Bessel functions are beyond the expression parser.
  const auto mode = run.on_nodes([&](double x, double y) {
    const double r = std::hypot(x, y), angle = std::atan2(y, x);
    return r >= R ? 0 : std::cyl_bessel_j(double(order), zero * r / R) * std::cos(order * angle);
  });
  run.model.displacement.values.assign(mode.begin(), mode.end());
  StepperSetup setup{run.model, run.scheme, run.plan, {}};
  setup.solver.tolerance = 1e-9;
  run.stepper = make_host_stepper(false, setup);
  std::vector<double> amplitude;
  for (long k = 0; k < run.plan.steps; ++k) {
    const auto u = run.field();
    double sum = 0;
    for (std::size_t i = 0; i < u.size(); ++i) sum += u[i] * mode[i];
    amplitude.push_back(sum);
    run.step();
  }
  return frequency(amplitude, run.plan.dt);
}

TEST(CircularDrum, SoundsItsFirstFiveModesAtTheZerosOfBesselFunctions) {
  struct Mode {
    int order;
    double zero;
  };
  for (const Mode& m : {Mode{0, 2.404825557695773}, Mode{1, 3.831705970207512}, Mode{2, 5.135622301840683},
                        Mode{0, 5.520078110286311}, Mode{3, 6.380161895923984}}) {
    const double coarse = std::abs(drum_frequency(m.order, m.zero, 25) / m.zero - 1);
    const double fine = std::abs(drum_frequency(m.order, m.zero, 50) / m.zero - 1);
    const double finer = std::abs(drum_frequency(m.order, m.zero, 100) / m.zero - 1);
    EXPECT_LT(fine, 0.006) << "J" << m.order;
    EXPECT_LT(finer, coarse / 12) << "J" << m.order << " " << coarse << " " << fine << " " << finer;
  }
}

/// A pulse that travels to the right in a strip, described along the strip: u(x) after `end`.
Running strip(const std::string& medium, const std::string& right, double end, double speed_left,
              int n = 1200) {
  Running run(
      with("{grid: {size: [3, %.17g], cells: [%d, 3]}, edges: {left: free, right: %s, bottom: periodic, top: "
           "periodic}, medium: %s, "
           "initial: {displacement: \"exp(-(x-1)^2/0.005)\", velocity: "
           "\"%.17g*2*(x-1)/0.005*exp(-(x-1)^2/0.005)\"}, "
           "time: {courant: 0.7, end: %.17g}, solver: {tolerance: 1e-8}}",
           9.0 / n, n, right.c_str(), medium.c_str(), speed_left, end));
  run.finish();
  return run;
}
double extreme(const Running& run, double from, double to) {
  const auto u = run.field();
  double e = 0;
  for (long ix = 0; ix < run.model.grid.nodes(0); ++ix) {
    const double x = run.model.grid.x(ix), v = u[run.model.grid.index(ix, 0)];
    if (x >= from && x <= to && std::abs(v) > std::abs(e)) e = v;
  }
  return e;
}

TEST(Interface, OfAMembraneReflectsAndTransmitsByTheImpedances) {
  // rho = 1, c = 1 | 2: impedance rho c = 1 | 2; r = (1 - 2) / (1 + 2), t = 1 + r
  const Running run = strip("{speed: \"x < 1.7 ? 1 : 2\"}", "free", 1.2, 1);
  EXPECT_NEAR(extreme(run, 0.9, 1.6), -1.0 / 3, 0.01);
  EXPECT_NEAR(extreme(run, 1.75, 3), 2.0 / 3, 0.015);
}

TEST(Interface, OfAcousticMediaReflectsAndTransmitsByTheImpedances) {
  // pressure: Z = rho c = 1 * 1 | 1.5 * 2 = 3; r = (3 - 1) / (3 + 1), t = 1 + r
  const Running run =
      strip("{model: acoustic, speed: \"x < 1.7 ? 1 : 2\", density: \"x < 1.7 ? 1 : 1.5\"}", "free", 1.2, 1);
  EXPECT_NEAR(extreme(run, 0.9, 1.6), 0.5, 0.01);
  EXPECT_NEAR(extreme(run, 1.75, 3), 1.5, 0.02);
}

TEST(Edge, AFreeOneReflectsWithTheSameSignAndAFixedOneWithTheOpposite) {
  EXPECT_NEAR(extreme(strip("{speed: 1}", "free", 3, 1), 1, 3), 1, 0.02);
  EXPECT_NEAR(extreme(strip("{speed: 1}", "fixed", 3, 1), 1, 3), -1, 0.02);
}

TEST(Edge, ACoastOfAShapeReflectsWithTheSignOfAFreeEdge) {
  for (auto [rim, sign] : {std::pair{"free", 1.0}, {"fixed", -1.0}}) {
    Running run(with(
        "{grid: {size: [3, 0.01], cells: [900, 3]}, edges: {left: free, right: fixed, bottom: periodic, top: "
        "periodic}, "
        "shape: {not: {rectangles: [[2.5, -1, 4, 1]]}, edge: %s}, medium: {speed: 1}, "
        "initial: {displacement: \"exp(-(x-1)^2/0.005)\", velocity: \"2*(x-1)/0.005*exp(-(x-1)^2/0.005)\"}, "
        "time: {courant: 0.7, end: 2.2}, solver: {tolerance: 1e-8}}",
        rim));
    run.finish();
    EXPECT_NEAR(extreme(run, 0.5, 2.5), sign, 0.03) << rim;
  }
}

TEST(Absorbing, RadiationAndSpongeReflectLessThanOnePercentOfTheEnergy) {
  for (const char* edge :
       {"{absorbing: {radiation: {}}}", "{absorbing: {radiation: {}, sponge: {thickness: 0.5}}}"}) {
    Running run(with(
        "{grid: {size: [3, 0.03], cells: [600, 6]}, edges: {left: fixed, right: %s, bottom: periodic, top: "
        "periodic}, medium: {speed: 1}, "
        "initial: {displacement: \"exp(-(x-1)^2/0.005)\", velocity: \"2*(x-1)/0.005*exp(-(x-1)^2/0.005)\"}, "
        "time: {courant: 1, end: 3.2}, solver: {tolerance: 1e-8}}",
        edge));
    const double before = run.stepper->energy();
    run.finish();
    EXPECT_LT(run.stepper->energy(), 0.01 * before) << edge;
    EXPECT_GE(run.stepper->energy(), 0) << edge;
  }
}

TEST(Absorbing, AnIncomingWaveEntersWithItsOwnAmplitude) {
  Running run(
      "{grid: {size: [2, 0.02], cells: [400, 4]}, edges: {left: {absorbing: {radiation: {incoming: "
      "{gaussian-pulse: {width: 0.08, amplitude: 0.7, delay: 0.4}}}}}, "
      "right: {absorbing: {radiation: {}}}, bottom: periodic, top: periodic}, time: {courant: 1, end: 1.4}, "
      "solver: {tolerance: 1e-8}}");
  run.finish();
  EXPECT_NEAR(extreme(run, 0.5, 1.5), 0.7, 0.01);
}

TEST(Driven, EdgeShowsItsSignalAndSendsItOut) {
  Running run(
      "{grid: {size: [2, 0.02], cells: [400, 4]}, edges: {left: {driven: {gaussian-pulse: {width: 0.08, "
      "amplitude: 0.7, delay: 0.4}}}, "
      "right: fixed, bottom: periodic, top: periodic}, time: {courant: 1, steps: 200}, solver: {tolerance: "
      "1e-8}}");
  while (run.time() < 0.4 - 0.5 * run.plan.dt) run.step();
  EXPECT_NEAR(run.field()[run.model.grid.index(0, 1)], 0.7, 0.01);
  while (run.time() < 1.4) run.step();
  EXPECT_NEAR(extreme(run, 0.5, 1.5), 0.7, 0.01);
}

// Guards against the step that converges without moving: relative to ||b|| the start of a solve would already
// pass.
TEST(Pulse, OverFourThousandCellsAtALooseToleranceArrivesWhereItShould) {
  Running run(
      "{grid: {size: [4000, 4], cells: [4000, 4]}, edges: {left: fixed, right: fixed, bottom: periodic, top: "
      "periodic}, "
      "initial: {displacement: \"exp(-((x-400)/60)^2)\", velocity: \"2*(x-400)/60^2*exp(-((x-400)/60)^2)\"}, "
      "time: {courant: 1, end: 3000}, solver: {tolerance: 1e-4}}");
  run.finish();
  const auto u = run.field();
  long peak = 0;
  for (long ix = 0; ix <= 4000; ++ix)
    if (u[run.model.grid.index(ix, 1)] > u[run.model.grid.index(peak, 1)]) peak = ix;
  EXPECT_NEAR(double(peak), 3400, 6);
  EXPECT_NEAR(u[run.model.grid.index(peak, 1)], 1, 0.03);
}

}  // namespace
}  // namespace wavesim::test
