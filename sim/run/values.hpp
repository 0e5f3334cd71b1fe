#pragma once
// The values of a plane: floats or doubles, which may still be on their way from a device, or be those of several ranks.

#include <cstddef>
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
  /// `count` floats or doubles that arrive.
  Values(std::shared_ptr<const PendingCopy> from, std::size_t count, bool single)
      : from_(std::move(from)), count_(count), single_(single) {}

  std::size_t size() const { return count_; }
  bool single() const { return single_; }
  /// Waits until they are there; from any thread.
  const void* data() const { return from_->wait(); }
  template <class T>
  std::span<const T> as() const {
    if (single_ != (sizeof(T) == sizeof(float))) throw std::logic_error("a plane in the other precision");
    return {static_cast<const T*>(data()), count_};
  }
  /// Values `first` to `first + count` - 1: where they lie, or in `scratch`, where they come from several ranks. So nobody needs
  /// room for all of them. From any thread.
  const void* part(std::size_t first, std::size_t count, std::vector<char>& scratch) const {
    const std::size_t word = single_ ? sizeof(float) : sizeof(double);
    if (is_local()) return static_cast<const char*>(from_->wait()) + first * word;
    scratch.resize(count * word);
    from_->read(first * word, count * word, scratch.data());
    return scratch.data();
  }
  /// Whether no other rank has any of them.
  bool is_local() const { return from_->is_local(); }
  /// Where they come from, as bytes.
  const std::shared_ptr<const PendingCopy>& source() const { return from_; }
  /// f(span of floats or of doubles)
  template <class F>
  decltype(auto) visit(F&& f) const {
    return single_ ? f(as<float>()) : f(as<double>());
  }

 private:
  template <class T>
  struct Here final : PendingCopy {
    explicit Here(std::vector<T> v) : values(std::move(v)) {}
    const void* wait() const override { return values.data(); }
    std::vector<T> values;
  };
  template <class T>
  explicit Values(std::shared_ptr<Here<T>> here)
      : count_(here->values.size()), single_(sizeof(T) == sizeof(float)) {
    from_ = std::move(here);
  }

  std::shared_ptr<const PendingCopy> from_;
  std::size_t count_ = 0;
  bool single_ = true;
};

}  // namespace wavesim
