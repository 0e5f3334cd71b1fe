#pragma once
// The CPU backend: OpenMP. Reductions are joined row by row (or block by block) in an order that depends on
// the size only, never on the number of threads.

#include <omp.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

#include "kernels/access.hpp"
#include "kernels/reduce.hpp"
#include "kernels/tally.hpp"

namespace wavesim {

class Host {
 public:
  static constexpr bool asynchronous = false;

  /// n zeroed elements, touched first by the threads that will work on them.
  template <class T>
  T* allocate(std::size_t n) {
    const std::size_t bytes = (n * sizeof(T) + 127) / 128 * 128;
    void* p = std::aligned_alloc(128, bytes ? bytes : 128);
    if (!p) throw std::bad_alloc();
    char* c = static_cast<char*>(p);
    const long pages = long((bytes + page - 1) / page);
#pragma omp parallel for schedule(static) if (pages > 16)
    for (long k = 0; k < pages; ++k) {
      const std::size_t first = std::size_t(k) * page;
      std::memset(c + first, 0, bytes - first < page ? bytes - first : page);
    }
    return static_cast<T*>(p);
  }
  void release(void* p) { std::free(p); }

  template <class T>
  void upload(T* to, const T* from, std::size_t n) {
    std::memcpy(to, from, n * sizeof(T));
  }
  template <class T>
  void download(T* to, const T* from, std::size_t n) {
    std::memcpy(to, from, n * sizeof(T));
  }
  template <class T>
  void zero(T* to, std::size_t n) {
    map(
        "0", int(n), [](T& v) { v = 0; }, Out<T>{to});
  }
  void synchronize() {}

  /// Kernels enqueued under a guard do nothing unless *flag == value when they start; the host loop asks by
  /// itself.
  void guard(const int*, int) {}
  void unguard() {}

  /// f(values...) on each of n elements.
  template <class F, class... A>
  void map(const char* label, int n, F f, A... a) {
    tally_.add(label, n * bytes_per_point<A...>(), false);
#pragma omp parallel for simd schedule(static) if (n > small)
    for (int i = 0; i < n; ++i) point(f, i, a...);
  }

  /// The same; f returns R, joined over all elements into *out, after which tail(*out) runs once.
  template <class R, class F, class Tail, class... A>
  void map_sum(const char* label, int n, R* out, F f, Tail tail, A... a) {
    tally_.add(label, n * bytes_per_point<A...>(), true);
    const int blocks = (n + block - 1) / block;
    std::vector<R> partial(blocks);
#pragma omp parallel for schedule(static) if (n > small)
    for (int k = 0; k < blocks; ++k) {
      const int end = (k + 1) * block < n ? (k + 1) * block : n;
      partial[k] = lanes_sum<R>(k * block, end, [&](int i) { return point(f, i, a...); });
    }
    *out = joined(partial);
    tail(*out);
  }

  /// f(Row, values...) on each point of the extent; f may gather neighbours. `gathered`: bytes it reads so
  /// for each point.
  template <class F, class... A>
  void rows(const char* label, Extent e, double gathered, F f, A... a) {
    tally_.add(label, e.points() * (gathered + bytes_per_point<A...>()), false);
#pragma omp parallel for schedule(static) if (e.points() > small)
    for (int row = 0; row < e.ny; ++row) {
      const int first = row * e.pitch;
#pragma omp simd
      for (int col = 0; col < e.nx; ++col) at(f, Row{first + col, col, row, e.pitch}, a...);
    }
  }

  template <class R, class F, class Tail, class... A>
  void rows_sum(const char* label, Extent e, double gathered, R* out, F f, Tail tail, A... a) {
    tally_.add(label, e.points() * (gathered + bytes_per_point<A...>()), true);
    std::vector<R> partial(e.ny);
#pragma omp parallel for schedule(static) if (e.points() > small)
    for (int row = 0; row < e.ny; ++row) {
      const int first = row * e.pitch;
      partial[row] = lanes_sum<R>(0, e.nx, [&](int col) {
        return at(f, Row{first + col, col, row, e.pitch}, a...);
      });
    }
    *out = joined(partial);
    tail(*out);
  }

  /// f() once.
  template <class F>
  void once(const char*, F f) {
    f();
  }

  Tally& tally() { return tally_; }
  const Tally& tally() const { return tally_; }

 private:
  static constexpr std::size_t page = 1 << 16;
  static constexpr int small = 1 << 14, block = 1 << 12, lanes = 8;

  template <class F, class... A>
  static auto point(const F& f, int i, const A&... a) {
    Locals<1, A...> v;
    v.load(i, a...);
    if constexpr (std::is_void_v<decltype(call(f, v, 0))>) {
      call(f, v, 0);
      v.store(i, a...);
    } else {
      const auto sum = call(f, v, 0);
      v.store(i, a...);
      return sum;
    }
  }
  template <class F, class... A>
  static auto at(const F& f, Row r, const A&... a) {
    Locals<1, A...> v;
    v.load(r.i, a...);
    if constexpr (std::is_void_v<decltype(call(f, v, 0, r))>) {
      call(f, v, 0, r);
      v.store(r.i, a...);
    } else {
      const auto sum = call(f, v, 0, r);
      v.store(r.i, a...);
      return sum;
    }
  }
  /// Sum of g(i) over [first, end) in eight independent lanes, so that it can be vectorised.
  template <class R, class G>
  static R lanes_sum(int first, int end, const G& g) {
    R lane[lanes] = {};
    int i = first;
    for (; i + lanes <= end; i += lanes) {
#pragma omp simd
      for (int k = 0; k < lanes; ++k) lane[k].join(g(i + k));
    }
    for (int k = 0; i < end; ++i, ++k) lane[k].join(g(i));
    for (int k = 1; k < lanes; ++k) lane[0].join(lane[k]);
    return lane[0];
  }
  template <class R>
  static R joined(const std::vector<R>& partial) {
    R sum = {};
    for (const R& p : partial) sum.join(p);
    return sum;
  }

  Tally tally_;
};

}  // namespace wavesim
