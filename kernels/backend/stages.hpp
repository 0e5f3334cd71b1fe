#pragma once
// Work in stages that depend on one another: a backend's `staged` runs one stage after the other.

#include "kernels/memory/field.hpp"

namespace wavesim {

/// Elements start[s] .. start[s + 1] - 1 are stage s.
template <class B>
struct Stages {
  std::vector<int> start{0};
  Buffer<B, int> copy;  // the same in the backend's memory
  Stages() = default;
  Stages(B& backend, std::vector<int> s) : start(std::move(s)), copy(backend, start.size()) {
    copy.upload(start);
  }
  int count() const { return int(start.size()) - 1; }
};

}  // namespace wavesim
