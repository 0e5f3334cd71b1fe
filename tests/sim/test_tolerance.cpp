// solver: {tolerance: auto}: below the errors of grid and time step, and not far below.
#include "sim/run/choose_tolerance.hpp"

#include "sim/error/measured_error.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

double chosen(const std::string& yaml) {
  Config c = config(yaml);
  Model m = build_model(c);
  const Scheme scheme = make_scheme(c.time, c.space.order);
  choose_tolerance(c, m, scheme, plan_time(c, scheme, m));
  return c.solver.tolerance;
}

std::string with_tolerance(const char* problem, const std::string& tolerance) {
  return with("{%s, solver: {method: cg, tolerance: %s}}", problem, tolerance.c_str());
}

struct Solved {
  std::vector<double> u;
  double iterations = 0;
};
Solved solved(const char* problem, const std::string& tolerance) {
  Running run(with_tolerance(problem, tolerance));
  run.finish();
  Solved s{run.field(), 0};
  for (const long n : run.iterations) s.iterations += double(n);
  return s;
}

TEST(ToleranceAuto, AddsLittleToTheErrorAndTakesFewerIterations) {
  for (const char* problem :
       {"grid: {size: [1, 1], cells: [80, 80]}, edges: fixed, sources: [{name: s, at: [0.41, 0.52], ricker: "
        "{frequency: 4, delay: 0.3}}], time: {courant: 1, end: 0.9}",
        "grid: {size: [1, 1], cells: [60, 60]}, edges: free, initial: {displacement: {gaussian: {center: "
        "[0.4, "
        "0.5], width: 0.12}}}, time: {courant: 3, end: 1.5}",
        "grid: {size: [1, 1], cells: [50, 50]}, edges: fixed, space: {order: 4}, medium: {speed: \"1 + "
        "0.2*sin(3*x)\"}, initial: {displacement: {gaussian: {center: [0.4, 0.5], width: 0.08}}}, time: "
        "{scheme: "
        "numerov, courant: 0.6, end: 1.5}"}) {
    SCOPED_TRACE(problem);
    const double tolerance = chosen(with_tolerance(problem, "auto"));
    const Solved loose = solved(problem, with("%.17g", tolerance)), tight = solved(problem, "1e-12");
    const MeasuredError e = measure_error(config(with_tolerance(problem, "1e-12")), "cpu", {}, {});
    double off = 0, all = 0;
    for (std::size_t i = 0; i < tight.u.size(); ++i)
      off += (loose.u[i] - tight.u[i]) * (loose.u[i] - tight.u[i]), all += tight.u[i] * tight.u[i];
    EXPECT_LT(std::sqrt(off / all), 0.1 * e.displacement->both) << tolerance;
    EXPECT_LT(loose.iterations, 0.6 * tight.iterations);
  }
}

TEST(ToleranceAuto, FollowsTheErrorsOfGridAndStep) {
  const char* pulse = "initial: {displacement: {gaussian: {center: [0.5, 0.5], width: 0.1}}}";
  const auto of = [&](int cells, const char* rest) {
    return chosen(with("{grid: {size: [1, 1], cells: [%d, %d]}, %s, %s, solver: {tolerance: auto}}", cells,
                       cells, pulse, rest));
  };
  const double coarse = of(50, "time: {courant: 1, end: 1}"), fine = of(100, "time: {courant: 1, end: 1}"),
               fourth = of(100, "space: {order: 4}, time: {scheme: numerov, courant: 0.6, end: 1}");
  EXPECT_NEAR(coarse / fine, 4, 0.1);
  EXPECT_LT(fourth, 0.01 * fine);
  EXPECT_GT(fourth, 1e-12);
}

TEST(ToleranceAuto, KeepsTheDefaultWhereWavesCannotBeToldAndSaysSo) {
  Config c = config("{initial: {displacement: \"sin(3*x)\"}, solver: {tolerance: auto}}");
  Model m = build_model(c);
  const Scheme scheme = make_scheme(c.time, c.space.order);
  choose_tolerance(c, m, scheme, plan_time(c, scheme, m));
  EXPECT_EQ(c.solver.tolerance, 1e-6);
  ASSERT_FALSE(m.notes.empty());
  EXPECT_NE(m.notes.back().find("cannot be told"), std::string::npos);
}

TEST(ToleranceAuto, IsAWordInPlaceOfANumber) {
  EXPECT_SENTENCE(config("{solver: {tolerance: atuo}}"), "atuo", "'auto' or a number");
  Config c = config("{solver: {tolerance: auto}}");
  EXPECT_NE(dump_config(c).find("tolerance: auto"), std::string::npos);
  EXPECT_EQ(config("{solver: {tolerance: 1e-5}}").solver.tolerance, 1e-5);
}

}  // namespace
}  // namespace wavesim::test
