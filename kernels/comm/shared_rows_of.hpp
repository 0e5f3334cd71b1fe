#pragma once
// The way in which ranks share rows in the memory of a backend.

#include <memory>

#include "kernels/backend/backend.hpp"
#include "kernels/comm/shared_host_rows.hpp"
#ifdef __CUDACC__
#include "kernels/comm/shared_device_rows.hpp"
#endif

namespace wavesim {

#ifdef __CUDACC__
inline std::unique_ptr<SharedRows> make_shared_rows(Cuda& backend, Ranks& ranks) {
  return make_shared_device_rows(ranks, backend.stream());
}
#else
inline std::unique_ptr<SharedRows> make_shared_rows(Host&, Ranks& ranks) {
  return std::make_unique<SharedHostRows>(ranks);
}
#endif

}  // namespace wavesim
