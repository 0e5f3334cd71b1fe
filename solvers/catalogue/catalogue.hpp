#pragma once
// The names a user can write in `solver:`, what each is, what it asks for and what it costs. A row stands
// beside what makes its object, in its family's file (families.hpp) or its format's (solvers/formats);
// register.hpp adds rows at run time.
// `wavesim list`, config validation, the docs tables, the estimates of a dry run and the tests that run over
// all of them read them from here.

#include <string_view>
#include <vector>

#include "solvers/core/options.hpp"

namespace wavesim {

struct HostCsr;  // kernels/formats/host_csr.hpp

struct Entry {
  std::string_view name, text;
};

/// What a method or preconditioner asks of the matrix.
enum class Structure {
  any,
  nine_points,  // the wave system of nine points on a grid: it has one of five points beside it (lumped_system.hpp)
  wave_system,  // of five points
  rectangle,    // the same with a constant medium and no shape; there methods for it also take nine points
};

/// For estimates; everything in units of one vector. `kept`: memory beside x and b. The rest per iteration or
/// application: `moved` vectors read or written, `products` readings of the matrix, `kernels` launched.
struct Work {
  double kept = 0, moved = 0, products = 0, kernels = 0;
  Work& operator+=(const Work& w) {
    kept += w.kept, moved += w.moved, products += w.products, kernels += w.kernels;
    return *this;
  }
};

/// Fields that blocked sweeps (kernels/temporal) read or leave beside `kept`, where the medium is constant
/// and where it varies.
struct BlockedFields {
  double uniform = 0, varying = 0;
};

/// How the iterations grow with the condition number k of the matrix, for estimates.
enum class IterationBound {
  krylov,        // as those of conjugate gradients and of Chebyshev, with sqrt(k)
  two_products,  // half of them, for two products an iteration
  jacobi,        // with k
  direct,        // one solve, and one that refines it
};

/// What a few steps of a method, from zero, are as a preconditioner (`preconditioner: steps`).
struct Steps {
  int place = 0;           // among the words of its option `method`; 0: it is none of them
  bool linear = false;     // the same linear map of the residual each time
  bool symmetric = false;  // that map is symmetric if A is
};

/// How `method: auto` foresees the cost of solves of the wave system (solvers/automatic/cost_model.cpp).
enum class CostModel {
  unknown,           // by its place alone
  krylov,            // words of iterations as many as those of conjugate gradients
  scaled_krylov,     // somewhat fewer, where the medium varies
  multigrid_krylov,  // with a cycle as preconditioner
  on_chip,           // vectors that are not moved
  blocked_sweeps,    // Chebyshev's, several in a pass
  transform,         // one sine transform there and back
};

/// The method with a preconditioner is one that `auto` considers. `place`: among all of them, the safest
/// first.
struct Candidacy {
  int place = 0;
  CostModel cost = CostModel::unknown;
  std::string_view preconditioner = "none";
};

struct Method {
  std::string_view name, text;
  Work work = {};
  std::vector<const Option*> options = {};
  Structure structure = Structure::any;
  bool symmetric = false;      // A has to be symmetric and positive definite, and so has the preconditioner
  bool indefinite = false;     // but A need not be positive definite
  bool preconditioned = true;  // takes a preconditioner
  bool flexible = false;       // one that may change from one application to the next
  bool transpose = false;      // needs products with the transposes of A and of the preconditioner
  bool least_squares = false;  // A may be m x n, and singular
  bool triangular = false;     // A has to be
  bool repeatable = true;      // gives the same bits each time
  bool doubles = false;        // for double precision only
  bool reads_rows = false;     // goes over rows or coefficients of A, where others take products with it
  const Option* growing = nullptr;  // what the work rises with,
  Work each = {};                   // by so much
  std::string_view best_for = {};   // a few words
  Work stored = {};                 // comes on top of `work` where the format stores its rows
  BlockedFields blocked = {};
  IterationBound bound = IterationBound::krylov;
  Steps steps = {};
  bool fused_steps = false;  // may take a step in time as a whole (Solver::takes_fused_steps)
  bool automatic = false;    // chooses among the others
  bool on_ranks = false;     // works where ranks share out rows (kernels/comm/)
  bool even_rings = false;   // on ranks only with an even number of points along a periodic axis
  bool gathers = false;      // on ranks each of them repeats a part of the work
  std::vector<Candidacy> for_wave = {}, for_any_matrix = {};  // what `auto` considers, by the system
};

/// What a preconditioner inverts, which zeros of A may doom (solvers/automatic/zeros.hpp): the diagonal of A, or incomplete
/// factors.
enum class Inverted { other, diagonal, lu_factors, cholesky_factors };

struct PreconditionerEntry {
  std::string_view name, text;
  Work work = {};
  std::vector<const Option*> options = {};
  Structure structure = Structure::any;
  bool symmetric = true;        // and positive definite, if A is
  bool fixed = true;            // the same linear map each time
  bool transpose = true;        // its transpose can be applied, even where A is not symmetric
  bool repeatable = true;       // gives the same bits each time
  bool doubles = false;         // for double precision only
  bool symmetric_only = false;  // A has to be symmetric and positive definite
  bool reads_rows = false;      // goes over rows of A, where others take products with it
  bool least_squares = false;   // A may be m x n, and singular
  bool of_method = false;       // made of a method, which option::steps_of names
  bool on_ranks = false;        // works where ranks share out rows
  bool even_rings = false;      // on ranks only with an even number of points along a periodic axis
  bool gathers = false;         // on ranks each of them repeats a part of the work
  Inverted inverts = Inverted::other;
  BlockedFields blocked = {};
};

struct Format {
  std::string_view name, text;
  double values = 0,
         indices = 0;  // stored for each row of a five-point system, nine values with a periodic axis
  double periodic_values = 0;
  bool any_matrix = true;         // holds more than the wave system
  bool on_ranks = false;          // works where ranks share out rows
  bool readable = true;           // its rows can be read; else it has products with vectors, and no more
  bool repeatable = true;         // gives the same bits each time
  double kept = 0;                // memory beside the rows, in vectors
  std::string_view library = {};  // of NVIDIA's that takes the products: it is there on a GPU only
};

const std::vector<Method>& solver_methods();
const std::vector<Format>& solver_formats();
const std::vector<PreconditionerEntry>& solver_preconditioners();

/// The entry of a name; null if there is none.
const Method* find_method(std::string_view name);
const PreconditionerEntry* find_preconditioner(std::string_view name);
const Format* find_format(std::string_view name);

/// What a matrix is, as far as methods ask.
struct MatrixFacts {
  Structure structure = Structure::any;
  bool symmetric = true;
  bool single = false;     // its values are
  bool rectangle = false;  // the wave system in a constant medium and no shape, also of nine points
  bool square = true;      // and each row has entries; else a matter of least squares
  bool lower = false, upper = false;  // triangular: no entries on the other side
  bool readable = true;               // as of its format
  bool fits(Structure asked) const {
    return asked <= structure || (asked == Structure::rectangle && rectangle);
  }
};

/// What a matrix that knows no grid is.
MatrixFacts facts_of(const HostCsr& matrix, bool single);

/// The entry of a preconditioner with its options: `steps` is what its method is. The name has to be known.
PreconditionerEntry entry_of(const PreconditionerOptions& options);

/// "jacobi", "3 steps of gmres"
std::string short_name(const PreconditionerOptions& options);

/// Of the method that was chosen, with its options; its preconditioner comes on top.
Work work_of(const SolverOptions& options);

/// Iterations that reduce the error to the tolerance, by the bound; `condition` is greater than 1.
double iterations_by(IterationBound bound, double condition, double tolerance);

/// Why a choice does not fit, with the names that do; empty if it fits. A sentence without a place: the
/// caller knows that.
std::string incompatibility(const SolverOptions& options);
std::string incompatibility(const SolverOptions& options, const MatrixFacts& matrix);
/// Why a choice does not go with a format, as far as that is known without a matrix.
std::string incompatibility(const SolverOptions& options, std::string_view format);
/// Why a format is not there on the CPU; empty if it is.
std::string unavailable_on_cpu(std::string_view format);

/// Bytes that a format reads for each row of a system of five or nine points; `word` of a value.
double row_bytes(std::string_view format, double word, bool periodic, double media, int points = 5);
/// Whether a format stores the rows of the wave system; else it computes them from the media.
bool stores_rows(std::string_view format);

}  // namespace wavesim
