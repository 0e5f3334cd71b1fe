#pragma once
// A value that a kernel leaves in memory of the host, without a copy: the host may read it when it knows that the kernel has
// ended.

#include "kernels/backend/backend.hpp"

namespace wavesim {

template <class B, class T>
class HostValue;

#ifdef __CUDACC__
template <class T>
class HostValue<Cuda, T> {
 public:
  HostValue() { check(cudaMallocHost(reinterpret_cast<void**>(&value_), sizeof(T))); }
  HostValue(const HostValue&) = delete;
  ~HostValue() { cudaFreeHost(value_); }
  T* place() { return value_; }
  const T& value() const { return *value_; }

 private:
  T* value_ = nullptr;
};
#else
template <class T>
class HostValue<Host, T> {
 public:
  T* place() { return &value_; }
  const T& value() const { return value_; }

 private:
  T value_{};
};
#endif

}  // namespace wavesim
