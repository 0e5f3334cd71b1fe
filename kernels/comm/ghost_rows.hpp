#pragma once
// What a backend knows of rows that are other ranks'.

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "kernels/backend/elements.hpp"
#include "kernels/comm/shared_rows.hpp"
#include "kernels/memory/field.hpp"

namespace wavesim {

/// Of backend B, which derives from it and has shared(), counts() and map().
template <class B>
class GhostRows {
 public:
  /// Brings `depth` rows on either side of this rank's from their ranks, for kernels that gather from there: of fields of one
  /// extent, but for those that are null.
  template <class T>
  void fetch_ghosts(int depth, std::initializer_list<const Field<B, T>*> fields) {
    std::vector<const T*> first;
    Extent e;
    for (const Field<B, T>* f : fields)
      if (f && !f->extent().whole()) first.push_back(f->data()), e = f->extent();
    fetch_ghosts_at<T>(depth, e, first);
  }
  template <class T, class... Fields>
  void fetch_ghosts(int depth, const Field<B, T>& first, const Fields&... others) {
    fetch_ghosts<T>(depth, {&first, &others...});
  }
  /// The same of fields of which only the address of the linear index 0 is known.
  template <class T>
  void fetch_ghosts_at(int depth, const Extent& e, std::span<const T* const> fields) {
    if (e.whole() || fields.empty()) return;
    const std::size_t pitch = std::size_t(e.pitch) * sizeof(T);
    std::vector<RowsInMemory> rows;
    for (const T* first : fields)
      rows.push_back({const_cast<T*>(first) - std::ptrdiff_t(e.base) * e.pitch, pitch});
    be().counts().add("ghost rows", 2.0 * depth * double(pitch) * double(rows.size()), false);
    be().shared()->fetch_ghosts(e, depth, rows);
  }

  /// Rows start[k] to start[k + 1] - 1 of fields that each rank has whole become those of rank k.
  template <class T, class... Fields>
  void fetch_all(std::span<const int> start, const Field<B, T>& first, const Fields&... others) {
    const std::size_t pitch = std::size_t(first.extent().pitch) * sizeof(T);
    const std::vector<RowsInMemory> rows{{first.origin(), pitch}, {others.origin(), pitch}...};
    be().counts().add("rows of all ranks", double(first.extent().ny) * double(pitch) * double(rows.size()),
                      false);
    be().shared()->fetch_all(start, rows);
  }

  /// f(values...) on the elements of as many rows as fetch_ghosts brings: what this rank can compute itself.
  template <class F, class... A>
  void map_ghosts(const char* label, const Extent& e, int depth, F f, A... a) {
    each_side(e, depth, [&](const Extent& some) { be().map(label, some, f, a...); });
  }
  /// f(Row, values...) on those rows and on this rank's own.
  template <class F, class... A>
  void rows_with_ghosts(const char* label, const Rows& rows, int depth, double gathered, F f, A... a) {
    be().rows(label, rows, gathered, f, a...);
    each_side(rows.extent, depth,
              [&](const Extent& some) { be().rows(label, Rows(some, rows.edges), gathered, f, a...); });
  }

 private:
  /// Counts as one pass: a rank at an end has one side, and others, whose loops have to be alike, have two.
  template <class Do>
  void each_side(const Extent& e, int depth, const Do& act) {
    if (e.whole()) return;
    const long passes = be().counts().passes;
    const auto rows = [&](int first) {
      Extent some = e;
      some.first_own = (first % e.ny + e.ny) % e.ny;
      some.own_end = some.first_own + depth;
      act(some);
    };
    if (e.first_own > 0 || e.ring) rows(e.first_own - depth);
    if (e.end_own() < e.ny || e.ring) rows(e.end_own());
    be().counts().passes = passes + 1;
  }
  B& be() { return static_cast<B&>(*this); }
};

}  // namespace wavesim
