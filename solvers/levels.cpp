// Compiled once for each backend, like all set-ups on the device: nvcc keeps what a lambda for both
// processors needs in memory of the translation unit, and templates that several of them instantiate would
// mix it up.
#include "solvers/levels.hpp"

#include "kernels/backend.hpp"
#include "kernels/depth.hpp"

namespace wavesim {

template <class B>
void Levels<B>::find(B& be, const SparseRows<B>& A, Triangle side) {
  const SparseRowsView a = A.view();
  depths(be, A.rows, side == Triangle::lower, {a.start, a.column}, level.data());
  const Buffer<B, int> most(be, 1);
  int *levels = level.data(), *deepest = most.data();
  each(be, "number of levels", A.rows, 12, [=] HD(int i) {
    if (a.start[i] == a.start[i + 1]) levels[i] = -1;
    raise_to(deepest, levels[i] + 1);
  });
  count = read(be, most, 0);
}

template <class B>
Buffer<B, int> by_level(B& be, const Levels<B>& levels) {
  const int n = int(levels.level.size()), count = levels.count;
  const Buffer<B, int> keys(be, n);
  Buffer<B, int> order(be, n);
  int *key = keys.data(), *row = order.data();
  const int* level = levels.level.data();
  each(be, "levels as keys", n, 12, [=] HD(int i) {
    key[i] = level[i] < 0 ? count : level[i];
    row[i] = i;
  });
  sort_by_key(be, key, row, n, bits_of(count));
  return order;
}

template struct Levels<Backend>;
template Buffer<Backend, int> by_level(Backend&, const Levels<Backend>&);

}  // namespace wavesim
