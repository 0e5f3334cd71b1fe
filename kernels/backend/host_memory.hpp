#pragma once
// What is no loop of the CPU backend: memory, what other ranks have, operation counts.

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <map>
#include <vector>

#include "kernels/backend/operation_counts.hpp"
#include "kernels/comm/shared_rows.hpp"
#include "kernels/memory/field.hpp"
#include "kernels/memory/zeroed_memory.hpp"

namespace wavesim {

class Host;

class HostMemory {
 public:
  /// n zeroed elements, touched first by the threads that will work on them.
  template <class T>
  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    counts_.allocated += double(bytes);
    if (!shared_ || bytes == 0) return static_cast<T*>(zeroed_memory(bytes));
    void* const p = sparse_memory(bytes);
    sparse_[p] = bytes;
    return static_cast<T*>(p);
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
  /// Brings `depth` rows on either side of this rank's from their ranks, for kernels that gather from there: of fields of one
  /// extent, but for those that are null.
  template <class T>
  void fetch_ghosts(int depth, std::initializer_list<const Field<Host, T>*> fields) {
    std::vector<RowsInMemory> rows;
    const Extent* e = nullptr;
    for (const Field<Host, T>* f : fields) {
      if (!f || f->extent().whole()) continue;
      e = &f->extent();
      rows.push_back({f->data(), std::size_t(e->pitch) * sizeof(T)});
    }
    if (!e) return;
    counts_.add("ghost rows", 2.0 * depth * double(e->pitch) * sizeof(T) * double(rows.size()), false);
    shared_->fetch_ghosts(*e, depth, rows);
  }
  template <class T, class... Fields>
  void fetch_ghosts(int depth, const Field<Host, T>& first, const Fields&... others) {
    fetch_ghosts<T>(depth, {&first, &others...});
  }
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
  SharedRows* shared_ = nullptr;
  std::map<void*, std::size_t> sparse_;  // memory of fields, and its bytes
};

}  // namespace wavesim
