#pragma once
// Sums of the rows of a field against the eigenvectors of the second difference along a row, for every mix of
// ends: the discrete sine, cosine and Hartley transforms (Strang 1999; Bracewell 1983). Free ends (half
// cells) have cosines, fixed ones sines that vanish one spacing beyond the last point, periodic ones both.
//
// Two rows are one row of complex values. Quarter waves (of which the axis holds an odd number of quarter
// periods) need one complex transform of the axis' own length, after each value is multiplied by a phase factor
// (Makhoul 1980). Sines and cosines of an axis with two equal ends split into quarter waves and sines or
// cosines on half the axis: at most three such splits, after which the rest, an eighth, is transformed with its
// mirror image. No value is divided by a sine, which would cost half of the digits.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "kernels/backend/errors.hpp"
#include "kernels/backend/strips.hpp"
#include "kernels/memory/field.hpp"
#include "kernels/transform/even_odd_split.hpp"
#include "kernels/transform/fourier.hpp"

namespace wavesim {

/// One axis of a rectangle: n points, and whether its two ends are fixed, if it is not periodic.
struct Axis {
  int n = 1;
  bool periodic = false, fixed_low = true, fixed_high = true;
};

/// The layout of the modes of an axis: places of complex values, some unused, in pieces that each are one
/// Fourier transform.
class AxisModes {
 public:
  struct Piece {
    int start, length;
  };
  explicit AxisModes(const Axis& axis) : axis_(axis) {
    const int n = axis.n;
    if (axis.periodic) {
      add(n);
      return;
    }
    shape_.odd = axis.fixed_low;
    shape_.quarter = axis.fixed_low != axis.fixed_high;
    shape_.first_col = axis.fixed_low ? -1 : 0;
    if (shape_.quarter) {
      shape_.m = n;
      quarter_waves(n);
      return;
    }
    int rest = axis.fixed_low ? n + 1 : n - 1;
    for (; splits_ < most_splits && rest > 0 && rest % 2 == 0; ++splits_) quarter_waves(rest /= 2);
    shape_.m = rest;
    shape_.start[splits_] = add(std::max(2 * rest, 1));
  }

  const Axis& axis() const { return axis_; }
  int splits() const { return splits_; }
  int places() const { return places_; }
  const std::vector<Piece>& pieces() const { return pieces_; }
  const SplitShape& shape() const { return shape_; }

  /// At each place, the eigenvalue of W^-1 K with faces of 1, K the second difference, W the cells, half ones
  /// at free ends; and one over v' W v of the eigenvector. Zero where there is no mode.
  struct Mode {
    double eigenvalue = 0, weight = 0;
  };
  std::vector<Mode> modes() const {
    std::vector<Mode> all(places_);
    const int n = axis_.n;
    // phase per point, or its complement to half a period: slow waves keep all their digits
    const auto at = [](long part, long of) {
      const double s = std::sin(std::numbers::pi / 2 * double(part > of ? 2 * of - part : part) / double(of));
      return 4 * s * s;
    };
    if (axis_.periodic) {
      for (int k = 0; k < n; ++k) all[k] = {at(2 * k, n), (k == 0 || 2 * k == n ? 1.0 : 2.0) / n};
      return all;
    }
    const double weight = shape_.quarter    ? 2.0 / n
                          : axis_.fixed_low ? 2.0 / (n + 1)
                          : n > 1           ? 2.0 / (n - 1)
                                            : 8;
    const int quarters = shape_.quarter ? 1 : splits_;
    for (int f = 0; f < quarters; ++f) {
      const Piece p = pieces_[f];
      for (int k = 0; k < p.length; ++k) all[p.start + k] = {at(4 * k + 1, 2 * p.length), weight};
    }
    if (shape_.quarter) return all;
    const Piece p = pieces_.back();  // each mode but the first and the last twice, with half of its weight
    for (int k = 0; k < p.length; ++k)
      if (!shape_.odd || (2 * k) % p.length != 0) all[p.start + k] = {at(k, std::max(shape_.m, 1)), weight};
    return all;
  }

  /// exp(-i pi k / (2 M)) of each piece of quarter waves.
  template <class T>
  std::vector<RowPair<T>> turns() const {
    std::vector<RowPair<T>> all(places_);
    for (int f = 0; f < (shape_.quarter ? 1 : splits_); ++f)
      for (int k = 0; k < pieces_[f].length; ++k) {
        const double angle = std::numbers::pi * k / (2.0 * pieces_[f].length);
        all[shape_.twiddle[f] + k] = {T(std::cos(angle)), T(-std::sin(angle))};
      }
    return all;
  }

 private:
  static constexpr int most_splits = 3;
  int add(int length) {
    pieces_.push_back({places_, length});
    places_ += (length + 7) / 8 * 8;
    return pieces_.back().start;
  }
  void quarter_waves(int length) { shape_.start[splits_] = shape_.twiddle[splits_] = add(length); }

  Axis axis_;
  SplitShape shape_;
  int splits_ = 0, places_ = 0;
  std::vector<Piece> pieces_;
};

/// Rows from `first` to `end` - 1, pairs of rows.
struct TransformedRows {
  int first = 0, end = 0;
  int first_pair() const { return first / 2; }
  int end_pair() const { return (end + 1) / 2; }
  int pairs() const { return end_pair() - first_pair(); }
};

/// The transforms of rows of an extent, two rows to a piece of memory of `pitch` complex values: to modes of `rows`, which may
/// be more than a rank's own, and back of its own. Pairs and places are those of the whole extent.
template <class B, class T>
class Transform {
 public:
  using Vector = Field<B, T>;
  using Pair = RowPair<T>;
  Transform(B& backend, Extent e, const Axis& axis, TransformedRows rows)
      : be_(backend),
        extent_(e),
        modes_(axis),
        rows_(rows),
        own_{e.first_own, e.end_own()},
        pitch_((modes_.places() + pitch_alignment - 1) / pitch_alignment * pitch_alignment),
        batch_(pairs_of_a_batch()),
        values_(backend, pairs_in_memory()),
        turns_(backend, std::size_t(modes_.places())) {
    turns_.upload(modes_.turns<T>());
    T* const first = reinterpret_cast<T*>(values() + std::ptrdiff_t(rows_.first_pair()) * pitch_);
    std::vector<DftBatch<T>> batches;
    for (const AxisModes::Piece& p : modes_.pieces())
      batches.push_back({p.length, rows_.pairs(), pitch_, first + 2 * p.start});
    dft_.emplace(batches, stream_of(backend));
  }

  const AxisModes& modes() const { return modes_; }
  int pitch() const { return pitch_; }
  /// Coefficients: of row 2 p and 2 p + 1 at place k in element p * pitch + k.
  Pair* values() const { return values_.data(); }

  /// Of each row: coefficient <- sum over points of the eigenvector times the value.
  void to_modes(const Vector& points) const { to_modes(FieldPairs<T>{points.origin(), extent_.pitch}, 1); }
  /// The same for values that are computed where they are read, from so many vectors: from(p, col) is the pair
  /// of rows 2 p and 2 p + 1 there, and zero outside of the extent.
  template <class From>
  void to_modes(const From& from, int vectors) const {
    in_batches(rows_, [&](int first, int count) {
      before(from, vectors, first, count);
      fourier(first, count);
      if (modes_.axis().periodic) padded_stride(first, count);
    });
  }
  /// Of each row: value <- sum over modes of the eigenvector times the coefficient. Overwrites the
  /// coefficients.
  void to_points(Vector& points) const {
    to_points<false>({points.origin(), nullptr, T(0), extent_.ny, extent_.nx, extent_.pitch});
  }
  /// The same, added to weight times the values of `from`, which may be `points`.
  void to_points(Vector& points, const Vector& from, double weight) const {
    to_points<true>({points.origin(), from.origin(), T(weight), extent_.ny, extent_.nx, extent_.pitch});
  }

  template <class From>
  void before(const From& from, int vectors, int first, int count) const {
    const double bytes = moved(count, vectors);
    if (modes_.axis().periodic)
      strips(be_, "pair rows", extent_.nx, count, bytes,
             PairRows<T, From>{from, modes_from(first), extent_.nx});
    else
      by_splits(
          [&]<int L>(const EvenOddSplit<T, L>& split) {
            strips(be_, "fold rows", modes_.shape().m / 2 + 1, count, bytes,
                   SplitPoints<T, L, From>(split, from));
          },
          first);
  }
  template <bool adds>
  void after(const ToField<T, adds>& field, int first, int count) const {
    const double bytes = moved(count, adds ? 2 : 1);
    if (modes_.axis().periodic)
      strips(be_, "part rows", extent_.nx, count, bytes, PartRows<T, adds>{field, modes_from(first)});
    else
      by_splits(
          [&]<int L>(const EvenOddSplit<T, L>& split) {
            strips(be_, "unfold rows", modes_.shape().m / 2 + 1, count, bytes,
                   JoinPoints<T, L, adds>(split, field));
          },
          first);
  }
  void padded_stride(int first, int count) const {
    strips(be_, "cosines and sines apart", extent_.nx / 2 + 1, count, 2.0 * count * extent_.nx * sizeof(Pair),
           CosinesApart<T>{values() + std::ptrdiff_t(first) * pitch_, extent_.nx, pitch_});
  }
  void together(int first, int count) const {
    strips(be_, "cosines and sines together", extent_.nx / 2 + 1, count,
           2.0 * count * extent_.nx * sizeof(Pair),
           CosinesTogether<T>{values() + std::ptrdiff_t(first) * pitch_, extent_.nx, pitch_});
  }

 private:
  /// Batches stay in the caches of a CPU; a GPU transforms all rows together.
  static constexpr int batch_values = 1 << 16;
  int pairs_of_a_batch() const {
    return B::asynchronous ? rows_.pairs() : std::clamp(batch_values / pitch_, 1, rows_.pairs());
  }
  Extent pairs_in_memory() const {
    if (double(pitch_) * double((extent_.ny + 1) / 2) > 2e9)
      throw InputError(
          "sine-transform counts at most 4e9 points, and this grid has more; take another method or "
          "preconditioner");
    Extent e{pitch_, (extent_.ny + 1) / 2, pitch_};
    if (!extent_.whole()) e.shared = true, e.first_own = rows_.first_pair(), e.own_end = rows_.end_pair();
    return e;
  }
  template <class F>
  void in_batches(const TransformedRows& rows, F f) const {
    for (int first = rows.first_pair(); first < rows.end_pair(); first += batch_)
      f(first, std::min(batch_, rows.end_pair() - first));
  }
  void fourier(int first, int count) const {
    for (const AxisModes::Piece& p : modes_.pieces())
      be_.counts().add("Fourier transform", 2.0 * count * p.length * sizeof(Pair), false);
    dft_->execute(first - rows_.first_pair(), count);
  }
  /// Bytes, with the field read or written so often.
  double moved(int count, int times) const {
    return double(count) * (2.0 * times * extent_.nx * sizeof(T) + modes_.places() * sizeof(Pair));
  }
  PairModes<T> modes_from(int first) const { return {values(), pitch_, first}; }
  template <bool adds>
  void to_points(const ToField<T, adds>& field) const {
    in_batches(own_, [&](int first, int count) {
      if (modes_.axis().periodic) together(first, count);
      fourier(first, count);
      after(field, first, count);
    });
  }
  template <class F>
  void by_splits(F f, int first) const {
    const auto by = [&]<int L>(std::integral_constant<int, L>) {
      f(EvenOddSplit<T, L>{modes_from(first), modes_.shape(), turns_.data()});
    };
    switch (modes_.splits()) {
      case 0:
        return by(std::integral_constant<int, 0>{});
      case 1:
        return by(std::integral_constant<int, 1>{});
      case 2:
        return by(std::integral_constant<int, 2>{});
      default:
        return by(std::integral_constant<int, 3>{});
    }
  }

  B& be_;
  Extent extent_;
  AxisModes modes_;
  TransformedRows rows_, own_;
  int pitch_, batch_;
  Field<B, Pair> values_;
  Buffer<B, Pair> turns_;
  std::optional<Dft<B, T>> dft_;
};

}  // namespace wavesim
