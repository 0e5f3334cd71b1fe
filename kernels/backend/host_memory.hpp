#pragma once
// What is no loop of the CPU backend: memory, leaves of other ranks, operation counts.

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>

#include "kernels/backend/operation_counts.hpp"
#include "kernels/comm/shared_rows.hpp"
#include "kernels/memory/zeroed_memory.hpp"

namespace wavesim {

class HostMemory {
 public:
  /// n zeroed elements, touched first by the threads that will work on them.
  template <class T>
  T* allocate(std::size_t n) {
    return allocate<T>(n, shared_ != nullptr);
  }
  /// Of a field with its ghost rows. Of a field that ranks share out, rows of others take addresses and no memory.
  template <class T>
  T* allocate_rows(const Extent& e) {
    return allocate<T>(elements_of_field(e), shared_ || !e.whole());
  }
  void release(void* p) {
    const auto at = sparse_.find(p);
    if (at == sparse_.end()) return std::free(p);
    munmap(p, at->second);
    sparse_.erase(at);
  }

  template <class T>
  void upload(T* to, const T* from, std::size_t n) {
    if (n) std::memcpy(to, from, n * sizeof(T));  // no null pointers for nothing
  }
  template <class T>
  void download(T* to, const T* from, std::size_t n) {
    if (n) std::memcpy(to, from, n * sizeof(T));  // no null pointers for nothing
  }

  /// Fields of shared extents are shared out among ranks from here on; null: there are none.
  void share(SharedRows* with) { shared_ = with; }
  SharedRows* shared() const { return shared_; }
  OperationCounts& counts() { return counts_; }
  const OperationCounts& counts() const { return counts_; }

 protected:
  /// `leaves` of each band.
  template <class S>
  void gather(S* leaf, const Bands& bands, int leaves) {
    shared_->gather(reinterpret_cast<double*>(leaf), bands, leaves * int(sizeof(S) / sizeof(double)));
  }

  OperationCounts counts_;

 private:
  template <class T>
  T* allocate(std::size_t n, bool sparse) {
    const std::size_t bytes = n * sizeof(T);
    counts_.allocated += double(bytes);
    if (!sparse || bytes == 0) return static_cast<T*>(zeroed_memory(bytes));
    void* const p = sparse_memory(bytes);
    sparse_[p] = bytes;
    return static_cast<T*>(p);
  }

  SharedRows* shared_ = nullptr;
  std::map<void*, std::size_t> sparse_;  // memory of fields, and its bytes
};

}  // namespace wavesim
