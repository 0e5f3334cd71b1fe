#include "solvers/catalogue.hpp"

#include "solvers/option_list.hpp"

namespace wavesim {

const std::vector<Method>& solver_methods() {
  static const std::vector<Method> table{
      {{"cg", "conjugate gradients; the first choice for the wave system"},
       {.kept = 3, .moved = 8, .products = 2, .kernels = 4},
       {},
       Structure::any,
       true},
      {{"bicgstab", "stabilised biconjugate gradients; any non-singular matrix"},
       {.kept = 6, .moved = 20, .products = 2, .kernels = 8}},
      {{"jacobi", "weighted Jacobi; no inner products but for the stop test, many iterations"},
       {.kept = 1, .moved = 4, .products = 1, .kernels = 3},
       {&option::relaxation},
       Structure::any,
       false,
       false},
  };
  return table;
}

const std::vector<Format>& solver_formats() {
  static const std::vector<Format> table{
      {{"stencil", "stores nothing but the media and computes each row where it is used; the fastest"},
       0,
       0,
       0,
       false},
      {{"dia", "one array for each diagonal; five, or nine with a periodic axis"}, 5, 0, 9},
      {{"ellpack-r", "column-major rows with their lengths (Vazquez 2009, Pozzo 2010)"}, 5, 6, 5},
      {{"csr", "compressed sparse rows"}, 5, 6, 5},
  };
  return table;
}

const std::vector<PreconditionerEntry>& solver_preconditioners() {
  static const std::vector<PreconditionerEntry> table{
      {{"none", "no preconditioner"}, {}},
      {{"jacobi", "diagonal scaling"}, {.kept = 1, .moved = 3, .kernels = 1}},
      // With blocks of 32 in double: the inverses, and the matrix by rows (5 values, 6 indices) they are
      // from.
      {{"block-jacobi", "inverses of the diagonal blocks (Anzt, Flegar et al. 2017, 2019)"},
       {.kept = 40, .moved = 36, .kernels = 2},
       {&option::block, &option::blocks, &option::block_variant, &option::block_storage}},
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

/// Options that were chosen and that the entry does not have.
std::string unwanted(const Choices& chosen, const std::vector<const Option*>& known,
                     const std::string& what) {
  const auto check = [&](const std::string& name) {
    for (const Option* o : known)
      if (o->name == name) return std::string();
    return "'" + name + "' is no option of " + what + "; remove it";
  };
  for (const auto& [name, value] : chosen.numbers)
    if (const std::string s = check(name); !s.empty()) return s;
  for (const auto& [name, value] : chosen.words)
    if (const std::string s = check(name); !s.empty()) return s;
  return "";
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

std::string misfit(const SolverOptions& o) {
  const Method* method = find_method(o.method);
  if (!method)
    return "unknown method '" + o.method +
           "'; one of: " + names_that(solver_methods(), [](auto&) { return true; });
  const PreconditionerEntry* M = find_preconditioner(o.preconditioner.type);
  if (!M)
    return "unknown preconditioner '" + o.preconditioner.type +
           "'; one of: " + names_that(solver_preconditioners(), [](auto&) { return true; });
  const std::string m = quoted("method", method->name), p = quoted("preconditioner", M->name);
  if (const std::string s = unwanted(o.choices, method->options, m); !s.empty()) return s;
  if (const std::string s = unwanted(o.preconditioner.choices, M->options, p); !s.empty()) return s;
  if (!o.preconditioned()) return "";
  if (!method->preconditioned)
    return m + " takes no preconditioner; write preconditioner: none, or one of the methods " +
           names_that(solver_methods(), [](const Method& e) { return e.preconditioned; });
  if (method->symmetric && !M->symmetric)
    return m + " needs a symmetric positive definite preconditioner, which " + p + " is not; one of: " +
           names_that(solver_preconditioners(), [](const auto& e) { return e.symmetric; });
  if (!method->flexible && !M->fixed)
    return p + " changes from one application to the next, which " + m + " does not bear; the methods " +
           names_that(solver_methods(), [](const Method& e) { return e.flexible; }) + " do";
  if (method->transpose && !M->transpose)
    return m + " needs the transpose of its preconditioner, which " + p + " does not have; one of: " +
           names_that(solver_preconditioners(), [](const auto& e) { return e.transpose; });
  return "";
}

std::string misfit(const SolverOptions& o, const MatrixFacts& matrix) {
  if (const std::string s = misfit(o); !s.empty()) return s;
  const Method& method = *find_method(o.method);
  const PreconditionerEntry& M = *find_preconditioner(o.preconditioner.type);
  const std::string m = quoted("method", method.name), p = quoted("preconditioner", M.name);
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
  return "";
}

double row_bytes(std::string_view format, double word, bool periodic, double media) {
  const Format* f = find_format(format);
  if (!f || f->values == 0) return media;
  return (periodic ? f->periodic_values : f->values) * word + f->indices * 4;
}

}  // namespace wavesim
