#pragma once
// Memory of a backend: plain buffers, and 2-D fields with ghost rows.

#include <utility>
#include <vector>

#include "kernels/backend/access.hpp"

namespace wavesim {

/// n zeroed elements in the backend's memory, freed at the end of life.
template <class B, class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(B& backend, std::size_t n) : backend_(&backend), data_(backend.template allocate<T>(n)), size_(n) {}
  Buffer(Buffer&& o) noexcept { *this = std::move(o); }
  Buffer& operator=(Buffer&& o) noexcept {
    std::swap(backend_, o.backend_);
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~Buffer() {
    if (data_) backend_->release(data_);
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  void upload(const std::vector<T>& host) { backend_->upload(data_, host.data(), host.size()); }
  std::vector<T> download() const {
    std::vector<T> host(size_);
    backend_->download(host.data(), data_, size_);
    return host;
  }

 private:
  B* backend_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// nx x ny points with a ghost row at each end; ghosts and padding hold zero and stay so, because every
/// kernel maps zeros to zeros.
template <class B, class T>
class Field {
 public:
  Field() = default;
  Field(B& backend, Extent e) : extent_(e), memory_(backend, std::size_t(e.pitch) * (e.ny + 2)) {}

  const Extent& extent() const { return extent_; }
  T* data() const { return memory_.data() + extent_.pitch; }  // point (0, 0)
  In<T> in() const { return {data()}; }
  Out<T> out() const { return {data()}; }
  InOut<T> inout() const { return {data()}; }
  /// All of it, ghost rows included: element (row + 1) * pitch + col.
  Buffer<B, T>& memory() { return memory_; }
  const Buffer<B, T>& memory() const { return memory_; }

 private:
  Extent extent_;
  Buffer<B, T> memory_;
};

}  // namespace wavesim
