#pragma once
// Memory of the CPU backend.

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "kernels/grid/rows_in_memory.hpp"

namespace wavesim {

/// Huge pages, if the system grants them: the tiles of a sum change the page of every vector often.
inline void prefer_huge_pages(void* p, std::size_t bytes) {
  constexpr std::size_t small_page = 4096;
  if (bytes < std::size_t(8) << 20) return;
  const std::size_t askew = reinterpret_cast<std::uintptr_t>(p) % small_page;
  const std::size_t before = askew ? small_page - askew : 0;  // of the first whole page
  madvise(static_cast<char*>(p) + before, bytes - before, MADV_HUGEPAGE);
}

/// Zeroed bytes from an address of 128 on, touched first by the threads that will work on them. Freed by std::free.
inline void* zeroed_memory(std::size_t wanted) {
  constexpr std::size_t page = 1 << 16;
  const std::size_t bytes = (wanted + 127) / 128 * 128;
  void* p = std::aligned_alloc(128, bytes ? bytes : 128);
  if (!p) throw std::bad_alloc();
  prefer_huge_pages(p, bytes);
  char* c = static_cast<char*>(p);
  const long pages = long((bytes + page - 1) / page);
#pragma omp parallel for schedule(static) if (pages > 16)
  for (long k = 0; k < pages; ++k) {
    const std::size_t first = std::size_t(k) * page;
    std::memset(c + first, 0, bytes - first < page ? bytes - first : page);
  }
  return p;
}

/// Zeroed bytes of which only those cost memory that are written: of fields that ranks share out. Freed by munmap. Throws
/// bad_alloc.
inline void* sparse_memory(std::size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  prefer_huge_pages(p, bytes);
  return p;
}
/// The same, of which only parts may be touched. The others have addresses alone, as on a GPU (device_memory.hpp).
inline void* sparse_memory(std::size_t bytes, const std::vector<ByteRange>& parts) {
  constexpr std::size_t page = 4096;
  void* p = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  for (const ByteRange& part : whole_granules(parts, page)) {
    char* const first = static_cast<char*>(p) + part.first;
    if (mprotect(first, part.end - part.first, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    prefer_huge_pages(first, part.end - part.first);
  }
  return p;
}

}  // namespace wavesim
