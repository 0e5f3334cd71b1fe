#pragma once
// CUDA graphs: work that was recorded once and is launched again as a whole, with loops whose condition is
// tested on the device.

#include <cuda_runtime.h>

#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/backend/cuda_check.hpp"

namespace wavesim::cuda {

/// Thrown, and caught, while work is recorded that cannot be replayed: it waits for a result, allocates memory,
/// or differs each time.
struct NotRepeatable {};

/// WAVESIM_GRAPHS=off in the environment: work is enqueued kernel by kernel and never recorded, so that a profiler sees each. In
/// the loop of a graph it sees none.
inline bool may_record() {
  static const bool may = [] {
    const char* const value = std::getenv("WAVESIM_GRAPHS");
    return !value || std::string_view(value) != "off";
  }();
  return may;
}

/// Sets the condition of a loop; this kernel ends each turn of it.
static __global__ void look_kernel(cudaGraphConditionalHandle again, const int* flag, int value) {
  cudaGraphSetConditional(again, *flag == value ? 1 : 0);
}

/// An executable graph.
class Recording {
 public:
  Recording() = default;
  Recording(Recording&& o) noexcept { *this = std::move(o); }
  Recording& operator=(Recording&& o) noexcept {
    std::swap(graph_, o.graph_);
    std::swap(executable_, o.executable_);
    return *this;
  }
  ~Recording() {
    if (executable_) cudaGraphExecDestroy(executable_);
    if (graph_) cudaGraphDestroy(graph_);
  }
  explicit operator bool() const { return executable_ != nullptr; }
  void enqueue(cudaStream_t stream) const { check(cudaGraphLaunch(executable_, stream)); }

 private:
  friend class Recorder;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

/// Records what is enqueued on a stream during its life.
class Recorder {
 public:
  explicit Recorder(cudaStream_t stream) : stream_(stream) {
    check(cudaGraphCreate(&made_.graph_, 0));
    capture_to(made_.graph_, {});
  }
  Recorder(const Recorder&) = delete;
  /// Ends the capture of the stream, also after an exception.
  ~Recorder() {
    if (capturing_) {
      cudaGraph_t unused = nullptr;
      cudaStreamEndCapture(stream_, &unused);
      cudaGetLastError();
    }
  }

  /// A loop over what f enqueues while *flag == value, which is tested after each turn.
  template <class F>
  void repeat_while(const int* flag, int value, F f) {
    const std::vector<cudaGraphNode_t> before = end();
    cudaGraphConditionalHandle again;
    check(cudaGraphConditionalHandleCreate(&again, made_.graph_, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop = {};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = again;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t node;
    check(cudaGraphAddNode(&node, made_.graph_, before.data(), nullptr, before.size(), &loop));
    capture_to(loop.conditional.phGraph_out[0], {});
    f();
    look_kernel<<<1, 1, 0, stream_>>>(again, flag, value);
    check(cudaGetLastError());
    end();
    capture_to(made_.graph_, {node});
  }

  Recording finish() {
    end();
    check(cudaGraphInstantiate(&made_.executable_, made_.graph_, 0));
    return std::move(made_);
  }

 private:
  void capture_to(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after) {
    check(cudaStreamBeginCaptureToGraph(stream_, graph, after.data(), nullptr, after.size(),
                                        cudaStreamCaptureModeThreadLocal));
    capturing_ = true;
  }
  /// Ends the capture; returns the nodes that later work has to wait for.
  std::vector<cudaGraphNode_t> end() {
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t* last = nullptr;
    std::size_t count = 0;
    check(cudaStreamGetCaptureInfo(stream_, &status, nullptr, nullptr, &last, nullptr, &count));
    const std::vector<cudaGraphNode_t> nodes(last, last + count);
    cudaGraph_t same = nullptr;
    capturing_ = false;
    check(cudaStreamEndCapture(stream_, &same));
    return nodes;
  }

  cudaStream_t stream_;
  Recording made_;
  bool capturing_ = false;
};

}  // namespace wavesim::cuda
