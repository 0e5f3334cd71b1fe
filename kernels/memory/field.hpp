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
  /// Of a field with its ghost rows.
  Buffer(B& backend, const Extent& e)
      : backend_(&backend), data_(backend.template allocate_rows<T>(e)), size_(elements_of_field(e)) {}
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
  /// Of a buffer that has memory.
  B& backend() const { return *backend_; }
  void upload(const std::vector<T>& host) { backend_->upload(data_, host.data(), host.size()); }
  /// Of n elements from `first` on.
  void upload(std::size_t first, std::size_t n, const T* host) { backend_->upload(data_ + first, host, n); }
  void download(std::size_t first, std::size_t n, T* host) const {
    backend_->download(host, data_ + first, n);
  }
  void zero(std::size_t first, std::size_t n) { backend_->zero(data_ + first, n); }
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
  Field(B& backend, Extent e) : extent_(e), memory_(backend, e) {}

  const Extent& extent() const { return extent_; }
  T* data() const { return origin() + std::ptrdiff_t(extent_.base) * extent_.pitch; }  // the linear index 0
  /// Point (0, 0), which may be another rank's: no more than an address.
  T* origin() const { return memory_.data() + extent_.pitch; }
  In<T> in() const { return {data()}; }
  Out<T> out() const { return {data()}; }
  InOut<T> inout() const { return {data()}; }
  /// This rank's rows.
  void clear() { memory_.zero(first_own(), own_size()); }
  std::vector<T> own_rows() const {
    std::vector<T> rows(own_size());
    memory_.download(first_own(), rows.size(), rows.data());
    return rows;
  }
  void upload_own_rows(const T* rows) { memory_.upload(first_own(), own_size(), rows); }

  /// All of it, ghost rows included: element (row + 1) * pitch + col.
  Buffer<B, T>& memory() { return memory_; }
  const Buffer<B, T>& memory() const { return memory_; }

 private:
  std::size_t first_own() const { return std::size_t(extent_.first_own + 1) * std::size_t(extent_.pitch); }
  std::size_t own_size() const {
    return std::size_t(extent_.end_own() - extent_.first_own) * std::size_t(extent_.pitch);
  }

  Extent extent_;
  Buffer<B, T> memory_;
};

}  // namespace wavesim
