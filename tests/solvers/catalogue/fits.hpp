#pragma once
// What fits what, written by hand: which methods take which preconditioners for which matrices. The
// catalogue is judged by it.

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace wavesim::test::fits {

/// Kinds of matrices, each of which is of the kind before it as well.
enum Matrix { unsymmetric, symmetric, wave, rectangle };

/// A cell says for which matrices a pair is taken: a - any; s - symmetric ones; w - wave systems; r - those
/// on a rectangle in a constant medium; a dot - none. A capital letter: in double precision only.
struct Row {
  std::string_view method, cells;
};

inline bool taken(char cell, Matrix matrix, bool single) {
  if (cell == '.') return false;
  if (cell >= 'A' && cell <= 'Z') {
    if (single) return false;
    cell = char(cell - 'A' + 'a');
  }
  return matrix >= Matrix(std::string_view("aswr").find(cell));
}

inline constexpr std::array<std::string_view, 16> preconditioners{
    "none",           "jacobi",     "column-scaling", "symmetric-gauss-seidel",
    "ssor",           "ic0",        "ilu0",           "parilut",
    "parict",         "isai",       "block-jacobi",   "multigrid",
    "sine-transform", "polynomial", "steps",          "single"};

/// One column for each of the above, in that order; `steps` are those of jacobi, as usual.
inline constexpr std::array<Row, 28> with_preconditioners{{
    // none, jacobi, columns; sweeps; factors; blocks; of the wave; polynomials; a solve
    {"cg", "sss ss s..ss s ww ss ."},
    {"pipelined-cg", "sss ss s..ss s ww ss ."},
    {"fcg", "sss ss s..ss s ww ss S"},
    {"minres", "sss ss s..ss s ww ss ."},
    {"cg-onchip", "w.. .. ..... . .. .. ."},
    {"bicg", "aaa ss s..ss a ww ss ."},  // with the transpose of its preconditioner
    {"bicgstab", "aaa aa saasa a ww aa ."},
    {"qmr", "aaa ss s..ss a ww ss ."},   // likewise
    {"lsqr", "aaa ss s..ss a ww ss ."},  // likewise
    {"lsmr", "aaa ss s..ss a ww ss ."},
    {"cgs", "aaa aa saasa a ww aa ."},
    {"tfqmr", "aaa aa saasa a ww aa ."},
    {"gmres", "aaa aa saasa a ww aa ."},
    {"idr", "aaa aa saasa a ww aa ."},
    {"fgmres", "aaa aa saasa a ww aa A"},
    {"jacobi", "a.. .. ..... . .. .. ."},
    {"async-jacobi", "a.. .. ..... . .. .. ."},
    {"gauss-seidel", "a.. .. ..... . .. .. ."},
    {"symmetric-gauss-seidel", "a.. .. ..... . .. .. ."},
    {"sor", "a.. .. ..... . .. .. ."},
    {"ssor", "a.. .. ..... . .. .. ."},
    {"chebyshev", "s.. .. ..... . .. .. ."},
    {"multigrid", "w.. .. ..... . .. .. ."},
    {"sine-transform", "r.. .. ..... . .. .. ."},
    {"direct", "A.. .. ..... . .. .. ."},
    {"triangular", "... .. ..... . .. .. ."},  // none of these is
    {"refinement", "A.. .. ..... . .. .. ."},
    {"auto", "a.. .. ..... . .. .. ."},
}};

inline constexpr std::array<std::string_view, 17> methods_of_steps{"jacobi",       "symmetric-gauss-seidel",
                                                                   "ssor",         "chebyshev",
                                                                   "gauss-seidel", "sor",
                                                                   "async-jacobi", "cg",
                                                                   "pipelined-cg", "fcg",
                                                                   "bicg",         "bicgstab",
                                                                   "cgs",          "tfqmr",
                                                                   "gmres",        "fgmres",
                                                                   "idr"};

/// One column for each of the above: steps that are linear and symmetric; linear; another map each time.
/// Methods that are not here take no steps.
inline constexpr std::array<Row, 14> with_steps{{
    {"cg", "ssss .. . ... ......."},
    {"pipelined-cg", "ssss .. . ... ......."},
    {"fcg", "ssss .. . sss ......."},
    {"minres", "ssss .. . ... ......."},
    {"bicg", "ssss .. . ... ......."},
    {"qmr", "ssss .. . ... ......."},
    {"lsqr", "ssss .. . ... ......."},
    {"lsmr", "ssss .. . ... ......."},
    {"bicgstab", "aaas aa . ... ......."},
    {"cgs", "aaas aa . ... ......."},
    {"tfqmr", "aaas aa . ... ......."},
    {"gmres", "aaas aa . ... ......."},
    {"idr", "aaas aa . ... ......."},
    {"fgmres", "aaas aa a sss aaaaaaa"},
}};

/// The cell of a column, counted without the spaces; a dot where the table has no such row.
template <class Table>
char cell(const Table& table, std::string_view method, std::size_t column) {
  for (const Row& row : table)
    if (row.method == method)
      for (const char c : row.cells)
        if (c != ' ' && column-- == 0) return c;
  return '.';
}
inline std::size_t width(const Row& row) {
  return std::size_t(std::count_if(row.cells.begin(), row.cells.end(), [](char c) { return c != ' '; }));
}

template <class Names>
std::size_t column(const Names& names, std::string_view name) {
  return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
}

inline bool taken(std::string_view method, std::string_view preconditioner, Matrix matrix, bool single) {
  return taken(cell(with_preconditioners, method, column(preconditioners, preconditioner)), matrix, single);
}

}  // namespace wavesim::test::fits
