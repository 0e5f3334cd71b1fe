#pragma once
// Which passes an operator has: over the rows of its storage, or made of products where the storage has no more.

#include <type_traits>

#include "solvers/formats/product_operator.hpp"
#include "solvers/formats/row_operator.hpp"

namespace wavesim {

/// Whether the operator's passes read rows of the storage; else it has a product (product_operator.hpp).
template <class Storage>
inline constexpr bool rows_are_readable = !requires(const Storage& s) {
  s.product();
};

template <class B, class T, class Storage>
using PassesOf = std::conditional_t<rows_are_readable<Storage>, RowOperator<B, T, typename Storage::View>,
                                    ProductOperator<B, T, Storage>>;

}  // namespace wavesim
