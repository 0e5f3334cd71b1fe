#pragma once
// Calls of the libraries that we compare with: cuSPARSE, cuBLAS. Their statuses are 0 for success.

#include <stdexcept>
#include <string>

namespace wavesim {

inline void check_peer(int status, const char* what) {
  if (status != 0)
    throw std::runtime_error(std::string(what) + " failed with status " + std::to_string(status));
}
#define PEER(call) check_peer(int(call), #call)

}  // namespace wavesim
