// Modes of membranes: against discrete eigenvalues, zeros of Bessel functions, and steps in time.

#include <omp.h>

#include <cmath>
#include <numbers>

#include "sim/modes/membrane_modes.hpp"
#include "sim/run/choose_device.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

constexpr double pi = std::numbers::pi;

MembraneModes modes_of(const std::string& yaml, int count, const std::string& preconditioner = "multigrid",
                       int block = 0, const std::string& device = "cpu", double tolerance = 1e-8) {
  const Config c = config(yaml);
  const Model m = build_model(c);
  require_modes(c, m);
  const Scheme scheme = make_scheme(c.time, c.space.order);
  Window all;
  all.count = {m.grid.nodes(0), m.grid.nodes(1)};
  ModesSetup setup{m, scheme, {}, {preconditioner, {}}, c.solver.format, all};
  setup.options.count = count;
  setup.options.block = block ? block : usual_block(count, unknown_count(m));
  setup.options.tolerance = tolerance;
  setup.options.most_iterations = 1000;
  MembraneModes found = modes_on(choose_device(device), setup);
  EXPECT_EQ(found.pairs.status, Status::converged) << yaml << " " << preconditioner;
  return found;
}

/// 4 / h^2 sin^2 of half a phase
double of_axis(double phase, double h) { return 4 / (h * h) * std::pow(std::sin(phase / 2), 2); }

void expect_frequencies(const MembraneModes& found, std::vector<double> squares, const std::string& what) {
  std::sort(squares.begin(), squares.end());
  ASSERT_GE(squares.size(), found.frequencies.size());
  const double scale = squares[found.frequencies.size() - 1];
  for (std::size_t k = 0; k < found.frequencies.size(); ++k) {
    EXPECT_NEAR(found.pairs.value[k], squares[k], 1e-10 * scale) << what << ", mode " << k + 1;
    EXPECT_NEAR(found.frequencies[k], std::sqrt(found.pairs.value[k]) / (2 * pi),
                1e-12 * found.frequencies[k]);
  }
}

TEST(Modes, OfARectangleAreTheDiscreteOnes) {
  std::vector<double> squares;
  for (int i = 1; i < 8; ++i)
    for (int j = 1; j < 8; ++j)
      squares.push_back(9 * (of_axis(pi * i / 40, 2.0 / 40) + of_axis(pi * j / 30, 1.0 / 30)));
  for (const std::string& device : devices())
    expect_frequencies(
        modes_of("{grid: {size: [2, 1], cells: [40, 30]}, medium: {speed: 3}}", 9, "multigrid", 0, device),
        squares, device);
}

TEST(Modes, OfASquareAreThereAsOftenAsTheyAre) {
  std::vector<double> squares;
  for (int i = 1; i < 8; ++i)
    for (int j = 1; j < 8; ++j)
      squares.push_back(of_axis(pi * i / 32, 1.0 / 32) + of_axis(pi * j / 32, 1.0 / 32));
  for (int block : {6, 8, 11})
    expect_frequencies(modes_of("{grid: {size: [1, 1], cells: [32, 32]}}", 6, "multigrid", block), squares,
                       std::to_string(block));
}

TEST(Modes, OfAStripAreThoseOfAString) {
  std::vector<double> squares;  // fixed on the left, free on the right: quarter waves
  for (int i = 0; i < 4; ++i) squares.push_back(of_axis(pi * (2 * i + 1) / 2 / 60, 1.0 / 60));
  expect_frequencies(modes_of("{grid: {size: [1, 0.1], cells: [60, 6]}, edges: {left: fixed, right: free, "
                              "bottom: free, top: free}}",
                              4),
                     squares, "strip");
}

TEST(Modes, OfPeriodicAndFreeDomainsBeginWithTheConstantOne) {
  std::vector<double> periodic, free;
  for (int i = -3; i <= 3; ++i)
    for (int j = -3; j <= 3; ++j)
      periodic.push_back(of_axis(2 * pi * i / 24, 1.0 / 24) + of_axis(2 * pi * j / 20, 1.0 / 20));
  for (int i = 0; i <= 4; ++i)
    for (int j = 0; j <= 4; ++j)
      free.push_back(of_axis(pi * i / 24, 1.0 / 24) + of_axis(pi * j / 20, 1.0 / 20));
  const auto expect_constant = [](const MembraneModes& found) {
    EXPECT_EQ(found.frequencies[0], 0);
    for (double v : found.shapes[0]) EXPECT_NEAR(v, 1, 1e-6);
  };
  for (const char* preconditioner : {"multigrid", "jacobi", "none", "direct"}) {
    const MembraneModes p = modes_of("{grid: {size: [1, 1], cells: [24, 20]}, edges: periodic}", 7,
                                     preconditioner),
                        f = modes_of("{grid: {size: [1, 1], cells: [24, 20]}, edges: free}", 5,
                                     preconditioner);
    expect_frequencies(p, periodic, preconditioner);
    expect_frequencies(f, free, preconditioner);
    expect_constant(p);
    expect_constant(f);
  }
}

/// Relative errors of the first frequencies of a drum of radius 1 with so many cells to it.
std::vector<double> errors_of_drum(int cells_to_radius, int order) {
  const double h = 1.0 / cells_to_radius;
  const int n = 2 * cells_to_radius + 6;
  const MembraneModes found = modes_of(
      with("{grid: {size: [%.17g, %.17g], cells: [%d, %d], origin: [%.17g, %.17g]}, space: {order: %d}, "
           "shape: {circle: {center: [0, 0], radius: 1}, edge: fixed}}",
           n * h, n * h, n, n, -n * h / 2, -n * h / 2, order),
      6);
  const double zeros[] = {2.404825557695773, 3.831705970207512, 3.831705970207512,
                          5.135622301840683, 5.135622301840683, 5.520078110286311};
  std::vector<double> errors;
  for (std::size_t k = 0; k < 6; ++k)
    errors.push_back(std::abs(2 * pi * found.frequencies[k] / zeros[k] - 1));
  return errors;
}

TEST(Modes, OfADrumGoToTheZerosOfBesselFunctions) {
  const std::vector<double> coarse = errors_of_drum(20, 2), fine = errors_of_drum(80, 2);
  const std::vector<double> nine_coarse = errors_of_drum(20, 4), nine_fine = errors_of_drum(80, 4);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_LT(fine[k], 1e-3) << k;
    EXPECT_GT(std::log(coarse[k] / fine[k]) / std::log(4), 1.7)
        << "order of mode " << k + 1;  // of second order
    EXPECT_LT(nine_fine[k], 1e-5) << k;
    EXPECT_GT(std::log(nine_coarse[k] / nine_fine[k]) / std::log(4), 2.7)
        << "order of mode " << k + 1;  // of third
  }
}

TEST(Modes, OfNinePointsAreOfFourthOrder) {
  const auto error = [](int n) {
    const MembraneModes found =
        modes_of(with("{grid: {size: [1, 1], cells: [%d, %d]}, space: {order: 4}}", n, n), 4);
    return std::abs(found.pairs.value[3] / (8 * pi * pi) - 1);
  };
  const double coarse = error(16), fine = error(32);
  EXPECT_LT(fine, 2e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.2);
}

/// A membrane that begins in a mode stays in it: u = cos(omega t) times the mode, with the frequency that the scheme makes
/// of omega.
void expect_to_stay_in_their_modes(const std::string& keys) {
  const std::string yaml =
      "{" + keys + ", time: {courant: 2, steps: 40}, initial: {displacement: 0}, solver: {tolerance: 1e-11}}";
  const MembraneModes found = modes_of(yaml, 5, "multigrid", 0, "cpu", 1e-10);
  for (std::size_t k = 0; k < 5; ++k) {
    Running run(yaml);
    run.model.displacement.values.assign(found.shapes[k].begin(), found.shapes[k].end());
    StepperSetup setup{run.model, run.scheme, run.plan, {}};
    setup.solver.tolerance = 1e-11;
    run.stepper = make_host_stepper(false, setup);
    run.finish();
    const double dt = run.plan.dt, omega = 2 * pi * found.frequencies[k],
                 phase = double(run.plan.steps) * 2 * std::atan(omega * dt / 2);
    const std::vector<double> u = run.field();
    double worst = 0;
    for (std::size_t i = 0; i < u.size(); ++i)
      worst = std::max(worst, std::abs(u[i] - std::cos(phase) * found.shapes[k][i]));
    EXPECT_LT(worst, 1e-6) << keys << ", mode " << k + 1;
    EXPECT_GT(phase, 0.5) << keys;
  }
}

TEST(Modes, AreWhatStepsInTimeStayIn) {
  expect_to_stay_in_their_modes(
      "grid: {size: [1, 1], cells: [24, 30]}, medium: {speed: \"1 + x + 0.5*y\", density: \"2 - x*y\"}");
  expect_to_stay_in_their_modes(
      "grid: {size: [1, 1], cells: [32, 32]}, edges: {left: free, right: fixed, bottom: periodic, top: "
      "periodic}, "
      "shape: {not: {circle: {center: [0.4, 0.5], radius: 0.2}}, edge: free}, medium: {speed: \"1 + x\"}");
  expect_to_stay_in_their_modes(
      "grid: {size: [1, 1], cells: [32, 32]}, shape: [{circle: {center: [0.5, 0.5], radius: 0.45}, edge: "
      "fixed}, {not: {circle: {center: [0.5, 0.6], radius: 0.1}}}]");
}

TEST(Modes, AreTheSameWithEachPreconditioner) {
  const std::string drum =
      "grid: {size: [1, 1], cells: [28, 28]}, shape: {circle: {center: [0.5, 0.5], radius: 0.45}, edge: "
      "fixed}";
  for (const std::string& keys :
       {std::string("grid: {size: [1, 1], cells: [28, 20]}"), drum, drum + ", space: {order: 4}"}) {
    const std::string yaml = "{" + keys + "}";
    const MembraneModes reference = modes_of(yaml, 4, "direct");
    for (const PreconditionerEntry& e : solver_preconditioners()) {
      const PreconditionerOptions o{std::string(e.name), {}};
      if (!entry_of(o).symmetric) continue;
      MembraneModes found;
      try {
        found = modes_of(yaml, 4, o.type);
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("is for "), std::string::npos) << error.what();
        EXPECT_NE(e.structure, Structure::any) << e.name << ": " << error.what();
        continue;
      }
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_NEAR(found.frequencies[k] / reference.frequencies[k], 1, 1e-10)
            << keys << " " << e.name << " " << k;
    }
  }
}

TEST(Modes, AreTheSameBitsWithAnyNumberOfThreads) {
  const int before = omp_get_max_threads();
  std::vector<MembraneModes> found;
  for (int threads : {1, 2}) {
    omp_set_num_threads(threads);
    found.push_back(modes_of("{grid: {size: [1, 1], cells: [150, 140]}, medium: {speed: \"1 + x*y\"}}", 5));
  }
  omp_set_num_threads(before);
  EXPECT_EQ(found[0].pairs.value, found[1].pairs.value);
  EXPECT_EQ(found[0].shapes, found[1].shapes);
}

TEST(Modes, AreRefusedWhereThereAreNone) {
  EXPECT_SENTENCE(modes_of("{precision: single}", 3), "double precision", "--set precision=double");
  EXPECT_SENTENCE(modes_of("{edges: absorbing}", 3), "perfectly matched layers", "radiation");
  EXPECT_SENTENCE(modes_of("{space: {order: 8}, time: {scheme: explicit, courant: 0.5, end: 1}}", 3),
                  "seventeen");
  EXPECT_SENTENCE(modes_of("{grid: {size: [1, 1], cells: [10, 10]}}", 3, "ilu0"),
                  "lobpcg needs a symmetric positive definite preconditioner", "multigrid");
}

}  // namespace
}  // namespace wavesim::test
