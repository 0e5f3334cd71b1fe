#pragma once
// Matrices and vectors in Matrix Market files (Boisvert, Pozo & Remington 1996, NISTIR 5935), plain or
// compressed with gzip.

#include <filesystem>
#include <vector>

#include "kernels/formats/host_csr.hpp"

namespace wavesim {

/// A square matrix: coordinate or array, real or integer, general, symmetric or skew-symmetric. Both
/// triangles are in the result, columns ascend, zeros stored in a coordinate file stay. An entry that is
/// given twice is refused, because readers disagree on whether it is a sum, and so is a row without entries.
/// Throws InputError with file and line.
HostCsr read_matrix_market(const std::filesystem::path& file);

/// A matrix of one column and so many rows, coordinate or array, real or integer. Throws InputError with file
/// and line.
std::vector<double> read_matrix_market_vector(const std::filesystem::path& file, int rows);

/// Writes `array real general` with digits that read back to the same bits: complete or absent. Throws
/// OutputError.
void write_matrix_market_vector(const std::filesystem::path& file, const std::vector<double>& v);

}  // namespace wavesim
