#pragma once
// Matrices and vectors in Matrix Market files (Boisvert, Pozo & Remington 1996, NISTIR 5935), plain or
// compressed with gzip.

#include <filesystem>
#include <vector>

#include "solvers/matrices/any_shape.hpp"

namespace wavesim {

/// A square matrix: coordinate or array, real or integer, general, symmetric or skew-symmetric. Both
/// triangles are in the result, columns ascend, zeros stored in a coordinate file stay. An entry that is
/// given twice is refused, because readers disagree on whether it is a sum, and so is a row without entries.
/// Throws InputError with file and line.
HostCsr read_matrix_market(const std::filesystem::path& file);

/// The same of m x n matrices too, which may have rows without entries. A square one may if `singular`: it is marked then as
/// one that is not (HostCsr::square).
MatrixOfAnyShape read_matrix_market_of_any_shape(const std::filesystem::path& file, bool singular);

/// Vectors, the columns of a matrix of so many rows, coordinate or array, real or integer. Throws InputError with file and
/// line.
std::vector<std::vector<double>> read_matrix_market_columns(const std::filesystem::path& file, int rows);

/// Writes `array real general` with digits that read back to the same bits: complete or absent. There is a
/// column, and all have the same length. Throws OutputError.
void write_matrix_market_columns(const std::filesystem::path& file,
                                 const std::vector<std::vector<double>>& columns);

}  // namespace wavesim
