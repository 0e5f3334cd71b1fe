#include "solvers/core/archive.hpp"

#include <cstring>
#include <stdexcept>

#include "kernels/backend/errors.hpp"

namespace wavesim {

namespace {

const char* word(Archive::Kind kind) {
  switch (kind) {
    case Archive::Kind::real64:
      return "double";
    case Archive::Kind::real32:
      return "float";
    case Archive::Kind::int64:
      return "64-bit integer";
    case Archive::Kind::int32:
      return "32-bit integer";
    case Archive::Kind::character:
      break;
  }
  return "text";
}

std::size_t count(const Archive::Shape& shape) {
  std::size_t n = 1;
  for (const std::size_t length : shape) n *= length;
  return n;
}

std::string sizes(const Archive::Shape& shape) {
  std::string s;
  for (const std::size_t length : shape) s += (s.empty() ? "" : " x ") + std::to_string(length);
  return s;
}

[[noreturn]] void refuse(const std::string& name, const std::string& saved, const std::string& wanted) {
  throw InputError("saved state: '" + name + "' is " + saved + ", and this run needs " + wanted +
                   "; go on with the config that it was saved with");
}

}  // namespace

std::size_t Archive::size_of(Kind kind) {
  switch (kind) {
    case Kind::real64:
    case Kind::int64:
      return 8;
    case Kind::real32:
    case Kind::int32:
      return 4;
    case Kind::character:
      break;
  }
  return 1;
}

SavedEntry& SaveInMemory::new_entry(const std::string& name, Kind kind, const Shape& shape) {
  const auto [at, is_new] = to_.try_emplace(name);
  if (!is_new) throw std::logic_error("saved state: two parts are named '" + name + "'");
  at->second.kind = kind;
  at->second.shape = shape;
  return at->second;
}

void SaveInMemory::exchange(const std::string& name, Kind kind, const Shape& shape, void* data) {
  const std::byte* const begin = static_cast<const std::byte*>(data);
  new_entry(name, kind, shape).bytes.assign(begin, begin + count(shape) * size_of(kind));
}

void SaveInMemory::exchange_rows(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                                 std::size_t count, void* data) {
  SavedEntry& e = first == 0 ? new_entry(name, kind, shape) : to_.at(name);
  const std::byte* const begin = static_cast<const std::byte*>(data);
  e.bytes.insert(e.bytes.end(), begin, begin + count * shape[1] * size_of(kind));
}

const SavedEntry& LoadFromMemory::entry_of(const std::string& name, Kind kind) const {
  const auto at = from_.find(name);
  if (at == from_.end())
    throw InputError("saved state: '" + name + "' is missing; go on with the config that it was saved with");
  if (at->second.kind != kind) refuse(name, word(at->second.kind), word(kind));
  return at->second;
}

std::size_t LoadFromMemory::saved_length(const std::string& name, Kind kind) const {
  const SavedEntry& e = entry_of(name, kind);
  if (e.shape.size() != 1) refuse(name, sizes(e.shape), "a list");
  return e.shape.front();
}

void LoadFromMemory::exchange(const std::string& name, Kind kind, const Shape& shape, void* data) {
  const SavedEntry& e = entry_of(name, kind);
  if (e.shape != shape) refuse(name, sizes(e.shape), sizes(shape));
  if (!e.bytes.empty()) std::memcpy(data, e.bytes.data(), e.bytes.size());
}

void LoadFromMemory::exchange_rows(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                                   std::size_t count, void* data) {
  const SavedEntry& e = entry_of(name, kind);
  if (e.shape != shape) refuse(name, sizes(e.shape), sizes(shape));
  const std::size_t row = shape[1] * size_of(kind);
  if (count > 0) std::memcpy(data, e.bytes.data() + first * row, count * row);
}

}  // namespace wavesim
