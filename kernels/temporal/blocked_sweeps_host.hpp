#pragma once
// Blocked sweeps on a CPU (blocked_sweeps.hpp): a block's rows of all iterates stay in a core's caches, and a sweep
// goes along a row of them.

#include <array>
#include <vector>

#include "kernels/backend/host.hpp"
#include "kernels/memory/cache_lines.hpp"
#include "kernels/memory/stream_store.hpp"
#include "kernels/numbers/subnormals.hpp"
#include "kernels/temporal/host_chunks.hpp"
#include "kernels/temporal/scaled_medium.hpp"

namespace wavesim {

/// The same value at each column.
template <class T>
struct Everywhere {
  T value;
  T operator[](int) const { return value; }
};

/// The row of the system at each column of a strip (ScaledRow), read from a table or, in a constant medium
/// away from its edges, known: then a core loads half as much.
template <class Values>
struct BlockedRow {
  Values south, west, east, north, inverse, diagonal, scaled_mass, stiff;
};

/// LaneNorms of all lanes of a block, side by side, so that a core adds for several lanes at once.
class NormsOfLanes {
 public:
  NormsOfLanes() : squares_(temporal::lanes), largest_(temporal::lanes) {}
  /// A row; its packs of `V` columns belong to lanes from..to - 1, which add theirs in order.
  template <int V, class T>
  void add(const T* row, int from, int to) {
    double *const squares = squares_.data(), *const largest = largest_.data();
    for (int v = 0; v < V; ++v) SIMD for (int l = from; l < to; ++l) {
        LaneNorms lane{squares[l], largest[l]};
        lane.add(double(row[l * V + v]));
        squares[l] = lane.squares, largest[l] = lane.largest;
      }
  }
  /// Those of the block; begins with the next one.
  Norms take() {
    Norms lane[temporal::lanes];
    for (int l = 0; l < temporal::lanes; ++l) {
      lane[l] = LaneNorms{squares_[l], largest_[l]}.norms();
      squares_[l] = largest_[l] = 0;
    }
    for (int w = 0; w < temporal::lanes; w += 32) tree(lane + w);
    for (int w = 32; w < temporal::lanes; w += 32) lane[0].join(lane[w]);
    return lane[0];
  }

 private:
  CacheLines<double> squares_, largest_;
};

template <class T, int K, class Medium, class Fields>
class HostBlockedPass {
  static constexpr int V = temporal::columns_per_lane<T>, H = K + 1;
  static constexpr bool is_step = Fields::is_step, varies = temporal::varies<Medium>;
  using Result = typename Fields::Result;

 public:
  HostBlockedPass(const BlockPlan& plan, int pitch, const Medium& medium, const Fields& fields,
                  const SweepCoefficients<T, K>& steps, bool past_caches)
      : plan_(plan),
        pitch_(pitch),
        medium_(medium),
        fields_(fields),
        steps_(steps),
        past_caches_(past_caches),
        rows_(std::size_t(stride_) * place_end),
        table_(varies ? 0 : std::size_t(row_classes) * ScaledRow<T>::values * columns_),
        in_lane_(columns_) {
    for (int k = 0; k < columns_; ++k) in_lane_[std::size_t(k)] = T(k % V);
  }

  /// Chunks chunk0..chunk1 - 1 of a strip, one after the other without rows that are done twice in between;
  /// their parts of the norms go to where blocks have them.
  void temporal(int strip, int chunk0, int chunk1, Result* parts) {
    const Topology& t = medium_.topology();
    first_col_ = strip * plan_.inner - plan_.margin;
    const int row0 = chunk0 * plan_.rows, row1 = std::min(t.ny, chunk1 * plan_.rows);
    in_domain_from_ = t.wrap_x != 0 || first_col_ > 0 ? 0 : -first_col_;
    in_domain_to_ = t.wrap_x != 0 || t.nx - first_col_ > columns_ ? columns_ : t.nx - first_col_;
    inside_domain_ = first_col_ >= 0 && first_col_ + columns_ <= t.nx;
    if constexpr (!varies) {
      for (int c = 0; c < row_classes; ++c)
        for (int k = 0; k < columns_; ++k) {
          const ScaledRow<T> a = scaled_row(medium_, c, first_col_ + k);
          T* at = table_.data() + std::size_t(c) * a.values * columns_ + k;
          at[0] = a.south, at[columns_] = a.west, at[2 * columns_] = a.east, at[3 * columns_] = a.north;
          at[4 * columns_] = a.inverse, at[5 * columns_] = a.diagonal;
          at[6 * columns_] = a.scaled_mass, at[7 * columns_] = a.stiff;
        }
      inside_ = ScaledRow<T>::of(medium_, medium_.coefficients.inside());
      constant_ = all_inside();
    }
    rows_.assign(rows_.size(), T(0));
    x0_.fill(zeros());
    before_.fill(zeros());
    u_.fill(zeros());
    const int from = plan_.margin, most = t.nx - first_col_,
              to = most < plan_.margin + plan_.inner ? most : plan_.margin + plan_.inner;
    // The part of the norms of the block that row `row` is the last of.
    const auto part = [&](int row) -> Result* {
      const bool last = row >= row0 && row < row1 && (row + 1 == row1 || (row + 1) % plan_.rows == 0);
      return last ? &parts[row / plan_.rows * plan_.strips + strip] : nullptr;
    };
    for (int f = row0 - H - is_step; f < row1 + H; ++f) {
      arrive(f, f >= row0 && f < row1, from, to);
      for (int s = 1; s <= K; ++s) sweep(s, f - s);
      if (f - K >= row0 && f - K < row1) leave(f - K, from, to);
      if (f - H >= row0 && f - H < row1) residual(f - H, from, to);
      if constexpr (is_step) {
        if (Result* p = part(f)) p->reference = reference_.take();
        if (Result* p = part(f - H)) p->residual = residual_.take();
      } else {
        if (Result* p = part(f - H)) *p = residual_.take();
      }
    }
  }

 private:
  static constexpr int columns_ = temporal::columns<T>;
  static constexpr int pad = cache_line / sizeof(T);  // zeros at both ends of a row
  static constexpr int stride_ = (columns_ + 2 * pad + pad - 1) / pad * pad;
  // Places of rows: one of zeros; three of every iterate, H + 1 of g, two of x_before, two to write in; three
  // of u; in a varying medium H + 2 of each face and of D^1/2, two that enter b, and three of the weights of
  // steps by mass.
  static constexpr int place_x = 1, place_g = place_x + 3 * (K + 1), place_before = place_g + H + 1,
                       place_r = place_before + 2, place_u = place_r + 2, place_east = place_u + 3 * is_step,
                       place_north = place_east + (H + 2) * varies,
                       place_root = place_north + (H + 2) * varies, place_b = place_root + (H + 2) * varies,
                       place_light = place_b + 2 * varies, place_end = place_light + 3 * varies;
  static int ring(int row, int n) { return (row % n + n) % n; }
  T* place(int k) { return rows_.data() + std::size_t(k) * stride_ + pad; }
  const T* zeros() { return place(0); }
  T* x(int s, int row) { return place(place_x + 3 * s + ring(row, 3)); }
  T* g(int row) { return place(place_g + ring(row, H + 1)); }
  T* east(int row) { return place(place_east + ring(row, H + 2)); }
  T* north(int row) { return place(place_north + ring(row, H + 2)); }
  T* sqrt_diagonal(int row) { return place(place_root + ring(row, H + 2)); }
  T* lightness(int row) { return place(place_light + ring(row, 3)); }
  /// Rows that may lie in a field, not in a place.
  template <std::size_t n>
  static const T*& at(std::array<const T*, n>& rows, int row) {
    return rows[std::size_t(ring(row, int(n)))];
  }
  /// Iterate s: what sweep s has left, or what the pass began with.
  const T* iterate(int s, int row) { return s == 0 ? at(x0_, row) : x(s, row); }

  /// The rows of a class of the table.
  BlockedRow<const T*> of_table(int row_class) const {
    const T* const a = table_.data() + std::size_t(row_class) * ScaledRow<T>::values * columns_;
    const int n = columns_;
    return {a, a + n, a + 2 * n, a + 3 * n, a + 4 * n, a + 5 * n, a + 6 * n, a + 7 * n};
  }
  /// f(the system at a row)
  template <class F>
  void at_row(int row, const F& f) {
    if constexpr (varies) {
      f(BlockedRow<const T*>{north(row - 1), east(row) - 1, east(row), north(row), {}, {}, {}, {}});
    } else {
      const int kind = row_class(row, medium_.topology());
      if (constant_ && kind == inner_row) {
        const auto& a = inside_;
        return f(BlockedRow<Everywhere<T>>{
            {a.south}, {a.west}, {a.east}, {a.north}, {a.inverse}, {a.diagonal}, {a.scaled_mass}, {a.stiff}});
      }
      f(of_table(kind));
    }
  }
  /// Whether inner rows are alike at all columns of the domain, but for what those at an edge couple to
  /// beyond it, where iterates are zero.
  bool all_inside() const {
    const Topology& t = medium_.topology();
    const BlockedRow<const T*> a = of_table(inner_row);
    for (int k = in_domain_from_; k < in_domain_to_; ++k) {
      const bool left = t.wrap_x == 0 && first_col_ + k == 0,
                 right = t.wrap_x == 0 && first_col_ + k == t.nx - 1;
      if (a.south[k] != inside_.south || a.north[k] != inside_.north || a.inverse[k] != inside_.inverse ||
          a.diagonal[k] != inside_.diagonal || a.scaled_mass[k] != inside_.scaled_mass ||
          a.stiff[k] != inside_.stiff || a.west[k] != (left ? T(0) : inside_.west) ||
          a.east[k] != (right ? T(0) : inside_.east))
        return false;
    }
    return true;
  }
  /// Where rows are alike everywhere, values beyond the domain are made as well.
  void outside_is_zero(T* to) const {
    if (constant_) clear_outside(to);
  }
  void clear_outside(T* to) const {
    for (int k = 0; k < in_domain_from_; ++k) to[k] = 0;
    for (int k = in_domain_to_; k < columns_; ++k) to[k] = 0;
  }

  /// g + N x at column k of a row, but for the northern neighbour.
  template <class Values>
  T couple(T g, const BlockedRow<Values>& at, const T* south, const T* centre, int k) const {
    if constexpr (varies)
      return coupled_in_lane<T>(g, at.south[k], south[k], at.west[k], centre[k - 1], in_lane_[k] == 0,
                                at.east[k], centre[k + 1]);
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
    if (t.wrap_x != 0 && !inside_domain_) {
      for (int k = 0; k < columns_; ++k) to[k] = line[ring(first_col_ + k, t.nx)];
      return;
    }
    for (int k = in_domain_from_; k < in_domain_to_; ++k) to[k] = line[first_col_ + k];
    clear_outside(to);
  }
  /// A row of a field where it lies, or, of a strip that reaches beyond the domain, a copy in `room`.
  const T* row_of(const T* from, int row, T* room) {
    const Topology& t = medium_.topology();
    if (t.wrap_y != 0) row = ring(row, t.ny);
    if (!from || row < 0 || row >= t.ny) return zeros();
    if (inside_domain_) return from + long(row) * pitch_ + first_col_;
    load(from, row, room);
    return room;
  }
  /// Fetches a row of a field that will be asked for: rows of a strip are short, and each begins on a page of
  /// its own, so that the machine does not see them come.
  void fetch(const T* from, int row) const {
    if (!from || row >= medium_.topology().ny || row < 0) return;
    const T* const line = from + long(row) * pitch_ + first_col_;
    for (int k = 0; k < columns_; k += pad) __builtin_prefetch(line + k);
  }
  static void multiply(T* to, const T* by) {
    for (int k = 0; k < columns_; ++k) to[k] *= by[k];
  }

  /// Row `row` of g and of the first iterate. `counted`: it belongs to this block.
  void arrive(int row, bool counted, int from, int to) {
    constexpr int ahead = 2;
    if constexpr (varies) {
      fetch(medium_.east, row + ahead);
      fetch(medium_.north, row + ahead);
      fetch(medium_.sqrt_diagonal, row + is_step + ahead);
      load(medium_.east, row, east(row));
      load(medium_.north, row, north(row));
      load(medium_.sqrt_diagonal, row + is_step, sqrt_diagonal(row + is_step));
    }
    T* const gs = g(row);
    const int n = columns_;
    if constexpr (is_step) {
      fetch(fields_.u, row + 1 + ahead);
      fetch(fields_.p, row + ahead);
      fetch(fields_.tried, row + ahead);
      T* const room = place(place_u + ring(row + 1, 3));
      if constexpr (varies) {
        load(fields_.u, row + 1, room);
        multiply(room, sqrt_diagonal(row + 1));
        at(u_, row + 1) = room;
      } else {
        at(u_, row + 1) = row_of(fields_.u, row + 1, room);
      }
      const T *const south = at(u_, row - 1), *const centre = at(u_, row), *const north = at(u_, row + 1);
      const T *const p = row_of(fields_.p, row, gs), *const tried = row_of(fields_.tried, row, x(0, row));
      const T ratio = fields_.ratio;
      const bool whole = fields_.whole;
      T *const c = place(place_r), *const first = x(0, row);
      at(x0_, row) = fields_.tried ? first : zeros();
      if constexpr (varies) {
        const T *const plain = row_of(fields_.u, row, place(place_r + 1)),
                       *const scaled_mass = row_of(medium_.scaled_mass, row, place(place_b)),
                       *const scaled_damped_mass =
                           temporal::damped<Medium>
                               ? row_of(medium_.scaled_damped_mass, row, place(place_b + 1))
                               : scaled_mass;
        const T* const scale = sqrt_diagonal(row);
        T* const light = lightness(row);
        SIMD for (int k = 0; k < n; ++k) light[k] = scale[k] * inverse_or_zero(scaled_damped_mass[k]);
        at_row(row, [&](const auto& at) {
          SIMD for (int k = 0; k < n; ++k) {
            T y = couple(T(0), at, south, centre, k);
            y = std::fma(at.north[k], north[k], y);
            gs[k] = scaled_right_hand_side<T>(scaled_mass[k], p[k], ratio, -scaled_damped_mass[k], plain[k],
                                              y - centre[k]);
            c[k] = (whole ? gs[k] + (centre[k] - y) : gs[k]) * scale[k];
          }
        });
        if (fields_.tried) SIMD for (int k = 0; k < n; ++k) first[k] = (tried[k] - plain[k]) * scale[k];
      } else {
        at_row(row, [&](const auto& at) {
          SIMD for (int k = 0; k < n; ++k) {
            T y = couple(T(0), at, south, centre, k);
            y = std::fma(at.north[k], north[k], y);
            gs[k] = scaled_right_hand_side<T>(at.scaled_mass[k], p[k], ratio, at.stiff[k], centre[k], y);
            c[k] = (whole ? gs[k] + (centre[k] - y) : gs[k]) * at.diagonal[k];
          }
        });
        outside_is_zero(gs);
        if (fields_.tried) SIMD for (int k = 0; k < n; ++k) first[k] = tried[k] - centre[k];
      }
      if (counted) add_up(reference_, c, from, to);
    } else {
      fetch(fields_.b, row + ahead);
      fetch(fields_.x, row + ahead);
      fetch(fields_.before, row + ahead);
      const T* const b = row_of(fields_.b, row, gs);
      if constexpr (varies) {
        const T* const scale = sqrt_diagonal(row);
        SIMD for (int k = 0; k < n; ++k) gs[k] = b[k] * inverse_or_zero(scale[k]);
        at(x0_, row) = scaled(fields_.x, row, x(0, row));
        at(before_, row) = scaled(fields_.before, row, place(place_before + ring(row, 2)));
      } else {
        at_row(row, [&](const auto& at) { SIMD for (int k = 0; k < n; ++k) gs[k] = b[k] * at.inverse[k]; });
        at(x0_, row) = row_of(fields_.x, row, x(0, row));
        at(before_, row) = row_of(fields_.before, row, place(place_before + ring(row, 2)));
      }
    }
  }
  /// D^1/2 times a row of a field.
  const T* scaled(const T* from, int row, T* room) {
    if (!from) return zeros();
    load(from, row, room);
    multiply(room, sqrt_diagonal(row));
    return room;
  }

  bool goes_by_mass(int s) const {
    if constexpr (varies && is_step) return s <= 2 && medium_.by_mass && fields_.from_zero();
    return false;
  }
  void sweep(int s, int row) {
    if (goes_by_mass(s)) return sweep_by_mass(s, row);
    const T *const south = iterate(s - 1, row - 1), *const centre = iterate(s - 1, row),
                   *const north = iterate(s - 1, row + 1);
    const T *const gs = g(row), *const old = s == 1 ? at(before_, row) : iterate(s - 2, row);
    T* const to = x(s, row);
    const T kept = steps_.keep[s - 1], m = steps_.momentum[s - 1], w = steps_.weight[s - 1];
    const int n = columns_;
    if (s == 1 && fields_.from_zero()) {
      SIMD for (int k = 0; k < n; ++k) to[k] = w * gs[k];
      return;
    }
    at_row(row, [&](const auto& at) {
      const auto with = [&](const auto& others) {
        SIMD for (int k = 0; k < n; ++k) {
          const T y = couple(gs[k], at, south, centre, k);
          to[k] = std::fma(w * at.north[k], north[k], std::fma(w, y, others(k)));
        }
      };
      if (kept == 0)
        with([&](int k) { return m * old[k]; });
      else
        with([&](int k) { return std::fma(m, old[k], kept * centre[k]); });
    });
    outside_is_zero(to);
  }

  /// The same with a weight for each point and no momentum.
  void sweep_by_mass(int s, int row) {
    const T *const south = iterate(s - 1, row - 1), *const centre = iterate(s - 1, row),
                   *const north = iterate(s - 1, row + 1);
    const T *const gs = g(row), *const w = lightness(row);
    T* const to = x(s, row);
    const int n = columns_;
    if (s == 1) {  // these passes begin with zero
      SIMD for (int k = 0; k < n; ++k) to[k] = w[k] * gs[k];
      return;
    }
    at_row(row, [&](const auto& at) {
      SIMD for (int k = 0; k < n; ++k) {
        const T y = couple(gs[k], at, south, centre, k);
        to[k] = std::fma(w[k] * at.north[k], north[k], std::fma(w[k], y, (T(1) - w[k]) * centre[k]));
      }
    });
  }

  void leave(int row, int from, int to) {
    const T* d = x(K, row);
    if constexpr (varies) d = unscaled(d, row);
    const long line = long(row) * pitch_ + first_col_;
    if constexpr (is_step) {
      const T *const u = fields_.u + line, *const p = fields_.p + line;
      T *const u_to = place(place_r + 1), *const p_to = place(place_r);  // where unscaled d lies
      const T carry = fields_.carry, rest = T(1) - carry;
      SIMD for (int k = from; k < to; ++k) {
        u_to[k] = u[k] + d[k];
        p_to[k] = std::fma(carry, d[k], rest * p[k]);
      }
      store(u_to + from, to - from, fields_.u_to + line + from);
      store(p_to + from, to - from, fields_.p_to + line + from);
    } else {
      store(d + from, to - from, fields_.x_to + line + from);
      if (!fields_.before_to) return;
      d = iterate(K - 1, row);
      if constexpr (varies) d = unscaled(d, row);
      store(d + from, to - from, fields_.before_to + line + from);
    }
  }
  void store(const T* from, int n, T* to) const {
    if (past_caches_)
      stream(from, n, to);
    else
      std::copy(from, from + n, to);
  }
  /// D^-1/2 y, until the next row is written in its place.
  const T* unscaled(const T* y, int row) {
    T* const to = place(place_r);
    const T* const scale = sqrt_diagonal(row);
    SIMD for (int k = 0; k < columns_; ++k) to[k] = y[k] * inverse_or_zero(scale[k]);
    return to;
  }

  void residual(int row, int from, int to) {
    const T *const south = x(K, row - 1), *const centre = x(K, row), *const north = x(K, row + 1);
    const T* const gs = g(row);
    T* const r = place(place_r);
    const int n = columns_;
    at_row(row, [&](const auto& at) {
      SIMD for (int k = 0; k < n; ++k) {
        const T y = couple(gs[k], at, south, centre, k);
        r[k] = std::fma(at.north[k], north[k], y - centre[k]);
        if constexpr (!varies) r[k] *= at.diagonal[k];
      }
    });
    if constexpr (varies) multiply(r, sqrt_diagonal(row));
    add_up(residual_, r, from, to);
  }
  /// Columns from..to - 1 of a row, which may be written to.
  static void add_up(NormsOfLanes& norms, T* row, int from, int to) {
    const int end = (to + V - 1) / V;
    for (int k = to; k < end * V; ++k) row[k] = 0;
    norms.template add<V>(row, from / V, end);
  }

  BlockPlan plan_;
  int pitch_;
  Medium medium_;
  Fields fields_;
  SweepCoefficients<T, K> steps_;
  bool past_caches_;
  int first_col_ = 0;
  int in_domain_from_ = 0, in_domain_to_ = columns_;  // columns of this strip
  bool inside_domain_ = false;                        // all of them
  // In a constant medium: its inner row, and whether inner rows are like that one at all these columns.
  ScaledRow<T> inside_{};
  bool constant_ = false;
  CacheLines<T> rows_, table_;
  CacheLines<T> in_lane_;  // k % V of column k: g++ makes a branch, and no vector, of that as an expression
  std::array<const T*, 3> x0_, u_;
  std::array<const T*, 2> before_;
  NormsOfLanes residual_, reference_;
};

template <class T, int K, class Fields, class Epilogue>
void Host::blocked_sweeps(const char* label, Extent e, const WaveSystem<T, UniformCoefficients<T>>& system,
                          const Fields& all, const SweepCoefficients<T, K>& steps,
                          typename Fields::Result* out, Epilogue epilogue) {
  using Result = typename Fields::Result;
  counts_.add(label, double(e.points()) * all.vectors() * sizeof(T), true);
  const BlockPlan plan = plan_blocks<T>(e, K);
  std::vector<Result> partial(plan.blocks());
  const bool shared = e.points() > small;
  const bool past_caches = double(e.points()) * all.vectors() * sizeof(T) > more_than_caches;
  const int together = chunks_together(plan, K, shared ? omp_get_max_threads() : 1);
  const auto with_medium = [&](const auto& medium, const auto& fields) {
    using Medium = std::decay_t<decltype(medium)>;
    using Some = std::decay_t<decltype(fields)>;
#pragma omp parallel if (shared)
    {
      const SubnormalsAreZero guard;
      HostBlockedPass<T, K, Medium, Some> front(plan, e.pitch, medium, fields, steps, past_caches);
#pragma omp for schedule(dynamic) collapse(2)
      for (int chunk = 0; chunk < plan.chunks; chunk += together)
        for (int strip = 0; strip < plan.strips; ++strip)
          front.temporal(strip, chunk, std::min(chunk + together, plan.chunks), partial.data());
      stream_fence();
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
  epilogue(*out);
}

}  // namespace wavesim
