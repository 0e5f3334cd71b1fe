#include <omp.h>

#include "tests/sim/running.hpp"

namespace wavesim::test {
namespace {

/// `tolerance` of the solver; looser ones show counts, tighter ones fields.
std::vector<std::string> cases(const char* tolerance) {
  std::vector<std::string> all;
  const auto wide = [](const std::string& scheme) {
    return scheme == "numerov" || scheme == "crank-nicolson, order: 4";
  };
  for (const std::string scheme :
       {"crank-nicolson", "two-level", "explicit", "numerov", "crank-nicolson, order: 4"})
    for (const char* method : {"cg", "bicgstab", "chebyshev"})  // chebyshev: steps taken at once
      for (const char* format : {"stencil", "dia", "ellpack-r", "csr"}) {
        if (scheme == "explicit" && (std::string(method) != "cg" || std::string(format) != "stencil"))
          continue;
        if (std::string(method) == "chebyshev" && std::string(format) != "stencil") continue;
        for (const char* medium :
             {"grid: {size: [1, 1], cells: [70, 50]}, edges: fixed, medium: {speed: 1}",
              "grid: {size: [1, 0.8], cells: [70, 50]}, edges: {left: periodic, right: periodic, bottom: "
              "free, top: {driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}}, "
              "shape: {not: {circle: {center: [0.6, 0.4], radius: 0.15}}, edge: free}, medium: {speed: \"1 + "
              "0.5*x\", damping: 0.4}",
              "grid: {size: [1, 1], cells: [60, 60]}, edges: {absorbing: {radiation: {}, sponge: {thickness: "
              "10 cells}}}, medium: {model: acoustic, speed: \"1 + y\", density: \"1 + x\"}",
              "grid: {size: [1, 1], cells: [60, 50]}, edges: {left: fixed, right: free, bottom: fixed, top: "
              "fixed}, "
              "medium: {model: acoustic, speed: \"1 + y\", density: 2}",
              "grid: {size: [1, 1], cells: [50, 60]}, edges: {left: absorbing, right: {driven: {sinusoid: "
              "{frequency: "
              "2, amplitude: 0.2}}}, bottom: free, top: {absorbing: {pml: {thickness: 7 cells}}}}, medium: "
              "{speed: 1}"}) {
          if (scheme == "crank-nicolson, order: 4" && std::string(medium).find("pml") != std::string::npos)
            continue;
          all.push_back(
              with("{%s, space: {order: %d}, initial: {displacement: {gaussian: {center: [0.3, 0.4], width: "
                   "0.06}}}, "
                   "sources: [{name: s, at: [0.2, 0.21], ricker: {frequency: 3, delay: 0.2}}], receivers: "
                   "[{name: l, from: [0.1, 0.1], to: [0.9, 0.7], count: 7}], "
                   "time: {scheme: %s, courant: %g, steps: 12}, solver: {method: %s, format: %s, tolerance: "
                   "1e-12}}",
                   medium, wide(scheme) ? 4 : 2, scheme.c_str(),
                   scheme == "explicit" || scheme == "numerov" ? 0.6 : 1.5, method, format, tolerance));
        }
      }
  return all;
}

TEST(Devices, GiveTheSameBitsOnRepetitionWithAnyNumberOfThreads) {
  const int threads = omp_get_max_threads();
  for (const std::string& device : devices())
    for (const std::string& yaml : cases("1e-9")) {
      Running first(yaml, device);
      first.finish();
      omp_set_num_threads(threads > 1 ? 1 : 3);
      Running again(yaml, device);
      again.finish();
      omp_set_num_threads(threads);
      ASSERT_EQ(first.field(), again.field()) << device << " " << yaml;
      ASSERT_EQ(first.iterations, again.iterations) << device << " " << yaml;
    }
}

TEST(Devices, CpuAndGpuGiveTheSameFields) {
  if (devices().size() < 2) GTEST_SKIP() << why_no_cuda();
  for (const std::string& yaml : cases("1e-12")) {
    Running cpu(yaml, "cpu"), gpu(yaml, "cuda");
    EXPECT_NEAR(gpu.stepper->energy(), cpu.stepper->energy(), 1e-12 * cpu.stepper->energy());
    while (cpu.done < cpu.plan.steps) {
      cpu.step();
      gpu.step();
      cpu.stepper->sample(cpu.time());
      gpu.stepper->sample(gpu.time());
    }
    const auto a = cpu.field(), b = gpu.field();
    double size = 0, difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      size = std::max(size, std::abs(a[i]));
      difference = std::max(difference, std::abs(a[i] - b[i]));
    }
    EXPECT_LT(difference, 1e-10 * size) << yaml;
    const auto s = cpu.stepper->samples(), t = gpu.stepper->samples();
    ASSERT_EQ(s.size(), t.size());
    for (std::size_t k = 0; k < s.size(); ++k)
      for (std::size_t r = 0; r < s[k].size(); ++r) EXPECT_NEAR(s[k][r], t[k][r], 1e-10 * size);
    EXPECT_NEAR(gpu.stepper->energy(), cpu.stepper->energy(), 1e-9 * std::abs(cpu.stepper->energy()));
    EXPECT_NEAR(gpu.stepper->largest_displacement(), cpu.stepper->largest_displacement(), 1e-10 * size);
  }
}

// Sums are added in one order on both (kernels/reduce/sum_order.hpp), and nothing contracts a product and a
// sum: not a bit differs.
TEST(Devices, CpuAndGpuTakeTheSameIterationsAndGiveTheSameBits) {
  if (devices().size() < 2) GTEST_SKIP() << why_no_cuda();
  for (const std::string& yaml : cases("1e-6")) {
    Running cpu(yaml, "cpu"), gpu(yaml, "cuda");
    cpu.finish();
    gpu.finish();
    EXPECT_EQ(cpu.iterations, gpu.iterations) << yaml;
    EXPECT_EQ(cpu.field(), gpu.field()) << yaml;
  }
}

TEST(Devices, CpuAndGpuGiveTheSameBitsByMethodsOfTheCatalogue) {
  if (devices().size() < 2) GTEST_SKIP() << why_no_cuda();
  std::vector<std::pair<std::string, const char*>> all{{"multigrid", "stencil"}, {"gauss-seidel", "stencil"}};
  for (const Method& m : solver_methods())
    if (m.on_ranks && !m.automatic && m.structure != Structure::rectangle)
      for (const char* format : {"stencil", "dia"}) all.emplace_back(m.name, format);
  for (const auto& [method, format] : all) {
    const std::string yaml = with(
        "{grid: {size: [1, 3.6], cells: [90, 330]}, medium: {speed: '1 + x'}, initial: {displacement: "
        "{gaussian: {center: [0.4, 2], width: 0.1}}}, time: {courant: 1.5, steps: 6}, solver: {method: "
        "%s, format: %s, tolerance: 1e-7}}",
        method.c_str(), format);
    SCOPED_TRACE(yaml);
    Running cpu(yaml, "cpu"), gpu(yaml, "cuda");
    cpu.finish();
    gpu.finish();
    EXPECT_EQ(cpu.iterations, gpu.iterations);
    EXPECT_EQ(cpu.field(), gpu.field());
  }
}

TEST(Devices, SinglePrecisionFollowsDouble) {
  for (const std::string& device : devices()) {
    const char* yaml =
        "{precision: %s, grid: {size: [1, 1], cells: [64, 64]}, initial: {displacement: {gaussian: {center: "
        "[0.4, 0.5], width: 0.08}}}, "
        "time: {courant: 1, steps: 400}, solver: {tolerance: %s}}";
    Running one(with(yaml, "single", "1e-5"), device), two(with(yaml, "double", "1e-10"), device);
    one.finish();
    two.finish();
    const auto a = one.field(), b = two.field();
    double difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) difference = std::max(difference, std::abs(a[i] - b[i]));
    EXPECT_LT(difference, 1e-3) << device;
    EXPECT_GT(difference, 1e-9) << device;
  }
}

}  // namespace
}  // namespace wavesim::test
