#include "solvers/catalogue.hpp"

#include "solvers/option_list.hpp"

namespace wavesim {

const std::vector<Method>& solver_methods() {
  static const std::vector<Method> table{
      {.name = "cg",
       .text = "conjugate gradients; the first choice for the wave system",
       .price = {.kept = 3, .moved = 8, .products = 2, .kernels = 4},
       .symmetric = true,
       .best_for = "the wave; the first choice"},
      {.name = "bicgstab",
       .text = "stabilised biconjugate gradients; any non-singular matrix",
       .price = {.kept = 6, .moved = 20, .products = 2, .kernels = 8},
       .best_for = "matrices that are not symmetric"},
      {.name = "pipelined-cg",
       .text = "conjugate gradients with one reduction an iteration; for small systems on a GPU",
       .price = {.kept = 6, .moved = 15, .products = 1, .kernels = 2},
       .symmetric = true,
       .best_for = "small systems on a GPU"},
      {.name = "cg-onchip",
       .text = "conjugate gradients with all vectors on the chip; up to a million unknowns on a GPU",
       .price = {.kept = 1, .moved = 1, .kernels = 1},
       .structure = Structure::five_point,
       .symmetric = true,
       .preconditioned = false,
       .best_for = "a million unknowns on a GPU"},
      {.name = "fcg",
       .text = "flexible conjugate gradients; the preconditioner may change from one iteration to the next",
       .price = {.kept = 1, .moved = 11.2, .products = 1, .kernels = 5},
       .options = {&option::directions},
       .symmetric = true,
       .flexible = true,
       .growing = &option::directions,
       .each = {.kept = 2, .moved = 1},
       .best_for = "preconditioners that change"},
      {.name = "bicg",
       .text = "biconjugate gradients; any non-singular matrix, with products with its transpose",
       .price = {.kept = 6, .moved = 20, .products = 2, .kernels = 5},
       .transpose = true,
       .best_for = "comparison with bicgstab and cgs"},
      {.name = "cgs",
       .text = "conjugate gradients squared; any non-singular matrix, fast but rough",
       .price = {.kept = 6, .moved = 21, .products = 2, .kernels = 6},
       .best_for = "easy unsymmetric systems; rough"},
      {.name = "tfqmr",
       .text = "transpose-free quasi-minimal residuals; any non-singular matrix, smoother than cgs",
       .price = {.kept = 7, .moved = 38, .products = 2, .kernels = 6},
       .best_for = "where cgs is too rough"},
      {.name = "gmres",
       .text = "restarted GMRES; any non-singular matrix, the least residual in each iteration",
       .price = {.kept = 1, .moved = 12, .products = 1, .kernels = 5},
       .options = {&option::restart},
       .growing = &option::restart,
       .each = {.kept = 1, .moved = 2.125, .kernels = 0.125},
       .best_for = "hard unsymmetric systems"},
      {.name = "fgmres",
       .text = "flexible GMRES; the preconditioner may change from one iteration to the next",
       .price = {.kept = 1, .moved = 12, .products = 1, .kernels = 5},
       .options = {&option::restart},
       .flexible = true,
       .growing = &option::restart,
       .each = {.kept = 2, .moved = 2.125, .kernels = 0.125},
       .best_for = "gmres with a method inside"},
      {.name = "idr",
       .text = "IDR(s) with biorthogonal directions; any non-singular matrix, short recurrences",
       .price = {.kept = 2, .moved = 9.6, .products = 1, .kernels = 4},
       .options = {&option::subspace},
       .growing = &option::subspace,
       .each = {.kept = 2, .moved = 2.2},
       .best_for = "unsymmetric, in little memory"},
      {.name = "jacobi",
       .text = "weighted Jacobi; no inner products but for the stop test, many iterations",
       .price = {.kept = 1, .moved = 4, .products = 1, .kernels = 3},
       .options = {&option::relaxation},
       .preconditioned = false,
       .best_for = "small time steps; smoothing"},
      {.name = "async-jacobi",
       .text = "block-asynchronous Jacobi for diagonally dominant matrices; other bits in each run",
       .price = {.moved = 6, .products = 2, .kernels = 2},
       .options = {&option::local},
       .preconditioned = false,
       .repeatable = false,
       .best_for = "GPUs, where bits may vary"},
      {.name = "gauss-seidel",
       .text = "Gauss-Seidel; half as many iterations as jacobi",
       .price = {.moved = 6, .products = 2, .kernels = 3},
       .options = {&option::order},
       .preconditioned = false,
       .best_for = "small time steps; smoothing"},
      {.name = "symmetric-gauss-seidel",
       .text = "Gauss-Seidel, forward and backward",
       .price = {.moved = 10, .products = 3, .kernels = 5},
       .options = {&option::order},
       .preconditioned = false,
       .best_for = "a symmetric smoother"},
      {.name = "sor",
       .text = "successive over-relaxation: gauss-seidel with a weight between 0 and 2",
       .price = {.moved = 6, .products = 2, .kernels = 3},
       .options = {&option::relaxation, &option::order},
       .preconditioned = false,
       .best_for = "a weight known to be good"},
      {.name = "ssor",
       .text = "successive over-relaxation, forward and backward",
       .price = {.moved = 10, .products = 3, .kernels = 5},
       .options = {&option::relaxation, &option::order},
       .preconditioned = false,
       .best_for = "a weighted symmetric smoother"},
      {.name = "chebyshev",
       .text = "Chebyshev iteration; no inner products but for the stop test, bounds from the matrix",
       .price = {.kept = 1, .moved = 4, .products = 1, .kernels = 2},
       .options = {&option::sweeps_a_pass, &option::bounds},
       .symmetric = true,
       .preconditioned = false,
       .best_for = "Courant numbers of a few"},
      {.name = "multigrid",
       .text = "steepest descent along multigrid cycles; as a preconditioner of cg they are faster",
       .price = {.kept = 7.3, .moved = 11.7, .products = 3.7, .kernels = 12},
       .structure = Structure::five_point,
       .preconditioned = false,
       .best_for = "large time steps, any medium"},
      {.name = "sine-transform",
       .text = "direct solve by fast Fourier transforms; a rectangle with a constant medium",
       .price = {.kept = 3, .moved = 18, .products = 1, .kernels = 16},
       .structure = Structure::rectangle,
       .preconditioned = false,
       .best_for = "large time steps on a rectangle"},
      {.name = "refinement",
       .text = "solves in single precision, refined to double (mixed precision)",
       .price = {.kept = 5, .moved = 60, .products = 10, .kernels = 50},
       .options = {&option::inner, &option::inner_tolerance},
       .preconditioned = false,
       .doubles = true,
       .best_for = "double at the speed of single"},
      {.name = "auto",
       .text = "the method that is foreseen and found to be the fastest; another one where it fails",
       .price = {.kept = 10, .moved = 8, .products = 2, .kernels = 4},
       .preconditioned = false,
       .best_for = "not to have to choose"},
  };
  return table;
}

const std::vector<Format>& solver_formats() {
  static const std::vector<Format> table{
      {.name = "stencil",
       .text = "stores nothing but the media and computes each row where it is used; the fastest",
       .any_matrix = false},
      {.name = "dia",
       .text = "one array for each diagonal; five, or nine with a periodic axis",
       .values = 5,
       .periodic_values = 9},
      {.name = "ellpack-r",
       .text = "column-major rows with their lengths (Vazquez 2009, Pozzo 2010)",
       .values = 5,
       .indices = 6,
       .periodic_values = 5},
      {.name = "csr", .text = "compressed sparse rows", .values = 5, .indices = 6, .periodic_values = 5},
      {.name = "ell",
       .text = "column-major rows, all as long as the longest",
       .values = 5,
       .indices = 5,
       .periodic_values = 5},
      {.name = "sell-p",
       .text = "the same in slices of 64 rows, each as wide as its longest (Anzt 2014)",
       .values = 6,
       .indices = 6,
       .periodic_values = 6},
      {.name = "hybrid",
       .text = "ell for what most rows have, csr for the rest of the long ones (Bell & Garland 2009)",
       .values = 5,
       .indices = 6,
       .periodic_values = 5},
      {.name = "auto", .text = "stencil for the wave system; for a matrix, by the lengths of its rows"},
  };
  return table;
}

const std::vector<PreconditionerEntry>& solver_preconditioners() {
  static const std::vector<PreconditionerEntry> table{
      {.name = "none", .text = "no preconditioner"},
      {.name = "jacobi", .text = "diagonal scaling", .price = {.kept = 1, .moved = 3, .kernels = 1}},
      {.name = "symmetric-gauss-seidel",
       .text = "sweeps forward and backward, from zero",
       .price = {.moved = 11, .products = 2, .kernels = 6},
       .options = {&option::sweeps, &option::order},
       .transpose = false},
      {.name = "ssor",
       .text = "one weighted sweep forward and backward",
       .price = {.moved = 11, .products = 2, .kernels = 6},
       .options = {&option::relaxation, &option::order},
       .transpose = false},
      {.name = "ic0",
       .text = "incomplete Cholesky factors on the pattern of the matrix, which is symmetric",
       .price = {.kept = 20, .moved = 8, .products = 1, .kernels = 3},
       .options = {&option::factor_sweeps},
       .transpose = false},
      {.name = "ilu0",
       .text = "incomplete LU factors on the pattern of the matrix",
       .price = {.kept = 20, .moved = 8, .products = 1, .kernels = 3},
       .options = {&option::factor_sweeps},
       .symmetric = false,
       .transpose = false},
      {.name = "parilut",
       .text = "incomplete LU factors on a pattern that grows where they are large (Anzt et al. 2018)",
       .price = {.kept = 40, .moved = 8, .products = 2, .kernels = 3},
       .options = {&option::fill, &option::rounds, &option::factor_sweeps},
       .symmetric = false,
       .transpose = false},
      {.name = "isai",
       .text = "sparse approximate inverses of the factors of ic0, or of ilu0 if A is not symmetric",
       .price = {.kept = 19, .moved = 5, .products = 1.3, .kernels = 2},
       .options = {&option::power, &option::factor_sweeps},
       .transpose = false},
      // With blocks of 32 in double: the inverses, and the matrix by rows (5 values, 6 indices) they are
      // from.
      {.name = "block-jacobi",
       .text = "inverses of the diagonal blocks (Anzt, Flegar et al. 2017, 2019)",
       .price = {.kept = 40, .moved = 36, .kernels = 2},
       .options = {&option::block, &option::blocks, &option::block_variant, &option::block_storage}},
      {.name = "multigrid",
       .text = "one V-cycle on ever coarser grids; few iterations at any size and time step",
       .price = {.kept = 4.3, .moved = 4.7, .products = 2.7, .kernels = 10},
       .options = {&option::arithmetic},
       .structure = Structure::five_point},
      {.name = "sine-transform",
       .text = "fast Fourier transforms that solve the system of the mean medium; exact for a constant one",
       .price = {.kept = 1.5, .moved = 15, .kernels = 14},
       .structure = Structure::five_point},
      {.name = "polynomial",
       .text = "Chebyshev iterations, a fixed number of them",
       .price = {.kept = 1, .moved = 20, .products = 4, .kernels = 6},
       .options = {&option::degree, &option::bounds},
       .transpose = false},
      {.name = "steps",
       .text = "a few steps of a method; those of Krylov methods for flexible methods only",
       .price = {.kept = 1, .moved = 14, .products = 3, .kernels = 5},
       .options = {&option::steps_of, &option::steps, &option::relaxation, &option::order, &option::local,
                   &option::bounds, &option::restart, &option::subspace, &option::directions},
       .transpose = false},
      {.name = "single",
       .text = "a solve in single precision, for flexible methods in double",
       .price = {.kept = 4, .moved = 50, .products = 8, .kernels = 40},
       .options = {&option::inner, &option::inner_tolerance},
       .fixed = false,
       .transpose = false,
       .doubles = true},
  };
  return table;
}

namespace {

template <class Table>
auto* find(const Table& table, std::string_view name) {
  for (const auto& e : table)
    if (e.name == name) return &e;
  return static_cast<decltype(&table.front())>(nullptr);
}

template <class Table, class Fits>
std::string names_that(const Table& table, const Fits& fits) {
  std::string names;
  for (const auto& e : table)
    if (fits(e)) names += (names.empty() ? "" : ", ") + std::string(e.name);
  return names;
}

std::string quoted(std::string_view what, std::string_view name) {
  return std::string(what) + ": " + std::string(name);
}

/// Options that were chosen and that the entry `name` of the table does not have, with the names that do.
template <class Table>
std::string unwanted(const Choices& chosen, const Table& table, std::string_view kind,
                     std::string_view name) {
  const auto has = [](const auto& entry, std::string_view option) {
    for (const Option* o : entry.options)
      if (o->name == option) return true;
    return false;
  };
  std::vector<std::string> options;
  for (const auto& [option, value] : chosen.numbers) options.push_back(option);
  for (const auto& [option, value] : chosen.words) options.push_back(option);
  for (const std::string& option : options)
    if (!has(*find(table, name), option))
      return "'" + option + "' is no option of " + quoted(kind, name) + "; remove it, or choose one of " +
             names_that(table, [&](const auto& e) { return has(e, option); });
  return "";
}

/// As in messages: "preconditioner: steps of gmres".
std::string full_name(const PreconditionerOptions& o) {
  return quoted("preconditioner", o.type) +
         (o.type == "steps" ? " of " + o.choices.word(option::steps_of) : "");
}

/// Options of `steps` that its method does not have.
std::string unwanted_by_steps(const PreconditionerOptions& o) {
  if (o.type != "steps") return "";
  Choices rest = o.choices;
  rest.words.erase(std::string(option::steps_of.name));
  rest.numbers.erase(std::string(option::steps.name));
  return unwanted(rest, solver_methods(), "method", o.choices.word(option::steps_of));
}

const char* words_for(Structure s) {
  return s == Structure::rectangle ? "a rectangle with a constant medium and no shape"
                                   : "the five-point wave system";
}

}  // namespace

const Method* find_method(std::string_view name) { return find(solver_methods(), name); }
const PreconditionerEntry* find_preconditioner(std::string_view name) {
  return find(solver_preconditioners(), name);
}
const Format* find_format(std::string_view name) { return find(solver_formats(), name); }

namespace {

Price price_of(const Method& m, const Choices& choices) {
  Price p = m.price;
  if (m.growing) {
    const double n = choices.number(*m.growing);
    p.kept += n * m.each.kept;
    p.moved += n * m.each.moved;
    p.products += n * m.each.products;
    p.kernels += n * m.each.kernels;
  }
  return p;
}

}  // namespace

PreconditionerEntry entry_of(const PreconditionerOptions& o) {
  PreconditionerEntry e = *find_preconditioner(o.type);
  if (o.type != "steps") return e;
  const Method& m = *find_method(o.choices.word(option::steps_of));
  const bool linear = m.name == "jacobi" || m.name == "chebyshev" || m.name == "gauss-seidel" ||
                      m.name == "symmetric-gauss-seidel" || m.name == "sor" || m.name == "ssor";
  e.fixed = linear;
  e.symmetric = m.symmetric || (linear && m.name != "gauss-seidel" && m.name != "sor");
  e.symmetric_only = m.symmetric;
  e.repeatable = m.repeatable;
  const double steps = o.choices.number(option::steps);
  e.price = price_of(m, o.choices);
  e.price.moved = 3 + steps * e.price.moved;
  e.price.products *= steps;
  e.price.kernels = 2 + steps * e.price.kernels;
  return e;
}

std::string short_name(const PreconditionerOptions& o) {
  if (o.type != "steps") return o.type;
  return std::to_string(o.choices.count(option::steps)) + " steps of " + o.choices.word(option::steps_of);
}

Price price_of(const SolverOptions& o) {
  Price p = price_of(*find_method(o.method), o.choices);
  if (o.mixed) {  // of an iteration of the inner solve: everything in half the bytes
    p.kept = 2 + (2 + p.kept) / 2;
    p.moved /= 2;
    p.products /= 2;
  }
  return p;
}

std::string misfit(const SolverOptions& o) {
  const Method* method = find_method(o.method);
  if (!method)
    return "unknown method '" + o.method +
           "'; one of: " + names_that(solver_methods(), [](auto&) { return true; });
  if (!find_preconditioner(o.preconditioner.type))
    return "unknown preconditioner '" + o.preconditioner.type +
           "'; one of: " + names_that(solver_preconditioners(), [](auto&) { return true; });
  const PreconditionerEntry entry = entry_of(o.preconditioner), *M = &entry;
  const std::string m = quoted("method", method->name), p = full_name(o.preconditioner);
  if (o.mixed && (method->doubles || M->doubles))
    return (method->doubles ? m : p) + " holds a solve in single precision already; write precision: double";
  if (const std::string s = unwanted(o.choices, solver_methods(), "method", method->name); !s.empty())
    return s;
  if (const std::string s =
          unwanted(o.preconditioner.choices, solver_preconditioners(), "preconditioner", M->name);
      !s.empty())
    return s;
  if (const std::string s = unwanted_by_steps(o.preconditioner); !s.empty()) return s;
  if (!o.preconditioned()) return "";
  if (!method->preconditioned)
    return m + " takes no preconditioner; write preconditioner: none, or one of the methods " +
           names_that(solver_methods(), [](const Method& e) { return e.preconditioned; });
  if (method->symmetric && !M->symmetric)
    return m + " needs a symmetric positive definite preconditioner, which " + p + " is not; one of: " +
           names_that(solver_preconditioners(), [](const auto& e) { return e.symmetric; });
  if (!method->flexible && !M->fixed)
    return p + " changes from one application to the next, which " + m +
           " does not bear; these methods do: " + names_that(solver_methods(), [&](const Method& e) {
             return e.flexible && (M->symmetric || !e.symmetric);
           });
  return "";
}

std::string misfit(const SolverOptions& o, const MatrixFacts& matrix) {
  if (const std::string s = misfit(o); !s.empty()) return s;
  const Method& method = *find_method(o.method);
  const PreconditionerEntry M = entry_of(o.preconditioner);
  const std::string m = quoted("method", method.name), p = full_name(o.preconditioner);
  if (matrix.single && (method.doubles || M.doubles))
    return (method.doubles ? m : p) +
           " works with a solve in single precision within one in double; write "
           "precision: double";
  if (method.structure > matrix.structure)
    return m + " is for " + words_for(method.structure) +
           "; methods that fit here: " + names_that(solver_methods(), [&](const Method& e) {
             return e.structure <= matrix.structure && (matrix.symmetric || !e.symmetric);
           });
  if (M.structure > matrix.structure)
    return p + " is for " + words_for(M.structure) +
           "; preconditioners that fit here: " + names_that(solver_preconditioners(), [&](const auto& e) {
             return e.structure <= matrix.structure;
           });
  if (method.symmetric && !matrix.symmetric)
    return m + " needs a symmetric matrix, and this one is not; methods that fit: " +
           names_that(solver_methods(),
                      [&](const Method& e) { return e.structure <= matrix.structure && !e.symmetric; });
  if (M.symmetric_only && !matrix.symmetric)
    return p +
           " needs a symmetric matrix, and this one is not; write another method of steps, or one of the "
           "preconditioners " +
           names_that(solver_preconditioners(),
                      [&](const auto& e) { return e.structure <= matrix.structure && e.name != M.name; });
  // the transpose of a symmetric preconditioner is itself, and it is symmetric where A is
  const auto transposes = [&](const PreconditionerEntry& e) {
    return e.transpose || (e.symmetric && e.fixed && matrix.symmetric);
  };
  if (o.preconditioned() && method.transpose && !transposes(M))
    return m + " needs the transpose of its preconditioner, which " + p +
           " does not have; one of: " + names_that(solver_preconditioners(), transposes);
  return "";
}

double row_bytes(std::string_view format, double word, bool periodic, double media) {
  const Format* f = find_format(format);
  if (!f || f->values == 0) return media;
  return (periodic ? f->periodic_values : f->values) * word + f->indices * 4;
}

}  // namespace wavesim
