#pragma once
// A strip of columns in blocked sweeps on a CPU (blocked_sweeps_host.hpp), and where its rows lie in fields.

#include <algorithm>

#include "kernels/memory/cache_lines.hpp"
#include "kernels/memory/prefetch.hpp"
#include "kernels/temporal/block_plan.hpp"

namespace wavesim {

/// Rows as long as a strip is wide, each with zeros at both ends.
template <class T>
class StripRows {
 public:
  explicit StripRows(int rows) : rows_(std::size_t(stride) * std::size_t(rows)) {}
  /// All are zeros then. The first time they still are.
  void clear() {
    if (used_) rows_.assign(rows_.size(), T(0));
    used_ = true;
  }
  T* operator[](int k) { return rows_.data() + std::size_t(k) * stride + pad; }

 private:
  static constexpr int pad = cache_line / sizeof(T);
  static constexpr int stride = (temporal::columns<T> + 2 * pad + pad - 1) / pad * pad;
  CacheLines<T> rows_;
  bool used_ = false;
};

template <class T>
class HostStrip {
 public:
  HostStrip(const Topology& t, RowStarts starts) : topology_(t), starts_(starts) {}

  /// Goes to the strip whose first column is `first_col`, of which `wanted` columns are needed. Round a periodic axis it may
  /// reach beyond the domain; else what it has beyond it is the padding of a row, which holds zeros.
  void go_to(int first_col, int wanted) {
    const Topology& t = topology_;
    first_col_ = first_col;
    lines_ = (wanted + line_columns - 1) / line_columns;
    from_ = t.wrap_x != 0 || first_col > 0 ? 0 : -first_col;
    to_ = t.wrap_x != 0 || t.nx - first_col > width() ? width() : t.nx - first_col;
    in_place_ = first_col >= 0 && first_col + width() <= (t.wrap_x != 0 ? t.nx : starts_.pitch);
  }
  /// Its columns that are computed: whole cache lines, so that loops have no rest.
  int width() const { return lines_ * line_columns; }
  const Topology& topology() const { return topology_; }
  int first_col() const { return first_col_; }
  /// Its columns in the domain: from .. to - 1.
  int from() const { return from_; }
  int to() const { return to_; }
  /// Where a row of it begins in a field.
  long line(int row) const { return long(starts_(row)) + first_col_; }

  void clear_outside(T* row) const {
    for (int k = 0; k < from_; ++k) row[k] = 0;
    for (int k = to_; k < width(); ++k) row[k] = 0;
  }
  /// Copies a row of a field, with zeros beyond the domain or if there is no field.
  void load(const T* field, int row, T* to) const {
    const Topology& t = topology_;
    if (t.wrap_y != 0) row = ring(row, t.ny);
    if (!field || row < 0 || row >= t.ny) {
      for (int k = 0; k < width(); ++k) to[k] = 0;
      return;
    }
    const T* const line = field + starts_(row);
    if (t.wrap_x != 0 && !in_place_) {
      for (int k = 0, col = ring(first_col_, t.nx); k < width(); col = 0) {
        const int run = std::min(width() - k, t.nx - col);
        std::copy_n(line + col, run, to + k);
        k += run;
      }
      return;
    }
    for (int k = from_; k < to_; ++k) to[k] = line[first_col_ + k];
    clear_outside(to);
  }
  /// Whether rows are read where they lie in fields.
  bool in_place() const { return in_place_; }
  /// A row of a field where it lies, or, of a strip that reaches beyond the domain, a copy in `room`.
  const T* row_of(const T* field, int row, T* room, const T* zeros) const {
    const Topology& t = topology_;
    if (t.wrap_y != 0) row = ring(row, t.ny);
    if (!field || row < 0 || row >= t.ny) return zeros;
    if (in_place_) return field + line(row);
    load(field, row, room);
    return room;
  }
  /// Fetches a part of a row of a field that will be asked for: rows of a strip are short, and each begins on a page
  /// of its own, so that the machine does not see them come.
  void fetch(const T* field, int row, PartOfRow part) const {
    if (field && row >= 0 && row < topology_.ny) prefetch(field + line(row), width(), part);
  }

 private:
  static constexpr int line_columns = int(cache_line / sizeof(T));
  const Topology topology_;
  const RowStarts starts_;
  int first_col_ = 0, lines_ = 0;
  int from_ = 0, to_ = 0;
  bool in_place_ = false;
};

}  // namespace wavesim
