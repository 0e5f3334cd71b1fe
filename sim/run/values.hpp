#pragma once
// The values of a plane: floats, doubles or bytes, which may still be on their way from a device, or be those of several ranks.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/memory/pending_copy.hpp"

namespace wavesim {

/// Copies share the values; the last one gives their memory back.
class Values {
 public:
  Values() : Values(std::vector<float>()) {}
  Values(std::vector<float> v) : Values(std::make_shared<Here<float>>(std::move(v))) {}
  Values(std::vector<double> v) : Values(std::make_shared<Here<double>>(std::move(v))) {}
  Values(std::vector<std::uint8_t> v) : Values(std::make_shared<Here<std::uint8_t>>(std::move(v))) {}
  /// `count` numbers of `word` bytes that arrive.
  Values(std::shared_ptr<const PendingCopy> from, std::size_t count, std::size_t word)
      : from_(std::move(from)), count_(count), word_(word) {}

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  std::size_t word() const { return word_; }
  bool single() const { return word_ == sizeof(float); }
  /// Waits until they are there; from any thread.
  const void* data() const { return from_->wait(); }
  template <class T>
  std::span<const T> as() const {
    if (word_ != sizeof(T)) throw std::logic_error("a plane in the other precision");
    return {static_cast<const T*>(data()), count_};
  }
  /// Values `first` to `first + count` - 1: where they lie, or in `scratch`, where they come from several ranks. So nobody needs
  /// room for all of them. From any thread.
  const void* part(std::size_t first, std::size_t count, std::vector<char>& scratch) const {
    if (is_local()) return static_cast<const char*>(from_->wait()) + first * word_;
    scratch.resize(count * word_);
    from_->read(first * word_, count * word_, scratch.data());
    return scratch.data();
  }
  /// Whether no other rank has any of them.
  bool is_local() const { return from_->is_local(); }
  /// Where they come from, as bytes.
  const std::shared_ptr<const PendingCopy>& source() const { return from_; }
  /// f(span of floats or of doubles)
  template <class F>
  decltype(auto) visit(F&& f) const {
    return single() ? f(as<float>()) : f(as<double>());
  }

 private:
  template <class T>
  struct Here final : PendingCopy {
    explicit Here(std::vector<T> v) : values(std::move(v)) {}
    const void* wait() const override { return values.data(); }
    std::vector<T> values;
  };
  template <class T>
  explicit Values(std::shared_ptr<Here<T>> here) : count_(here->values.size()), word_(sizeof(T)) {
    from_ = std::move(here);
  }

  std::shared_ptr<const PendingCopy> from_;
  std::size_t count_ = 0;
  std::size_t word_ = sizeof(float);
};

}  // namespace wavesim
