#pragma once
// The options of methods and preconditioners, each stated once.

#include "solvers/core/options.hpp"

namespace wavesim::option {

inline const Option relaxation{"relaxation", "weight of an update", 1, 0.001, 2, false};
inline const Option sweeps_a_pass{
    "sweeps",
    "iterations between two looks at the residual, an even number; 8 stands for "
    "those of one pass over memory on a stencil, of nine points 6",
    8, 2, 64};
inline const Option bounds{
    "bounds",
    "of the eigenvalues of D^-1 A: from the rows, or from Lanczos steps, where those "
    "are not diagonally dominant; auto: of method chebyshev from Lanczos steps where free rims cut cells",
    0,
    0,
    0,
    false,
    {"auto", "gershgorin", "lanczos"}};
inline const Option degree{"degree", "of the polynomial, an even number", 4, 2, 64};
inline const Option inner{"inner",
                          "the method in single precision; the first that fits the matrix if none is named",
                          0,
                          0,
                          0,
                          true,
                          {"cg", "bicgstab", "chebyshev"}};
inline const Option inner_tolerance{
    "inner-tolerance", "of the solves in single precision", 1e-4, 1e-6, 0.5, false};

inline const Option order{"order",
                          "of the rows: by colours; by levels, with the result of the natural order; or "
                          "natural, each row waiting for those it depends on",
                          0,
                          0,
                          0,
                          false,
                          {"colours", "levels", "natural"}};
inline const Option power{"power", "of the factors, whose pattern their approximate inverses take", 1, 1, 8};
inline const Option factor_sweeps{
    "factor-sweeps",
    "that approximate the incomplete factors with no row waiting for another (Chow & Patel 2015); 0: exact "
    "ones, by levels",
    0, 0, 100};
inline const Option shift{
    "shift",
    "by which the diagonal is moved away from zero before the incomplete factorisation, to the "
    "largest entry of its row",
    0,
    0,
    10,
    false};
inline const Option fill{
    "fill", "entries of the factors of parilut and parict, to those of the matrix", 2, 1, 20, false};
inline const Option rounds{"rounds", "in which parilut and parict let the pattern grow and thin it out", 3, 1,
                           20};
inline const Option sweeps{"sweeps", "of the method that serves as preconditioner", 1, 1, 100};
inline const Option local{"local", "sweeps of a block of rows in each pass of async-jacobi", 5, 1, 100};
/// Its words are the methods whose rows have a place among them (Steps of catalogue.hpp).
const Option& option_of_steps();
inline const Option& steps_of = option_of_steps();
inline const Option steps{"steps", "of that method, from zero", 3, 1, 100};
inline const Option restart{"restart", "columns that gmres and fgmres keep before they start again", 30, 1,
                            1000};
inline const Option subspace{"subspace", "shadow vectors of idr", 4, 1, 8};
inline const Option directions{"directions", "that fcg makes a new one orthogonal to", 4, 1, 8};
inline const Option block{"block", "rows of a diagonal block, at most", 32, 1, 32};
inline const Option blocks{"blocks",
                           "blocks of that many rows, or of neighbouring rows with the same pattern",
                           0,
                           0,
                           0,
                           false,
                           {"fixed", "supervariable"}};
inline const Option block_variant{"variant", "explicit inverses of the blocks, or factors", 0, 0, 0,
                                  false,     {"gauss-jordan", "lu", "gauss-huard"}};
inline const Option block_storage{
    "storage",
    "precision of the inverses in memory; adaptive: each as its condition number allows",
    0,
    0,
    0,
    false,
    {"double", "single", "half", "adaptive"}};

inline const Option arithmetic{
    "arithmetic",        "of a cycle and its coarse grids within a solve in double", 0, 0, 0, false,
    {"double", "single"}};

}  // namespace wavesim::option
