#pragma once
// A copy from a backend's memory to the host's.

#include <cstddef>
#include <vector>

namespace wavesim {

struct CopyToHost {
  void* to;
  const void* from;
  std::size_t bytes;
};
/// Of as many elements as `to` has.
template <class V>
CopyToHost copy_to(std::vector<V>& to, const V* from) {
  return {to.data(), from, to.size() * sizeof(V)};
}

}  // namespace wavesim
