#include "library/system_matrix.hpp"

#include <utility>

#include "library/check_word.hpp"
#include "solvers/matrices/triangle.hpp"

namespace wavesim {

bool may_be_singular(const SolveOptions& words) {
  const Method* named = words.method ? find_method(*words.method) : nullptr;
  return named && named->least_squares;
}

MatrixOfAnyShape system_matrix(MatrixOfAnyShape A, const SolveOptions& words, const std::string& name) {
  if (!words.uplo) return A;
  check_word("--uplo", *words.uplo, uplo_words);
  if (A.rows != A.columns)
    throw InputError(name + ": --uplo takes a triangle of a square matrix, and this one has " +
                     std::to_string(A.rows) + " rows and " + std::to_string(A.columns) +
                     " columns; remove it");
  A.square = triangle_of(A.square, *words.uplo == "lower");
  if (const int row = row_without_entries(A.square)) {
    if (!may_be_singular(words))
      throw InputError(name + ": row " + std::to_string(row) + " of the " + *words.uplo +
                       " triangle has no entries, so it is singular; take the other one");
    A.square.square = false;
  }
  return A;
}

MatrixFacts facts_of(const MatrixOfAnyShape& A, const SolveOptions& words) {
  MatrixFacts facts = facts_of(A.square, words.precision == "single");
  facts.symmetric = facts.symmetric && !words.match;
  if (const Format* const format = find_format(words.format)) facts.readable = format->readable;
  return facts;
}

}  // namespace wavesim
