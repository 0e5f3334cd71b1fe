#pragma once
// HDF5 ids that close themselves, and failures as exceptions.

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace wavesim::hdf5 {

/// What HDF5 could not do; the text ends with the system's own words where there are any.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The reason the system gives for the latest failure ("No space left on device"), else HDF5's innermost
/// message.
std::string latest_reason();

/// HDF5 prints nothing in this thread from here on: failures are exceptions, not pages on stderr.
inline void silence() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }
/// The same once for each thread that calls it: where the library serves threads, each of them has its own messages.
inline void silence_this_thread() { [[maybe_unused]] thread_local const bool silent = (silence(), true); }

template <class Status>
Status check(Status status, const char* what) {
  if (status < 0) throw Failure(std::string(what) + ": " + latest_reason());
  return status;
}

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  /// Of what may be absent or damaged: open() says whether it is there.
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  /// Throws Failure.
  Handle(hid_t id, Close close, const char* what) : id_(check(id, what)), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { reset(); }
  operator hid_t() const { return id_; }
  bool open() const { return id_ >= 0; }
  void reset() {
    if (id_ >= 0) close_(id_);
    id_ = -1;
  }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

}  // namespace wavesim::hdf5
