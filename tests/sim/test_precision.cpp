// What `precision: mixed` and `solver.accurate` do to a wave.
#include "kernels/backend/errors.hpp"
#include "sim/run/run_log.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

const char* const wave =
    "{precision: %s, grid: {size: [1, 0.8], cells: [60, 48]}, edges: {left: periodic, right: periodic}, "
    "medium: {speed: \"1 + 0.5*x\", damping: 0.4}, initial: {displacement: {gaussian: {center: [0.3, 0.4], "
    "width: 0.1}}}, time: {scheme: crank-nicolson, courant: 3, steps: 30}, solver: {method: %s, "
    "preconditioner: %s, format: %s, tolerance: %s, norm: relative-2, accurate: %s}}";

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, std::abs(a[i] - b[i]));
  return d;
}

TEST(Precision, MixedGivesTheFieldOfDouble) {
  for (const std::string& device : devices())
    for (const char* method : {"cg", "bicgstab", "gmres"})
      for (const char* preconditioner : {"none", "jacobi"})
        for (const char* format : {"stencil", "csr"}) {
          const auto run = [&](const char* precision) {
            return Running(with(wave, precision, method, preconditioner, format,
                                std::string(precision) == "single" ? "1e-5" : "1e-12", "false"),
                           device);
          };
          Running full = run("double"), mixed = run("mixed"), single = run("single");
          full.finish();
          mixed.finish();
          single.finish();
          EXPECT_LE(largest_difference(full.field(), mixed.field()), 1e-10) << method << " " << format;
          EXPECT_GT(largest_difference(full.field(), single.field()), 1e-8);  // so that the above says much
          for (int n : mixed.iterations) EXPECT_LE(n, 5);                     // of four digits each
        }
}

TEST(Precision, AccurateChangesAWaveByRoundingOnly) {
  for (const std::string& device : devices()) {
    Running plain(with(wave, "double", "cg", "jacobi", "stencil", "1e-12", "false"), device),
        accurate(with(wave, "double", "cg", "jacobi", "stencil", "1e-12", "true"), device),
        again(with(wave, "double", "cg", "jacobi", "stencil", "1e-12", "true"), device);
    plain.finish();
    accurate.finish();
    again.finish();
    EXPECT_LE(largest_difference(plain.field(), accurate.field()), 1e-10);
    EXPECT_EQ(accurate.field(), again.field());
  }
}

TEST(RunLog, RemembersWhereTheMethodsResidualAndTheTrueOnePartCompany) {
  TimePlan plan;
  RunLog log(plan);
  StepResult same, parted;
  same.report.recurrence = {4, 2};
  same.report.final = {5, 2.1};
  parted.report.recurrence = {1e-30, 1e-15};
  parted.report.final = {1e-20, 1e-10};
  for (const StepResult* r : {&same, &same, &parted, &same, &parted}) log.add(*r);
  const RunSummary& s = log.finish("done", true);
  EXPECT_EQ(s.parted_steps, 2);
  EXPECT_EQ(s.parted_first, 3);
}

TEST(RunLog, FindsNoPartingInAnOrdinaryRun) {
  for (const char* method : {"cg", "bicgstab", "jacobi"}) {
    Running run(with(wave, "double", method, "none", "stencil", "1e-6", "false"));
    RunLog log(run.plan);
    while (run.done < run.plan.steps) log.add(run.step());
    EXPECT_EQ(log.finish("done", true).parted_steps, 0) << method;
  }
}

std::string refusal(const std::string& yaml) {
  try {
    Running run(yaml);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Precision, MixedIsRefusedWhereItDoesNotFit) {
  EXPECT_NE(refusal("{precision: mixed, grid: {size: [1, 1], cells: [10, 10]}, medium: {speed: 1}, time: "
                    "{scheme: explicit, courant: 0.5, steps: 1}}")
                .find("scheme: explicit has none; write precision: double"),
            std::string::npos);
  EXPECT_NE(refusal("{precision: mixed, grid: {size: [1, 1], cells: [10, 10]}, medium: {speed: 1}, time: "
                    "{scheme: crank-nicolson, courant: 1000, steps: 1}}")
                .find("above what solves in single precision can be refined from"),
            std::string::npos);
}

}  // namespace
}  // namespace wavesim::test
