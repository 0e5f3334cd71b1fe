#pragma once
// The matrix formats as the catalogue lists them: a row, and what makes the operators. One source file each,
// so that they compile side by side, and so that a new one is a file and its name in make_operator.cpp.

#include <memory>
#include <vector>

#include "kernels/backend/backend.hpp"
#include "kernels/formats/scattered_entries.hpp"
#include "solvers/formats/matrix_operator.hpp"
#include "solvers/formats/wave_operators.hpp"

namespace wavesim {

template <class B, class T>
struct FormatOn {
  template <class Coefficients>
  using MakeWave = std::unique_ptr<WaveOperator<B, T>>(B&, Extent, const Coefficients&);

  Format row;
  MakeWave<UniformCoefficients<T>>* constant = nullptr;
  MakeWave<VariableCoefficients<T>>* varying = nullptr;
  MakeWave<NinePointCoefficients<T>>* nine_point = nullptr;
  MakeWave<UniformNinePointCoefficients<T>>* constant_nine_point = nullptr;
  /// Of any square matrix, on vectors of vector_extent(matrix.rows); null: holds the wave system only.
  std::unique_ptr<Operator<B, T>> (*matrix)(B&, const HostCsr& matrix) = nullptr;
};

/// The wave system with its rows stored as `Storage` says, filled from the coefficients.
template <class Storage, class B, class T, class Coefficients>
std::unique_ptr<WaveOperator<B, T>> stored_rows(B& be, Extent e, const Coefficients& c) {
  return std::make_unique<StoredOperator<B, T, Storage, Coefficients>>(be, e, c);
}

/// Any square matrix, stored as `Storage` says.
template <class Storage, class B, class T>
std::unique_ptr<Operator<B, T>> stored_matrix(B& be, const HostCsr& matrix) {
  const Extent e = vector_extent(matrix.rows);
  return std::make_unique<MatrixOperator<B, T, Storage>>(be, e, Csr<B, T>(be, padded_to(matrix, e)),
                                                         matrix.rows, facts_of(matrix, sizeof(T) == 4),
                                                         scattered_entries(matrix));
}

/// One storage for all kinds of the wave system and for any matrix.
template <class Storage, class B, class T>
FormatOn<B, T> format_of(Format row) {
  return {row,
          stored_rows<Storage, B, T, UniformCoefficients<T>>,
          stored_rows<Storage, B, T, VariableCoefficients<T>>,
          stored_rows<Storage, B, T, NinePointCoefficients<T>>,
          stored_rows<Storage, B, T, UniformNinePointCoefficients<T>>,
          stored_matrix<Storage, B, T>};
}

template <class B, class T>
FormatOn<B, T> stencil_format();
template <class B, class T>
FormatOn<B, T> dia_format();
template <class B, class T>
FormatOn<B, T> ellpack_r_format();
template <class B, class T>
FormatOn<B, T> csr_format();
template <class B, class T>
FormatOn<B, T> csr_merge_format();
template <class B, class T>
FormatOn<B, T> ell_format();
template <class B, class T>
FormatOn<B, T> sell_p_format();
template <class B, class T>
FormatOn<B, T> hybrid_format();
template <class B, class T>
FormatOn<B, T> cusparse_format();
template <class B, class T>
FormatOn<B, T> chosen_format();

/// All of them, in the order of lists.
template <class B, class T>
const std::vector<FormatOn<B, T>>& formats_on();

}  // namespace wavesim

/// After a format: its instantiations for the backend of this translation unit.
#define WAVESIM_FORMAT(format)                                  \
  template FormatOn<Backend, double> format<Backend, double>(); \
  template FormatOn<Backend, float> format<Backend, float>();
