#pragma once
// Large writes to a file in memory (tmpfs: /dev/shm).
//
// write() takes one page of 4 KiB after the other from the system, fills it, and locks the file meanwhile: a
// second thread does not help. Through a memory map several threads write in parallel, and in huge pages where
// the system grants them: a third of the processor time (docs/notes/output.md).

#include <cstddef>
#include <cstdint>

namespace wavesim {

/// Threads that write_mapped() takes unless told: half of the processors; the others continue the computation.
unsigned mapped_write_threads();

/// Whether write_mapped() writes to this open file, and faster than write() does.
bool maps_well(int file);

/// Writes `size` bytes at `offset`; a file that ends before they do grows. 0, or the system's number of the
/// error: no space, ...; the file then has the length that it had.
[[nodiscard]] int write_mapped(int file, std::uint64_t offset, const void* bytes, std::size_t size,
                               unsigned threads = mapped_write_threads());

}  // namespace wavesim
