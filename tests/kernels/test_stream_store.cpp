// Stores past the caches: every value arrives, and nothing beside them is written.

#include <gtest/gtest.h>

#include "kernels/memory/stream_store.hpp"

namespace wavesim {
namespace {

template <class T>
void expect_copies() {
  const int line = cache_line / sizeof(T);
  CacheLines<T> from(std::size_t(6 * line)), to(std::size_t(8 * line));
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = T(k + 1);
  for (int begin = 0; begin <= line; ++begin)
    for (int n = 0; n <= 4 * line; ++n) {
      std::fill(to.begin(), to.end(), T(-1));
      stream(from.data() + n % 3, n, to.data() + begin);
      stream_fence();
      for (int k = 0; k < int(to.size()); ++k) {
        const bool written = k >= begin && k < begin + n;
        ASSERT_EQ(to[std::size_t(k)], written ? from[std::size_t(k - begin + n % 3)] : T(-1))
            << "value " << k << " of " << n << " from " << begin << " on";
      }
    }
}

TEST(StreamStore, CopiesAnyNumberOfValuesToAnywhere) {
  expect_copies<double>();
  expect_copies<float>();
}

TEST(CacheLines, BeginOnOne) {
  for (std::size_t n : {1, 3, 1000})
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(CacheLines<float>(n).data()) % cache_line, 0u);
}

}  // namespace
}  // namespace wavesim
