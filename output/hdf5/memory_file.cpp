#include "output/hdf5/memory_file.hpp"

#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include "output/run/in_threads.hpp"

namespace wavesim {

namespace {

constexpr std::uint64_t huge_page = 2 << 20, piece_bytes = 2 * huge_page;

// Linux's MADV_POPULATE_WRITE (5.14) and MADV_COLLAPSE (6.1), which older headers lack.
constexpr int populate_write = 23, collapse = 25;

std::uint64_t down(std::uint64_t n, std::uint64_t unit) { return n / unit * unit; }
std::uint64_t up(std::uint64_t n, std::uint64_t unit) { return down(n + unit - 1, unit); }
std::uint64_t page_bytes() { return std::uint64_t(sysconf(_SC_PAGESIZE)); }

/// Of no bytes: whether the system knows this advice.
bool known(int advice) { return madvise(nullptr, 0, advice) == 0; }

/// A part of a file in memory, from a multiple of huge_page on, so that huge pages fit.
class Map {
 public:
  Map(int file, std::uint64_t first, std::uint64_t end) : first_(first), size_(end - first) {
    room_ = mmap(nullptr, size_ + huge_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room_ == MAP_FAILED) return;
    char* const at = static_cast<char*>(room_);
    char* const base = at + (up(std::uint64_t(at), huge_page) - std::uint64_t(at));
    if (mmap(base, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, off_t(first)) != MAP_FAILED)
      base_ = base;
  }
  Map(const Map&) = delete;
  ~Map() {
    if (room_ != MAP_FAILED) munmap(room_, size_ + huge_page);
  }
  bool open() const { return base_ != nullptr; }
  char* at(std::uint64_t offset) const { return base_ + (offset - first_); }

 private:
  void* room_ = MAP_FAILED;
  char* base_ = nullptr;
  const std::uint64_t first_, size_;
};

/// Takes memory for bytes from .. to of the file; those that are there stay. To touch a page that the system
/// has no memory for would end the process by SIGBUS. False: errno says why not.
bool populate(const Map& map, std::uint64_t from, std::uint64_t to) {
  from = down(from, page_bytes());
  while (madvise(map.at(from), up(to, page_bytes()) - from, populate_write) != 0) {
    if (errno == EINTR) continue;
    if (errno == EFAULT) errno = ENOSPC;  // it says: SIGBUS would have come
    return false;
  }
  return true;
}

/// The huge pages between from and to, of which the file has nothing yet. /dev/shm has them neither by
/// default nor on madvise(MADV_HUGEPAGE), but makes one of pages that are there: one of them suffices. False:
/// the system did not make one, which only costs time.
bool make_huge(const Map& map, std::uint64_t from, std::uint64_t to) {
  from = up(from, huge_page);
  to = down(to, huge_page);
  if (from >= to) return true;
  for (std::uint64_t page = from; page < to; page += huge_page)
    if (!populate(map, page, page + 1)) return false;
  return madvise(map.at(from), to - from, collapse) == 0;
}

}  // namespace

unsigned mapped_write_threads() { return std::max(1u, std::thread::hardware_concurrency() / 2); }

bool maps_well(int file) {
  struct statfs system;
  if (fstatfs(file, &system) != 0 || system.f_type != TMPFS_MAGIC || !known(populate_write)) return false;
  // In small pages a thread takes 1.6 times as long as write().
  return known(collapse) || mapped_write_threads() > 2;
}

int write_mapped(int file, std::uint64_t offset, const void* bytes, std::size_t size, unsigned threads) {
  const std::uint64_t end = offset + size, first = down(offset, huge_page);
  struct stat now;
  if (fstat(file, &now) != 0) return errno;
  const bool grows = std::uint64_t(now.st_size) < end;
  if (grows && ftruncate(file, off_t(end)) != 0) return errno;

  std::atomic<int> error{0};
  {
    const Map map(file, first, end);
    if (!map.open()) error = errno;
    std::atomic<bool> huge{known(collapse)};
    const auto piece = [&](std::size_t k) {
      if (error) return;
      const std::uint64_t from = std::max(first + k * piece_bytes, offset),
                          to = std::min(first + (k + 1) * piece_bytes, end);
      if (huge && !make_huge(map, from, to)) huge = false;
      if (!populate(map, from, to))
        error = errno;
      else
        std::memcpy(map.at(from), static_cast<const char*>(bytes) + (from - offset), to - from);
    };
    in_threads((end - first + piece_bytes - 1) / piece_bytes, piece, threads);
  }
  if (error && grows) [[maybe_unused]]
    const int best_effort = ftruncate(file, now.st_size);
  return error;
}

}  // namespace wavesim
