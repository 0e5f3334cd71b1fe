// Rims of shapes that a signal moves.

#include <array>
#include <cmath>

#include "sim/run/simulation.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

constexpr double radius = 0.4, k = 8, cx = 0.5031, cy = 0.4977;

/// u = J0(k r) / J0(k R) cos(k t) in a drum whose rim moves as cos(k t), with c = 1.
double exact(double x, double y, double t) {
  return std::cyl_bessel_j(0, k * std::hypot(x - cx, y - cy)) / std::cyl_bessel_j(0, k * radius) *
         std::cos(k * t);
}

/// The drum at rest but for that, on so many cells; `rest`: more keys.
class Drum {
 public:
  explicit Drum(long cells, const std::string& rim, const std::string& rest) {
    const long n = cells + 1;
    std::vector<double> start;
    for (long iy = 0; iy < n; ++iy)
      for (long ix = 0; ix < n; ++ix)
        start.push_back(exact(double(ix) / double(cells), double(iy) / double(cells), 0));
    folder_.write_hdf5("start.h5", "/u", n, n, start);
    yaml_ = with(
        "{grid: {size: [1, 1], cells: [%ld, %ld]}, medium: {speed: 1}, shape: {circle: {center: [%.4f, "
        "%.4f], radius: "
        "%g}, edge: {driven: {expression: 'cos(%g * t)'}}%s}, initial: {displacement: {file: start.h5}}, "
        "receivers: "
        "[{name: a, at: [0.15, 0.3]}, {name: line, from: [0.5, 0.9], to: [0.5, 0.85], count: 9}], solver: "
        "{tolerance: "
        "1e-10}, %s}",
        cells, cells, cx, cy, radius, k, rim.c_str(), rest.c_str());
  }
  Config read() const { return config(yaml_, folder_.path); }

 private:
  Folder folder_;
  std::string yaml_;
};

struct Errors {
  double inside = 0, receivers = 0;
};

Errors errors(long cells, const std::string& rim, const std::string& rest,
              const std::string& device = "cpu") {
  const Drum drum(cells, rim, rest);
  Running run(drum.read(), device);
  Errors e;
  while (run.done < run.plan.steps) {
    run.step();
    run.stepper->sample(run.time());
    const std::vector<double> row = run.stepper->samples().at(0);
    for (std::size_t r = 0; r < row.size(); ++r) {
      const Receiver& at = run.model.receivers[r];
      if (std::hypot(at.x - cx, at.y - cy) < radius)
        e.receivers = std::max(e.receivers, std::abs(row[r] - exact(at.x, at.y, run.time())));
    }
  }
  const std::vector<double> u = run.field();
  for (std::size_t i = 0; i < u.size(); ++i) {
    const auto [ix, iy] = run.model.grid.place(i);
    const double x = run.model.grid.x(ix), y = run.model.grid.y(iy);
    if (is_inside(run.model.region[i]))
      e.inside = std::max(e.inside, std::abs(u[i] - exact(x, y, run.time())));
  }
  return e;
}

TEST(DrivenRim, MovesADrumWithAnErrorOfSecondOrder) {
  for (const std::string rest : {"time: {scheme: crank-nicolson, courant: 0.5, end: 1}",
                                 "time: {scheme: explicit, courant: 0.5, end: 1}",
                                 "space: {order: 4}, time: {scheme: numerov, courant: 0.5, end: 1}"}) {
    const Errors coarse = errors(40, "", rest), fine = errors(160, "", rest);
    EXPECT_GT(std::log2(coarse.inside / fine.inside) / 2, 1.75)
        << rest << ": " << coarse.inside << " " << fine.inside;
    EXPECT_GT(std::log2(coarse.receivers / fine.receivers) / 2, 1.5)
        << rest << ": " << coarse.receivers << " " << fine.receivers;
    EXPECT_LT(fine.receivers, 0.02) << rest;
  }
}

TEST(DrivenRim, OfAStaircaseConvergesMoreSlowly) {
  const std::string rest = "time: {courant: 0.5, end: 1}", stairs = ", rim: staircase";
  const double coarse = errors(40, stairs, rest).inside, fine = errors(160, stairs, rest).inside;
  EXPECT_GT(coarse / fine, 1.4) << coarse << " " << fine;
  EXPECT_GT(fine, 4 * errors(160, "", rest).inside);
}

// A rim on nodes is an edge.
TEST(DrivenRim, OnNodesIsADrivenEdge) {
  const std::string rest =
      "initial: {displacement: {gaussian: {center: [0.2, 0.4], width: 0.08}}}, edges: {left: free, right: "
      "%s, bottom: fixed, "
      "top: free}, solver: {tolerance: 1e-12}, time: {scheme: %s, courant: 0.6, steps: 50}}";
  for (const char* scheme : {"crank-nicolson", "explicit", "theta, weights: [0.3, 0.5, 0.2]"}) {
    const char* const signal = "{driven: {sinusoid: {frequency: 3, amplitude: 0.2}}}";
    Running rim(
        "{grid: {size: [1, 1], cells: [40, 40]}, medium: {speed: 1}, shape: {rectangles: [[-1, -1, 0.5, 2]], "
        "edge: " +
        std::string(signal) + "}, " + with(rest.c_str(), "fixed", scheme));
    Running edge("{grid: {size: [0.5, 1], cells: [20, 40]}, medium: {speed: 1}, " +
                 with(rest.c_str(), signal, scheme));
    rim.finish();
    edge.finish();
    const auto a = rim.field(), b = edge.field();
    double largest = 0, difference = 0;
    for (long iy = 0; iy <= 40; ++iy)
      for (long ix = 0; ix < 20; ++ix) {
        const double u = b[edge.model.grid.index(ix, iy)];
        largest = std::max(largest, std::abs(u));
        difference = std::max(difference, std::abs(u - a[rim.model.grid.index(ix, iy)]));
      }
    EXPECT_GT(largest, 0.1);
    EXPECT_LT(difference, 1e-9) << scheme;
  }
}

TEST(DrivenRim, OfAHoleSendsWavesOutAndItsWorkIsKnown) {
  for (const std::string space : {"", "space: {order: 4}, "})
    for (const std::string& device : devices()) {
      Config c = config(
          "{grid: {size: [1, 1], cells: [48, 48]}, " + space +
          "medium: {speed: 1, damping: 0.1}, edges: absorbing, shape: {not: {circle: {center: [0.47, 0.52], "
          "radius: "
          "0.1}, edge: {driven: {sinusoid: {frequency: 4, amplitude: 0.1}}}}}, time: {courant: 0.6, steps: "
          "80}}");
      c.output.energy.balance = true;
      Running run(c, device);
      double before = run.stepper->energy(), scale = 0, largest = 0, work = 0;
      while (run.done < run.plan.steps) {
        run.step();
        const EnergyChange e = run.stepper->energy_change();
        const double now = run.stepper->energy();
        scale = std::max(scale, now);
        work += e.sources;
        largest = std::max(largest, std::abs(now - before - e.sources + e.damping + e.outflow - e.residual));
        before = now;
      }
      EXPECT_GT(work, 0);
      EXPECT_LT(largest, 1e-13 * scale) << space << device;
    }
}

TEST(DrivenRim, IsTheSameOnAGpu) {
  for (const std::string& device : devices()) {
    if (device == "cpu") continue;
    const std::string rest = "time: {courant: 0.5, steps: 40}";
    const Errors host = errors(40, "", rest), gpu = errors(40, "", rest, device);
    EXPECT_EQ(host.inside, gpu.inside);
    EXPECT_EQ(host.receivers, gpu.receivers);
  }
}

TEST(DrivenRim, IsRefusedInALayerAndWithoutASignal) {
  const std::string head = "{grid: {size: [1, 1], cells: [20, 20]}, medium: {speed: 1}, time: {steps: 4}, ";
  EXPECT_SENTENCE(
      model(head +
            "edges: absorbing, shape: {circle: {center: [0, 0.5], radius: 0.3}, edge: {driven: {sinusoid: "
            "{frequency: 1}}}}}"),
      "driven rim", "absorbing layer");
  EXPECT_SENTENCE(model(head + "shape: {circle: {center: [0.5, 0.5], radius: 0.3}, edge: {driven: {}}}}"),
                  "signal");
}

TEST(DrivenRim, CountsForTheShortestWave) {
  const Config c = config(
      "{grid: {size: [1, 1], cells: [48, 48]}, medium: {speed: 2}, shape: {circle: {center: [0.5, 0.5], "
      "radius: 0.4}, edge: "
      "{driven: {sinusoid: {frequency: 4, amplitude: 0.1}}}}, time: {courant: 1, steps: 8}}");
  EXPECT_TRUE(build_model(c).notes.empty());
}

}  // namespace
}  // namespace wavesim::test
