#pragma once
// Which passes an operator has: over the rows of its storage, some of them in tiles, or made of products where the storage has
// no more.

#include <type_traits>

#include "solvers/formats/product_operator.hpp"
#include "solvers/formats/tiled_operator.hpp"

namespace wavesim {

/// Whether the operator's passes read rows of the storage; else it has a product (product_operator.hpp).
template <class Storage>
inline constexpr bool rows_are_readable = !requires(const Storage& s) {
  s.product();
};
/// Whether the storage multiplies by tiles of rows (tiled_operator.hpp).
template <class B, class T, class Storage>
inline constexpr bool rows_lie_in_tiles = requires(const Storage& s, B& be, Field<B, T>& x) {
  s.multiply(be, "", Extent{}, x, x);
};

template <class B, class T, class Storage>
struct ChoosePasses {
  using type = ProductOperator<B, T, Storage>;
};
template <class B, class T, class Storage>
requires(rows_are_readable<Storage> && !rows_lie_in_tiles<B, T, Storage>) struct ChoosePasses<B, T, Storage> {
  using type = RowOperator<B, T, typename Storage::View>;
};
template <class B, class T, class Storage>
requires(rows_lie_in_tiles<B, T, Storage>) struct ChoosePasses<B, T, Storage> {
  using type = TiledOperator<B, T, Storage>;
};
template <class B, class T, class Storage>
using PassesOf = typename ChoosePasses<B, T, Storage>::type;

}  // namespace wavesim
