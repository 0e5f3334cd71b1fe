#pragma once
// What block-Jacobi does on the backend to each of its blocks: functors for `groups`
// (kernels/host_group.hpp).

#include "kernels/batched/gauss_huard.hpp"
#include "kernels/batched/gauss_jordan.hpp"
#include "kernels/batched/lu.hpp"
#include "kernels/half.hpp"

namespace wavesim {

enum class BlockVariant : int { gauss_jordan, lu, gauss_huard };
/// In what format a block is stored; `identity` takes no room.
enum class BlockFormat : short { identity, half, single, full };

struct BlockPlace {
  int first = 0;
  short size = 0;
  BlockFormat format = BlockFormat::full;
  long at = 0;       // in bytes
  double scale = 1;  // the block is `scale`, a power of two, times what is stored
};

struct BlockFacts {
  double condition = 0;  // ||B||_1 ||B^-1||_1, if asked for
  BlockState state = BlockState::regular;
};

/// f on `count` blocks, with as few lanes to each as the largest takes.
template <class B, class F>
void each_block(B& be, const char* label, int largest, int count, double moved, const F& f) {
  if (largest <= 4)
    be.template groups<4>(label, count, moved, f);
  else if (largest <= 8)
    be.template groups<8>(label, count, moved, f);
  else if (largest <= 16)
    be.template groups<16>(label, count, moved, f);
  else
    be.template groups<32>(label, count, moved, f);
}

/// Extracts each block from the matrix and inverts or factorises it, in double.
template <class T>
struct FactoriseBlocks {
  CsrView<T> A;
  const BlockPlace* places;
  char* values;
  unsigned char* order;
  BlockFacts* facts;
  BlockVariant variant;
  bool symmetric, condition;

  template <class G>
  HD void operator()(const G& g, int b) const {
    const BlockPlace place = places[b];
    if (place.format == BlockFormat::identity) return;
    const int n = place.size;
    double* S = reinterpret_cast<double*>(values + place.at);
    BlockFacts found;
    found.state = extract_block(g, A, place.first, n, variant == BlockVariant::gauss_huard, S);
    if (found.state == BlockState::regular) {
      if (condition) found.condition = one_norm(g, n, S);
      found.state = factorise(g, n, S, order + place.first);
    }
    if (found.state == BlockState::regular && variant == BlockVariant::gauss_jordan) {
      if (symmetric) symmetrise(g, n, S);
      if (condition) found.condition *= one_norm(g, n, S);
    }
    g.each(1, [&](int) { facts[b] = found; });
  }

 private:
  template <class G>
  HD BlockState factorise(const G& g, int n, double* S, unsigned char* order_of_block) const {
    if (variant == BlockVariant::lu) return factorise_lu(g, n, S, order_of_block);
    if (variant == BlockVariant::gauss_huard) return factorise_gauss_huard(g, n, S, order_of_block);
    return invert_gauss_jordan(g, n, S);
  }
};

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
    g.each(1, [&](int) { to[b].scale = std::ldexp(1.0, exponent); });
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
    const T* from = r + place.first;
    T* to = z + place.first;
    LanesOf<G, double> x, y;
    g.each(n, [&](int i) { x[i] = double(from[i]); });
    for (int j = 0; j < n; ++j) {
      const double xj = g.broadcast(x, j);
      g.each(n, [&](int i) { y[i] = std::fma(double(inverse[j * across + i * along]), xj, y[i]); });
    }
    g.each(n, [&](int i) { to[i] = T(place.scale * y[i]); });
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
