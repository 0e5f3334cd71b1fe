// A GPU that is lost or full at any moment of a run ends it with status 5 and one sentence; finished frames stay.
// Skipped where no GPU answers.

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdlib>

#include "kernels/backend/device.hpp"
#include "tests/apps/program.hpp"

namespace wavesim {
namespace {

const char* const small = R"yaml(name: small
device: cuda
grid: {size: [1, 1], cells: [48, 48]}
medium: {speed: "1 + x"}
initial: {displacement: {gaussian: {center: [0.5, 0.5], width: 0.1}}}
receivers: [{name: middle, at: [0.5, 0.5]}]
time: {courant: 2, steps: 40}
checkpoint: {every: 10}
output: {fields: {every: 4}}
)yaml";

/// How a run ends whose calls fail from the k-th on. `variable` as in lost/device_shim.c.
Outcome run(const Workplace& here, const char* variable, long k) {
  return here.run({"small.yaml", "-q", "--overwrite"}, [&] {
    setenv("LD_PRELOAD", WAVESIM_DEVICE_SHIM, 1);
    setenv(variable, std::to_string(k).c_str(), 1);
  });
}

bool opens(const std::filesystem::path& file) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t h5 = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (h5 < 0) return false;
  const bool whole = H5Lexists(h5, "VTKHDF", H5P_DEFAULT) > 0;
  H5Fclose(h5);
  return whole;
}

void expect_good_ends(const char* variable) {
  if (cuda_facts().empty()) GTEST_SKIP() << "no GPU answers";
  const Workplace here;
  here.write("small.yaml", small);
  long failed = 0, finished = 0;
  for (long k = 0; finished < 2 && k < 4000; k += 1 + k / 3) {
    const Outcome o = run(here, variable, k);
    finished += o.status == 0;
    if (o.status == 0) continue;
    ++failed;
    EXPECT_EQ(o.status, 5) << variable << " " << k << ": " << o.err;
    EXPECT_EQ(o.err.rfind("wavesim: ", 0), 0u) << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    const std::filesystem::path result = here.folder() / "results/small/small.vtkhdf";
    if (std::filesystem::exists(result)) {
      EXPECT_TRUE(opens(result)) << variable << " " << k;
    }
  }
  EXPECT_GT(failed, 5);
  EXPECT_EQ(finished, 2);
}

TEST(LostDevice, EndsARunAtAnyMomentWithStatus5AndOneSentence) { expect_good_ends("WAVESIM_LOST_AFTER"); }
TEST(FullDevice, EndsARunAtAnyMomentWithStatus5AndOneSentence) { expect_good_ends("WAVESIM_FULL_AFTER"); }

}  // namespace
}  // namespace wavesim
