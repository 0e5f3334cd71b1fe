// Runs a CUDA test program, or says why it cannot (exit status 77: skipped).
#include <gtest/gtest.h>

#include <cstdio>

#include "kernels/backend/device.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const std::string why = wavesim::why_no_cuda(); !why.empty()) {
    std::printf("skipped: %s\n", why.c_str());
    return 77;
  }
  return RUN_ALL_TESTS();
}
