#pragma once
// Sums of the rows of a field against the eigenvectors of the second difference along a row, for every mix of
// ends: the discrete sine, cosine and Hartley transforms (Strang 1999; Bracewell 1983). Each is part of one
// longer Fourier transform of values with zeros after them,
//   sum over l of v_l exp(-2 pi i l m / length) = C_m - i S_m,
// where C are sums with cosines and S those with sines. Free ends (half cells) have cosines, fixed ones sines
// that vanish one spacing beyond the last point, periodic ones cos + sin.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/dft.hpp"
#include "kernels/field.hpp"

namespace wavesim {

/// One axis of a rectangle: n points, and whether its two ends are fixed, if it is not periodic.
struct Axis {
  int n = 1;
  bool periodic = false, fixed_low = true, fixed_high = true;
};

/// Eigenvector k of an axis is part(2 pi place(point) place(mode k) / length).
struct AxisModes {
  enum Part { cosines, sines, both } part = sines;
  int n = 1, length = 4;
  int first_point = 1;                // places of points: first, first + 1, ...
  int first_mode = 1, mode_step = 1;  // and of modes

  explicit AxisModes(const Axis& a) : n(a.n) {
    if (a.periodic)
      part = both, length = n, first_point = 0, first_mode = 0;
    else if (a.fixed_low && a.fixed_high)
      part = sines, length = 2 * (n + 1), first_point = 1, first_mode = 1;
    else if (!a.fixed_low && !a.fixed_high)
      part = cosines, length = std::max(2 * (n - 1), 1), first_point = 0, first_mode = 0;
    else  // quarter waves
      part = a.fixed_low ? sines : cosines, length = 4 * n, first_point = a.fixed_low ? 1 : 0, first_mode = 1,
      mode_step = 2;
  }

  /// The eigenvalue of W^-1 K with faces of 1: K the second difference, W the cells, half ones at free ends.
  double eigenvalue(int k) const {
    const double s = std::sin(std::numbers::pi * (first_mode + mode_step * k) / length);
    return 4 * s * s;
  }
  /// v' W v of eigenvector k.
  double norm(int k) const {
    if (part == both) return n;
    if (mode_step == 2) return n / 2.0;
    if (part == sines) return (n + 1) / 2.0;
    if (n == 1) return 0.25;  // both halves of the cell are cut off
    return k == 0 || k == n - 1 ? n - 1.0 : (n - 1) / 2.0;
  }
};

/// Rows go through the Fourier transform a batch at a time: it needs memory of its own for a batch only,
/// which stays in the caches.
template <class B, class T>
class Transform {
 public:
  using Vector = Field<B, T>;
  Transform(B& backend, Extent e, const Axis& axis)
      : be_(backend),
        extent_(e),
        modes_(axis),
        pitch_(rounded(modes_.length)),
        spectrum_pitch_(rounded(modes_.length / 2 + 1)),
        batch_(rows_of_a_batch()),
        values_(backend, std::size_t(batch_) * pitch_),
        spectrum_(backend, 2 * std::size_t(batch_) * spectrum_pitch_),
        dft_({modes_.length, batch_, pitch_, spectrum_pitch_, values_.data(), spectrum_.data()},
             stream_of(backend)) {}

  const AxisModes& modes() const { return modes_; }

  /// Of each row: coefficient k <- sum over points of eigenvector k times value. May work in place.
  void to_modes(const Vector& points, Vector& modes) const {
    run(points, modes, {modes_.first_point, 1}, {modes_.first_mode, modes_.mode_step});
  }
  /// Of each row: value <- sum over k of eigenvector k times coefficient k.
  void to_points(const Vector& modes, Vector& points) const {
    run(modes, points, {modes_.first_mode, modes_.mode_step}, {modes_.first_point, 1});
  }

  /// Where the elements of a row lie in the Fourier transform.
  struct Places {
    int first, step;
  };
  void run(const Vector& from, Vector& to, Places in, Places out) const {
    for (int first = 0; first < extent_.ny; first += batch_) {
      const int rows = std::min(batch_, extent_.ny - first);
      place(from.data() + std::ptrdiff_t(first) * extent_.pitch, rows, in);
      be_.tally().add("Fourier transform", double(rows) * modes_.length * 2 * sizeof(T), false);
      dft_.execute(rows);
      read(to.data() + std::ptrdiff_t(first) * extent_.pitch, rows, out);
    }
  }
  void place(const T* from, int rows, Places p) const {
    const int n = modes_.n, pitch = extent_.pitch;
    be_.rows(
        "place values for a Fourier transform", {modes_.length, rows, pitch_},
        sizeof(T) * double(n) / modes_.length,
        [=] HD(Row r, T & v) {
          const int k = (r.col - p.first) / p.step;
          const bool there = r.col >= p.first && k * p.step + p.first == r.col && k < n;
          v = there ? from[r.row * pitch + k] : T(0);
        },
        Out<T>{values_.data()});
  }
  void read(T* to, int rows, Places p) const {
    const T* s = spectrum_.data();
    const int length = modes_.length, pitch = 2 * spectrum_pitch_;
    const AxisModes::Part part = modes_.part;
    be_.rows(
        "read sums from a Fourier transform", {modes_.n, rows, extent_.pitch}, sizeof(T),
        [=] HD(Row r, T & v) {
          int m = p.first + p.step * r.col;
          T sign = 1;  // of the imaginary part: values are real, and the upper half mirrors the lower
          if (2 * m > length) m = length - m, sign = -1;
          const T re = s[r.row * pitch + 2 * m], im = sign * s[r.row * pitch + 2 * m + 1];
          v = part == AxisModes::sines ? -im : part == AxisModes::cosines ? re : re - im;
        },
        Out<T>{to});
  }

 private:
  static constexpr long batch_values = 1L << 21;
  static int rounded(int n) { return (n + pitch_alignment - 1) / pitch_alignment * pitch_alignment; }
  /// Batches of equal size, the last one perhaps less.
  int rows_of_a_batch() const {
    const long most = std::clamp(batch_values / pitch_, 1L, long(extent_.ny));
    const long batches = (extent_.ny + most - 1) / most;
    return int((extent_.ny + batches - 1) / batches);
  }

  B& be_;
  Extent extent_;
  AxisModes modes_;
  int pitch_, spectrum_pitch_, batch_;
  Buffer<B, T> values_, spectrum_;
  Dft<B, T> dft_;
};

}  // namespace wavesim
