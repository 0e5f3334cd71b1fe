#pragma once
// Host memory that something is copied to beside further work.

namespace wavesim {

/// The last owner gives the memory back to whoever lent it.
struct PendingCopy {
  virtual ~PendingCopy() = default;
  /// The memory, once all of it has arrived. From any thread.
  virtual const void* wait() const = 0;
};

}  // namespace wavesim
