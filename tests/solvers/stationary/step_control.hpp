#pragma once
// The control block of passes that a test calls itself.

#include "kernels/backend/backend.hpp"
#include "solvers/core/operator.hpp"

namespace wavesim::test {

struct StepControl {
  Buffer<Backend, IterationState> state;
  Buffer<Backend, double> history;
  explicit StepControl(Backend& be) : state(be, 1), history(be, 100) {
    IterationState start;
    start.history = history.data(), start.max_iterations = 90, start.tolerance = 1e-30;
    state.upload({start});
  }
  /// Of the first pass of a step.
  Epilogue first() { return {Epilogue::begin_and_conclude, state.data()}; }
};

}  // namespace wavesim::test
