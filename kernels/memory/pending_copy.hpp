#pragma once
// Host memory that a copy fills beside further work.

#include <cstddef>
#include <cstring>

namespace wavesim {

/// The memory goes back to its pool with the last owner.
struct PendingCopy {
  virtual ~PendingCopy() = default;
  /// Waits for the copy and returns the memory. From any thread.
  virtual const void* wait() const = 0;
  /// Whether all of it is, or arrives, in this process: wait() then makes no further copy.
  virtual bool is_local() const { return true; }
  /// Bytes `first` to `first + bytes` - 1. From any thread.
  virtual void read(std::size_t first, std::size_t bytes, void* to) const {
    std::memcpy(to, static_cast<const char*>(wait()) + first, bytes);
  }
};

}  // namespace wavesim
