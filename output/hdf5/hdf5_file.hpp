#pragma once
// The HDF5 file of a running simulation: what is on disk is whole after every write.

#include "sim/input/hdf5_handle.hpp"

namespace wavesim::hdf5 {

/// Properties that keep a killed file readable:
///   - the chunk index of every dataset is one node with capacity for all `chunks` entries (H5Pset_istore_k):
///     it never splits, so an entry in use is never moved;
///   - metadata is written by flush() only, never because a cache is full: see disable_eviction in the .cpp;
///   - the oldest file format, which has no "file is open" flag that would survive the process;
///   - no lock, so that ParaView can open the file while the run goes on.
class File {
 public:
  /// Creates (truncates) the file. `durable`: what a flush writes is on the disk when it returns, so that after
  /// a power cut, too, nothing refers to data that are missing. Throws Failure.
  File(const std::string& path, std::size_t chunks, bool durable = false);
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  operator hid_t() const { return file_; }
  /// As the system knows the file; -1 where HDF5 does not say.
  int descriptor() const;
  void flush();
  /// Nothing more reaches the disk, closing included: after a failed write the file stays as the last flush
  /// left it.
  void abandon();
  /// All is on the disk when this returns. Throws Failure where it cannot be.
  void close();

  /// Chunks of one dataset, at most: the index node's size is a 16-bit number.
  static constexpr std::size_t most_chunks = 65534;

 private:
  void sync();
  Handle file_;
  bool durable_;
};

}  // namespace wavesim::hdf5
