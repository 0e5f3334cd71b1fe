#pragma once
// What is no loop of the CPU backend: memory, leaves of other ranks, operation counts.

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <map>

#include "kernels/backend/operation_counts.hpp"
#include "kernels/comm/shared_rows.hpp"
#include "kernels/memory/copy_to_host.hpp"
#include "kernels/memory/zeroed_memory.hpp"

namespace wavesim {

class HostMemory {
 public:
  /// n zeroed elements, touched first by the threads that will work on them.
  template <class T>
  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    counts_.allocated += double(bytes);
    if (!shared_ || bytes == 0) return static_cast<T*>(zeroed_memory(bytes));
    return sparse<T>(sparse_memory(bytes), bytes);
  }
  /// Of a field with its ghost rows. Of a field that ranks share out, rows of others take addresses and no memory.
  template <class T>
  T* allocate_rows(const Extent& e) {
    const std::size_t n = elements_of_field(e), bytes = n * sizeof(T);
    if (e.whole()) return allocate<T>(n);
    counts_.allocated += double(e.own_points()) * sizeof(T);
    return sparse<T>(sparse_memory(bytes, rows_in_memory(e, sizeof(T))), bytes);
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
  void download_all(std::initializer_list<CopyToHost> copies) {
    for (const CopyToHost& c : copies)
      download(static_cast<char*>(c.to), static_cast<const char*>(c.from), c.bytes);
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
  T* sparse(void* p, std::size_t bytes) {
    sparse_[p] = bytes;
    return static_cast<T*>(p);
  }

  SharedRows* shared_ = nullptr;
  std::map<void*, std::size_t> sparse_;  // memory of fields, and its bytes
};

}  // namespace wavesim
