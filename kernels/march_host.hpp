#pragma once
// The marched pass on a CPU (march.hpp): a block's rows of all iterates stay in a core's caches, and a sweep
// goes along a row of them.

#include <vector>

#include "kernels/host.hpp"
#include "kernels/march_medium.hpp"

namespace wavesim {

/// What rows couple to, at each column of a strip.
template <class T>
struct MarchFaces {
  const T *south, *west, *east, *north;
};

template <class T, int K, class Medium, class Fields>
class HostMarch {
  static constexpr int V = march::columns_per_lane<T>, H = K + 1;
  static constexpr bool in_time = Fields::in_time, varies = march::varies<Medium>;
  using Result = typename Fields::Result;

 public:
  HostMarch(const MarchPlan& plan, int pitch, const Medium& medium, const Fields& fields,
            const MarchSteps<T, K>& steps)
      : plan_(plan),
        pitch_(pitch),
        medium_(medium),
        fields_(fields),
        steps_(steps),
        rows_(std::size_t(stride_) * place_end),
        table_(varies ? 0 : std::size_t(row_classes) * ScaledRow<T>::values * columns_),
        residual_(march::lanes),
        reference_(march::lanes),
        lane_(march::lanes) {}

  /// One block; returns its part of the norms.
  Result block(int index) {
    const Topology& t = medium_.topology();
    const int strip = index % plan_.strips, chunk = index / plan_.strips;
    first_col_ = strip * plan_.inner - plan_.margin;
    const int row0 = chunk * plan_.rows, row1 = t.ny < row0 + plan_.rows ? t.ny : row0 + plan_.rows;
    if constexpr (!varies)
      for (int c = 0; c < row_classes; ++c)
        for (int k = 0; k < columns_; ++k) {
          const ScaledRow<T> a = scaled_row(medium_, c, first_col_ + k);
          T* at = table_.data() + std::size_t(c) * a.values * columns_ + k;
          at[0] = a.south, at[columns_] = a.west, at[2 * columns_] = a.east, at[3 * columns_] = a.north;
          at[4 * columns_] = a.inverse, at[5 * columns_] = a.diagonal;
          at[6 * columns_] = a.inertia, at[7 * columns_] = a.stiff;
        }
    rows_.assign(rows_.size(), T(0));
    residual_.assign(residual_.size(), MarchNorms{});
    reference_.assign(reference_.size(), MarchNorms{});
    const int from = plan_.margin, most = t.nx - first_col_,
              to = most < plan_.margin + plan_.inner ? most : plan_.margin + plan_.inner;
    for (int f = row0 - H - in_time; f < row1 + H; ++f) {
      arrive(f, f >= row0 && f < row1, from, to);
      for (int s = 1; s <= K; ++s) sweep(s, f - s);
      if (f - K >= row0 && f - K < row1) leave(f - K, from, to);
      if (f - H >= row0 && f - H < row1) residual(f - H, from, to);
    }
    for (std::size_t l = 0; l < lane_.size(); ++l)
      if constexpr (in_time)
        lane_[l] = {residual_[l].norms(), reference_[l].norms()};
      else
        lane_[l] = residual_[l].norms();
    for (int w = 0; w < march::lanes; w += 32) tree(lane_.data() + w);
    for (int w = 32; w < march::lanes; w += 32) lane_[0].join(lane_[w]);
    return lane_[0];
  }

 private:
  static constexpr int columns_ = march::columns<T>;
  static constexpr int pad = 8;  // zeros at both ends of a row
  static constexpr int stride_ = (columns_ + 2 * pad + 15) / 16 * 16;
  // Places of rows: three of every iterate, H + 1 of g, two of x_before, one to write in; three of u, and two
  // that are as they were before the step; in a varying medium H + 2 of each face and of D^1/2, three that
  // enter b, and three of the weights of steps by mass.
  static constexpr int place_g = 3 * (K + 1), place_before = place_g + H + 1, place_r = place_before + 2,
                       place_u = place_r + 1, place_east = place_u + 5 * in_time,
                       place_north = place_east + (H + 2) * varies,
                       place_root = place_north + (H + 2) * varies, place_b = place_root + (H + 2) * varies,
                       place_light = place_b + 3 * varies, place_end = place_light + 3 * varies;
  static int ring(int row, int n) { return (row % n + n) % n; }
  T* place(int k) { return rows_.data() + std::size_t(k) * stride_ + pad; }
  T* x(int s, int row) { return place(3 * s + ring(row, 3)); }
  T* g(int row) { return place(place_g + ring(row, H + 1)); }
  T* before(int row) { return place(place_before + ring(row, 2)); }
  T* u(int row) { return place(place_u + ring(row, 3)); }
  T* east(int row) { return place(place_east + ring(row, H + 2)); }
  T* north(int row) { return place(place_north + ring(row, H + 2)); }
  T* root(int row) { return place(place_root + ring(row, H + 2)); }
  T* lightness(int row) { return place(place_light + ring(row, 3)); }
  const T* coefficients(int row) const {
    return table_.data() + std::size_t(row_class(row, medium_.topology())) * ScaledRow<T>::values * columns_;
  }
  MarchFaces<T> faces(int row) {
    if constexpr (varies) return {north(row - 1), east(row) - 1, east(row), north(row)};
    const T* const a = coefficients(row);
    return {a, a + columns_, a + 2 * columns_, a + 3 * columns_};
  }

  /// g + N x at column k of a row, but for the northern neighbour.
  static T couple(T g, const MarchFaces<T>& at, const T* south, const T* centre, int k) {
    if constexpr (varies)
      return coupled_in_lane<T>(g, at.south[k], south[k], at.west[k], centre[k - 1], k % V == 0, at.east[k],
                                centre[k + 1]);
    else
      return coupled<T>(g, at.south[k], south[k], at.west[k], centre[k - 1], at.east[k], centre[k + 1]);
  }

  void load(const T* from, int row, T* to) const {
    const Topology& t = medium_.topology();
    if (t.wrap_y != 0) row = ring(row, t.ny);
    if (!from || row < 0 || row >= t.ny) {
      for (int k = 0; k < columns_; ++k) to[k] = 0;
      return;
    }
    const T* const line = from + long(row) * pitch_;
    if (t.wrap_x != 0) {
      for (int k = 0; k < columns_; ++k) to[k] = line[ring(first_col_ + k, t.nx)];
      return;
    }
    const int begin = first_col_ < 0 ? -first_col_ : 0,
              end = t.nx - first_col_ < columns_ ? t.nx - first_col_ : columns_;
    for (int k = 0; k < begin; ++k) to[k] = 0;
    for (int k = begin; k < end; ++k) to[k] = line[first_col_ + k];
    for (int k = end > begin ? end : begin; k < columns_; ++k) to[k] = 0;
  }
  void store(T* to, int row, const T* from, int begin, int end) const {
    T* const line = to + long(row) * pitch_ + first_col_;
    for (int k = begin; k < end; ++k) line[k] = from[k];
  }
  static void multiply(T* to, const T* by) {
    for (int k = 0; k < columns_; ++k) to[k] *= by[k];
  }

  /// Row `row` of g and of the first iterate. `counted`: it belongs to this block.
  void arrive(int row, bool counted, int from, int to) {
    if constexpr (varies) {
      load(medium_.east, row, east(row));
      load(medium_.north, row, north(row));
      load(medium_.root, row + in_time, root(row + in_time));
    }
    T* const gs = g(row);
    const int n = columns_;
    if constexpr (in_time) {
      load(fields_.u, row + 1, u(row + 1));
      if constexpr (varies) multiply(u(row + 1), root(row + 1));
      load(fields_.p, row, gs);
      const MarchFaces<T> at = faces(row);
      const T *const south = u(row - 1), *const centre = u(row), *const north = u(row + 1);
      const T ratio = fields_.ratio;
      const bool whole = fields_.whole;
      T *const c = place(place_r), *const first = x(0, row);
      load(fields_.tried, row, first);
      if constexpr (varies) {
        T *const plain = place(place_b), *const inertia = place(place_b + 1),
                 *const heft = place(place_b + 2);
        load(fields_.u, row, plain);
        load(medium_.inertia, row, inertia);
        load(march::damped<Medium> ? medium_.heft : medium_.inertia, row, heft);
        const T* const scale = root(row);
        T* const light = lightness(row);
        for (int k = 0; k < n; ++k) light[k] = scale[k] * inverse_or_zero(heft[k]);
        SIMD for (int k = 0; k < n; ++k) {
          T y = couple(T(0), at, south, centre, k);
          y = std::fma(at.north[k], north[k], y);
          gs[k] = scaled_right_hand_side<T>(inertia[k], gs[k], ratio, -heft[k], plain[k], y - centre[k]);
          c[k] = (whole ? gs[k] + (centre[k] - y) : gs[k]) * scale[k];
        }
        if (fields_.tried) {
          for (int k = 0; k < n; ++k) first[k] -= plain[k];
          multiply(first, scale);
        }
      } else {
        const T* const a = coefficients(row);
        SIMD for (int k = 0; k < n; ++k) {
          T y = couple(T(0), at, south, centre, k);
          y = std::fma(at.north[k], north[k], y);
          gs[k] = scaled_right_hand_side<T>(a[6 * n + k], gs[k], ratio, a[7 * n + k], centre[k], y);
          c[k] = (whole ? gs[k] + (centre[k] - y) : gs[k]) * a[5 * n + k];
        }
        if (fields_.tried)
          for (int k = 0; k < n; ++k) first[k] -= centre[k];
      }
      if (counted)
        for (int k = from; k < to; ++k) reference_[std::size_t(k) / V].add(double(c[k]));
    } else {
      load(fields_.b, row, gs);
      load(fields_.x, row, x(0, row));
      load(fields_.before, row, before(row));
      if constexpr (varies) {
        const T* const scale = root(row);
        for (int k = 0; k < n; ++k) gs[k] *= inverse_or_zero(scale[k]);
        if (fields_.x) multiply(x(0, row), scale);
        if (fields_.before) multiply(before(row), scale);
      } else {
        multiply(gs, coefficients(row) + 4 * n);
      }
    }
  }

  bool goes_by_mass(int s) const {
    if constexpr (varies && in_time) return s <= 2 && medium_.by_mass && fields_.from_zero();
    return false;
  }
  void sweep(int s, int row) {
    if (goes_by_mass(s)) return sweep_by_mass(s, row);
    const MarchFaces<T> at = faces(row);
    const T *const south = x(s - 1, row - 1), *const centre = x(s - 1, row), *const north = x(s - 1, row + 1);
    const T *const gs = g(row), *const old = s == 1 ? before(row) : x(s - 2, row);
    T* const to = x(s, row);
    const T kept = steps_.keep[s - 1], m = steps_.momentum[s - 1], w = steps_.weight[s - 1];
    const int n = columns_;
    SIMD for (int k = 0; k < n; ++k) {
      const T y = couple(gs[k], at, south, centre, k);
      to[k] = std::fma(w * at.north[k], north[k], std::fma(w, y, std::fma(m, old[k], kept * centre[k])));
    }
  }

  /// The same with a weight for each point and no momentum.
  void sweep_by_mass(int s, int row) {
    const MarchFaces<T> at = faces(row);
    const T *const south = x(s - 1, row - 1), *const centre = x(s - 1, row), *const north = x(s - 1, row + 1);
    const T *const gs = g(row), *const w = lightness(row);
    T* const to = x(s, row);
    const int n = columns_;
    SIMD for (int k = 0; k < n; ++k) {
      const T y = couple(gs[k], at, south, centre, k);
      to[k] = std::fma(w[k] * at.north[k], north[k], std::fma(w[k], y, (T(1) - w[k]) * centre[k]));
    }
  }

  void leave(int row, int from, int to) {
    const T* d = x(K, row);
    const int n = columns_;
    if constexpr (varies) d = unscaled(d, row);
    if constexpr (in_time) {
      T *const u = place(place_u + 3), *const p = place(place_u + 4);
      load(fields_.u, row, u);
      load(fields_.p, row, p);
      const T carry = fields_.carry, rest = T(1) - carry;
      SIMD for (int k = 0; k < n; ++k) {
        u[k] += d[k];
        p[k] = std::fma(carry, d[k], rest * p[k]);
      }
      store(fields_.u_to, row, u, from, to);
      store(fields_.p_to, row, p, from, to);
    } else {
      store(fields_.x_to, row, d, from, to);
      if (!fields_.before_to) return;
      d = x(K - 1, row);
      if constexpr (varies) d = unscaled(d, row);
      store(fields_.before_to, row, d, from, to);
    }
  }
  /// D^-1/2 y, until the next row is written in its place.
  const T* unscaled(const T* y, int row) {
    T* const to = place(place_r);
    const T* const scale = root(row);
    for (int k = 0; k < columns_; ++k) to[k] = y[k] * inverse_or_zero(scale[k]);
    return to;
  }

  void residual(int row, int from, int to) {
    const MarchFaces<T> at = faces(row);
    const T *const south = x(K, row - 1), *const centre = x(K, row), *const north = x(K, row + 1);
    const T* const gs = g(row);
    const T* factor;
    if constexpr (varies)
      factor = root(row);
    else
      factor = coefficients(row) + 5 * columns_;
    T* const r = place(place_r);
    const int n = columns_;
    SIMD for (int k = 0; k < n; ++k) {
      const T y = couple(gs[k], at, south, centre, k);
      r[k] = std::fma(at.north[k], north[k], y - centre[k]) * factor[k];
    }
    for (int k = from; k < to; ++k) residual_[std::size_t(k) / V].add(double(r[k]));
  }

  MarchPlan plan_;
  int pitch_;
  Medium medium_;
  Fields fields_;
  MarchSteps<T, K> steps_;
  int first_col_ = 0;
  std::vector<T> rows_, table_;
  std::vector<MarchNorms> residual_, reference_;
  std::vector<Result> lane_;
};

template <class T, int K, class Fields, class Tail>
void Host::march(const char* label, Extent e, const FivePointSystem<T, UniformCoefficients<T>>& system,
                 const Fields& all, const MarchSteps<T, K>& steps, typename Fields::Result* out, Tail tail) {
  using Result = typename Fields::Result;
  tally_.add(label, double(e.points()) * all.vectors() * sizeof(T), true);
  const MarchPlan plan = plan_march<T>(e, K);
  std::vector<Result> partial(plan.blocks());
  const auto with_medium = [&](const auto& medium, const auto& fields) {
    using Medium = std::decay_t<decltype(medium)>;
    using Some = std::decay_t<decltype(fields)>;
#pragma omp parallel if (e.points() > small)
    {
      HostMarch<T, K, Medium, Some> front(plan, e.pitch, medium, fields, steps);
#pragma omp for schedule(dynamic)
      for (int b = 0; b < plan.blocks(); ++b) partial[b] = front.block(b);
    }
  };
  if constexpr (requires { all.medium; })
    with_medium(all.medium, all.fields);
  else
    with_medium(system, all);
  Result lane[32];
  for (std::size_t b = 0; b < partial.size(); ++b) lane[b % 32].join(partial[b]);
  tree(lane);
  *out = lane[0];
  tail(*out);
}

}  // namespace wavesim
