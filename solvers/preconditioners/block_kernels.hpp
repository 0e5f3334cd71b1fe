#pragma once
// What block-Jacobi does on the backend to each of its blocks: functors for `groups`
// (kernels/backend/host_group.hpp) and `groups_with_scratch` (kernels/blocks/scratch.hpp).

#include <type_traits>

#include "kernels/blocks/gauss_huard.hpp"
#include "kernels/blocks/gauss_jordan.hpp"
#include "kernels/blocks/lu.hpp"
#include "kernels/blocks/scratch.hpp"
#include "kernels/numbers/half.hpp"

namespace wavesim {

enum class BlockVariant : int { gauss_jordan, lu, gauss_huard };
/// The format in which a block is stored; `identity` takes no memory.
enum class BlockFormat : unsigned char { identity, half, single, full };

/// Sixteen bytes, which a GPU reads in one load: for small blocks they are a tenth of the bytes read.
struct alignas(16) BlockPlace {
  int first = 0;
  unsigned char size = 0;
  BlockFormat format = BlockFormat::full;
  short exponent = 0;  // the block is 2^exponent times what is stored
  long at = 0;         // in bytes
};
static_assert(sizeof(BlockPlace) == 16);

/// f(the number of lanes for blocks of so many rows, as a constant)
template <class F>
void with_lanes(int largest, const F& f) {
  if (largest <= 4)
    f(std::integral_constant<int, 4>());
  else if (largest <= 8)
    f(std::integral_constant<int, 8>());
  else if (largest <= 16)
    f(std::integral_constant<int, 16>());
  else
    f(std::integral_constant<int, 32>());
}

/// f on `count` blocks, with as few lanes for each as the largest block needs.
template <class B, class F>
void each_block(B& be, const char* label, int largest, int count, double moved, const F& f) {
  with_lanes(largest, [&](auto lanes) { be.template groups<lanes>(label, count, moved, f); });
}

/// Extracts each block from the matrix and inverts or factorises it, in double. A functor for
/// `groups_with_scratch`.
template <class T, BlockVariant variant>
struct FactoriseBlocks {
  CsrView<T> A;
  const BlockPlace* places;
  char* values;
  unsigned char* order;
  BlockState* states;
  double* conditions;  // ||B||_1 ||B^-1||_1, if not null
  bool symmetric;

  template <int W>
  using Scratch = BlockScratch<W>;
  // Two lanes to a thread halve the communication between threads, for which the kernel waits, and registers
  // hold no more lanes; four threads read a sector of memory. The numbers of blocks are the fastest
  // measured on an H200.
  static constexpr bool one_lane(int W) { return W == 4 || (W == 8 && variant == BlockVariant::lu); }
  static constexpr int threads(int W) { return one_lane(W) ? W : W / 2; }
  static constexpr int resident(int W) {
    return W == 32 ? 6 : W == 16 ? 8 : W == 4 ? 22 : one_lane(W) ? 20 : 12;
  }

  template <class G, int W>
  HD void operator()(const G& g, int b, BlockScratch<W>& scratch) const {
    const BlockPlace place = places[b];
    const int n = place.format == BlockFormat::identity ? 0 : place.size;
    double* S = reinterpret_cast<double*>(values + place.at);
    extract_block(g, A, place.first, n, scratch);
    double condition = 0;
    if (conditions) condition = largest_sum(g, n, scratch.tile, scratch.stride, 1);
    const BlockState state = factorise(g, n, scratch, S, order + place.first);
    if (conditions && state == BlockState::regular) condition *= largest_sum(g, n, S, 1, n);
    g.each(1, [&](auto) {
      states[b] = state;
      if (conditions) conditions[b] = condition;
    });
  }

 private:
  template <class G, int W>
  HD BlockState factorise(const G& g, int n, BlockScratch<W>& scratch, double* S,
                          unsigned char* steps) const {
    if constexpr (variant == BlockVariant::lu) return factorise_lu(g, n, scratch, S, steps);
    if constexpr (variant == BlockVariant::gauss_huard) return factorise_gauss_huard(g, n, scratch, S, steps);
    return invert_gauss_jordan(g, n, scratch, symmetric, S);
  }
};

/// What `FactoriseBlocks` takes, for the variant named at run time.
template <class B, class T>
void factorise_blocks(B& be, BlockVariant variant, int largest, int count, double moved, const CsrView<T>& A,
                      const BlockPlace* places, char* values, unsigned char* order, BlockState* states,
                      double* conditions, bool symmetric) {
  const auto run = [&](const auto& f) {
    with_lanes(largest, [&](auto lanes) {
      groups_with_scratch<lanes>(be, "invert or factorise blocks", count, moved, f);
    });
  };
  if (variant == BlockVariant::lu)
    run(FactoriseBlocks<T, BlockVariant::lu>{A, places, values, order, states, conditions, symmetric});
  else if (variant == BlockVariant::gauss_huard)
    run(FactoriseBlocks<T, BlockVariant::gauss_huard>{A, places, values, order, states, conditions,
                                                      symmetric});
  else
    run(FactoriseBlocks<T, BlockVariant::gauss_jordan>{A, places, values, order, states, conditions,
                                                       symmetric});
}

/// Rounds each block to its format. It is scaled first, so that half precision with its few powers of ten can
/// neither overflow nor lose a block whose entries are small.
struct RoundBlocks {
  const BlockPlace* from;
  const char* values;
  BlockPlace* to;
  char* rounded;

  template <class G>
  HD void operator()(const G& g, int b) const {
    const BlockPlace place = to[b];
    const int n = place.size;
    const double* S = reinterpret_cast<const double*>(values + from[b].at);
    if (place.format == BlockFormat::identity) return;
    if (place.format == BlockFormat::full) return copy<double>(g, n, S, place.at, 1);
    int exponent = 0;
    std::frexp(largest_magnitude(g, n, S), &exponent);
    g.each(1, [&](int) { to[b].exponent = short(exponent); });
    const double scale = std::ldexp(1.0, -exponent);
    if (place.format == BlockFormat::single)
      copy<float>(g, n, S, place.at, scale);
    else
      copy<Half>(g, n, S, place.at, scale);
  }

 private:
  template <class S, class G>
  HD void copy(const G& g, int n, const double* block, long at, double scale) const {
    S* to_block = reinterpret_cast<S*>(rounded + at);
    g.each(n, [&](int i) {
      for (int j = 0; j < n; ++j) to_block[j * n + i] = S(block[j * n + i] * scale);
    });
  }
};

/// z <- B^-1 r with explicit inverses. The lane of row i reads column after column with its neighbours; of
/// the transpose it reads its own column.
template <class T>
struct ApplyInverses {
  const BlockPlace* places;
  const char* values;
  bool transposed;
  const T* r;
  T* z;

  template <class G>
  HD void operator()(const G& g, int b) const {
    const BlockPlace place = places[b];
    const int first = place.first;
    if (place.format == BlockFormat::identity)
      return g.each(place.size, [&](int i) { z[first + i] = r[first + i]; });
    if (place.format == BlockFormat::full) return multiply<double>(g, place);
    if (place.format == BlockFormat::single) return multiply<float>(g, place);
    multiply<Half>(g, place);
  }

 private:
  template <class S, class G>
  HD void multiply(const G& g, const BlockPlace& place) const {
    const int n = place.size, across = transposed ? 1 : n, along = transposed ? n : 1;
    const S* inverse = reinterpret_cast<const S*>(values + place.at);
    const double scale = std::is_same_v<S, double> ? 1 : std::ldexp(1.0, place.exponent);
    const T* from = r + place.first;
    T* to = z + place.first;
    LanesOf<G, double> x, y;
    g.each(n, [&](int i) { x[i] = double(from[i]); });
    for (int j = 0; j < n; ++j) {
      const double xj = g.broadcast(x, j);
      g.each(n, [&](int i) { y[i] = std::fma(double(inverse[j * across + i * along]), xj, y[i]); });
    }
    g.each(n, [&](int i) { to[i] = T(scale * y[i]); });
  }
};

/// z <- B^-1 r with factors.
template <class T>
struct ApplyFactors {
  const BlockPlace* places;
  const char* values;
  const unsigned char* order;
  bool huard, transposed;
  const T* r;
  T* z;

  template <class G>
  HD void operator()(const G& g, int b) const {
    const BlockPlace place = places[b];
    const int n = place.size, first = place.first;
    const double* S = reinterpret_cast<const double*>(values + place.at);
    if (place.format == BlockFormat::identity) return g.each(n, [&](int i) { z[first + i] = r[first + i]; });
    const unsigned char* steps = order + first;
    if (huard && transposed)
      solve_gauss_huard_transposed(g, n, S, steps, r + first, z + first);
    else if (huard)
      solve_gauss_huard(g, n, S, steps, r + first, z + first);
    else if (transposed)
      solve_lu_transposed(g, n, S, steps, r + first, z + first);
    else
      solve_lu(g, n, S, steps, r + first, z + first);
  }
};

}  // namespace wavesim
