#pragma once
// What a run needs to go on from where it was, by name. Whoever holds state that decides the bits to come has
// `archive(Archive&)`: it names each piece once, and the archive saves it or puts back what was saved.

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/memory/field.hpp"

namespace wavesim {

class Archive {
 public:
  enum class Kind { real64, real32, int64, int32, character };
  /// The lengths of rows of numbers, the slowest first.
  using Shape = std::vector<std::size_t>;

  virtual ~Archive() = default;
  /// Whether what was saved is put back. What follows from it is then to be made anew.
  virtual bool loading() const = 0;

  template <class N>
  void number(const std::string& name, N& v) {
    if constexpr (std::is_same_v<N, bool>) {
      int as_int = v;
      number(name, as_int);
      v = as_int != 0;
    } else {
      numbers(name, {1}, &v);
    }
  }
  /// As many as there were.
  template <class N>
  void list(const std::string& name, std::vector<N>& v) {
    if (loading()) v.resize(length(name, kind_of<N>()));
    numbers(name, {v.size()}, v.data());
  }
  void text(const std::string& name, std::string& s) {
    if (loading()) s.resize(length(name, Kind::character));
    entry(name, Kind::character, {s.size()}, s.data());
  }
  /// Without line breaks in them.
  void list(const std::string& name, std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    text(name, all);
    lines.clear();
    for (std::size_t at = 0, end; (end = all.find('\n', at)) != std::string::npos; at = end + 1)
      lines.push_back(all.substr(at, end - at));
  }
  /// rows x columns numbers.
  template <class N>
  void table(const std::string& name, std::vector<N>& v, std::size_t rows, std::size_t columns) {
    numbers(name, {rows, columns}, v.data());
  }
  /// Row after row, without padding and ghosts.
  template <class B, class T>
  void field(const std::string& name, Field<B, T>& f) {
    const Extent& e = f.extent();
    const std::size_t nx = std::size_t(e.nx), rows = std::size_t(e.end_own() - e.first_own),
                      pitch = std::size_t(e.pitch);
    std::vector<T> packed(nx * rows), own = loading() ? std::vector<T>(pitch * rows) : f.own_rows();
    for (std::size_t row = 0; row < rows; ++row) std::copy_n(&own[row * pitch], nx, &packed[row * nx]);
    const std::size_t first = std::size_t(e.first_own) * nx;
    exchange_part(within_ + name, kind_of<T>(), {std::size_t(e.ny), nx}, first, first + packed.size(),
                  packed.data());
    if (!loading()) return;
    for (std::size_t row = 0; row < rows; ++row) std::copy_n(&packed[row * nx], nx, &own[row * pitch]);
    f.upload_own_rows(own.data());
  }

  /// A list of all ranks, of which a field has `count` elements from `begin` on. The field's elements `first` to `end` - 1 are this
  /// rank's to save; those before and after them are other ranks', and are put back here, too.
  struct ListPart {
    std::size_t begin, count, first, end;
    Extent whole;  // vector_extent of the whole list
  };
  template <class B, class T>
  void list_of_part(const std::string& name, Field<B, T>& f, const ListPart& part) {
    const Shape shape{std::size_t(part.whole.ny), std::size_t(part.whole.pitch)};
    std::vector<T> values = loading() ? std::vector<T>(std::size_t(f.extent().count())) : f.own_rows();
    if (!loading())
      return exchange_part(within_ + name, kind_of<T>(), shape, part.begin + part.first,
                           part.begin + part.end, values.data() + part.first);
    exchange_part(within_ + name, kind_of<T>(), shape, part.begin, part.begin + part.count, values.data());
    f.upload_own_rows(values.data());
  }

  /// While it lives, names are those within a part.
  class Part {
   public:
    Part(Archive& archive, const std::string& name) : archive_(archive), outside_(archive.within_) {
      archive_.within_ += name + "/";
    }
    Part(const Part&) = delete;
    ~Part() { archive_.within_ = outside_; }

   private:
    Archive& archive_;
    std::string outside_;
  };
  Part part(const std::string& name) { return {*this, name}; }

 protected:
  /// Saves what lies at `data`, or puts there what was saved under the name. Throws InputError if that is
  /// missing, or of another kind or shape.
  virtual void exchange(const std::string& name, Kind kind, const Shape& shape, void* data) = 0;
  /// The same where this rank has elements first .. end - 1, which lie at `part`; here they are all. Ranks save one after the
  /// other's, from the first element on; what is put back may be several ranks'.
  virtual void exchange_part(const std::string& name, Kind kind, const Shape& shape, std::size_t /*first*/,
                             std::size_t /*end*/, void* part) {
    exchange(name, kind, shape, part);
  }
  /// Rows `first` to `first + count` - 1 of a piece of that shape, rows x columns. Where it is saved, callers pass consecutive
  /// ranges, the first of which starts at row 0. Throws like `exchange`.
  virtual void exchange_rows(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                             std::size_t count, void* data) = 0;
  /// Of a list that was saved. Throws InputError like `exchange`.
  virtual std::size_t saved_length(const std::string& name, Kind kind) const = 0;

  static std::size_t size_of(Kind kind);

 private:
  friend class ArchiveOnRanks;
  template <class N>
  static constexpr Kind kind_of() {
    static_assert(std::is_arithmetic_v<N>);
    if constexpr (std::is_floating_point_v<N>)
      return sizeof(N) == 8 ? Kind::real64 : Kind::real32;
    else
      return sizeof(N) == 8 ? Kind::int64 : Kind::int32;
  }
  template <class N>
  void numbers(const std::string& name, const Shape& shape, N* data) {
    entry(name, kind_of<N>(), shape, data);
  }
  void entry(const std::string& name, Kind kind, const Shape& shape, void* data) {
    exchange(within_ + name, kind, shape, data);
  }
  void rows_of_entry(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                     std::size_t count, void* data) {
    exchange_rows(within_ + name, kind, shape, first, count, data);
  }
  std::size_t length(const std::string& name, Kind kind) const { return saved_length(within_ + name, kind); }

  std::string within_;
};

/// A saved state in memory.
struct SavedEntry {
  Archive::Kind kind = Archive::Kind::real64;
  Archive::Shape shape;
  std::vector<std::byte> bytes;
  bool operator==(const SavedEntry&) const = default;
};
using SavedState = std::map<std::string, SavedEntry>;

class SaveInMemory final : public Archive {
 public:
  explicit SaveInMemory(SavedState& to) : to_(to) { to.clear(); }
  bool loading() const override { return false; }

 protected:
  void exchange(const std::string& name, Kind kind, const Shape& shape, void* data) override;
  void exchange_rows(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                     std::size_t count, void* data) override;
  std::size_t saved_length(const std::string&, Kind) const override { return 0; }

 private:
  SavedEntry& new_entry(const std::string& name, Kind kind, const Shape& shape);

  SavedState& to_;
};

class LoadFromMemory final : public Archive {
 public:
  explicit LoadFromMemory(const SavedState& from) : from_(from) {}
  bool loading() const override { return true; }

 protected:
  void exchange(const std::string& name, Kind kind, const Shape& shape, void* data) override;
  void exchange_rows(const std::string& name, Kind kind, const Shape& shape, std::size_t first,
                     std::size_t count, void* data) override;
  std::size_t saved_length(const std::string& name, Kind kind) const override;

 private:
  const SavedEntry& entry_of(const std::string& name, Kind kind) const;

  const SavedState& from_;
};

}  // namespace wavesim
