#pragma once
// Host memory that a copy fills beside further work.

namespace wavesim {

/// The memory goes back to its pool with the last owner.
struct PendingCopy {
  virtual ~PendingCopy() = default;
  /// Waits for the copy and returns the memory. From any thread.
  virtual const void* wait() const = 0;
};

}  // namespace wavesim
