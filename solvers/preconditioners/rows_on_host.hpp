#pragma once
#include <algorithm>

#include "solvers/core/operator.hpp"

namespace wavesim {

/// The rows of A, no more of them than its vectors have elements, for what is made of them on the host.
template <class B, class T>
HostCsr rows_on_host(const Operator<B, T>& A) {
  HostCsr rows = A.csr().download();
  rows.rows = std::min(rows.rows, A.extent().count());
  return rows;
}

}  // namespace wavesim
