// Operators of any square matrix.
#include "kernels/backend/backend.hpp"
#include "kernels/formats/converted.hpp"
#include "kernels/formats/csr.hpp"
#include "kernels/formats/dia.hpp"
#include "kernels/formats/ell.hpp"
#include "kernels/formats/hybrid.hpp"
#include "kernels/formats/sell_p.hpp"
#include "solvers/catalogue/formats.hpp"
#include "solvers/core/matrix_operator.hpp"
#include "solvers/matrices/choose_format.hpp"

namespace wavesim {

template <class B, class T>
std::unique_ptr<Operator<B, T>> make_operator(const std::string& format, B& be, const HostCsr& matrix) {
  const Extent e = vector_extent(matrix.rows);
  Csr<B, T> csr(be, padded_to(matrix, e));
  const bool symmetric = is_symmetric(matrix);
  const auto in = [&]<class Storage>(Storage*) -> std::unique_ptr<Operator<B, T>> {
    return std::make_unique<MatrixOperator<B, T, Storage>>(be, e, std::move(csr), symmetric);
  };
  const std::string chosen = format == "auto" ? choose_format(matrix).name : format;
  if (chosen == "csr") return in(static_cast<Csr<B, T>*>(nullptr));
  if (chosen == "ell") return in(static_cast<Converted<B, T, Ell<B, T>>*>(nullptr));
  if (chosen == "ellpack-r") return in(static_cast<Converted<B, T, EllpackR<B, T>>*>(nullptr));
  if (chosen == "sell-p") return in(static_cast<Converted<B, T, SellP<B, T>>*>(nullptr));
  if (chosen == "hybrid") return in(static_cast<Converted<B, T, Hybrid<B, T>>*>(nullptr));
  if (chosen == "dia") return in(static_cast<Dia<B, T>*>(nullptr));
  unknown_format(format, true);
}

template std::unique_ptr<Operator<Backend, double>> make_operator(const std::string&, Backend&,
                                                                  const HostCsr&);
template std::unique_ptr<Operator<Backend, float>> make_operator(const std::string&, Backend&,
                                                                 const HostCsr&);

}  // namespace wavesim
