// Why a method, a preconditioner and their options do not fit each other or a matrix: what their entries in
// the catalogue ask for, against what is there.
#include "solvers/catalogue/incompatibility.hpp"
#include "solvers/catalogue/option_list.hpp"

namespace wavesim {

namespace {

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

/// Options that were chosen and that this entry of the table does not have, with the names that do.
template <class Table>
std::string unwanted(const Choices& chosen, const Table& table, std::string_view kind,
                     const typename Table::value_type& entry) {
  const auto has = [](const auto& e, std::string_view option) {
    for (const Option* o : e.options)
      if (o->name == option) return true;
    return false;
  };
  std::vector<std::string> options;
  for (const auto& [option, value] : chosen.numbers) options.push_back(option);
  for (const auto& [option, value] : chosen.words) options.push_back(option);
  for (const std::string& option : options)
    if (!has(entry, option))
      return "'" + option + "' is no option of " + quoted(kind, entry.name) +
             "; remove it, or choose one of " +
             names_that(table, [&](const auto& e) { return has(e, option); });
  return "";
}

/// As in messages: "preconditioner: steps of gmres".
std::string full_name(const PreconditionerOptions& o, const PreconditionerEntry& entry) {
  return quoted("preconditioner", o.type) +
         (entry.of_method ? " of " + o.choices.word(option::steps_of) : "");
}

/// Options of `steps` that its method does not have.
std::string unwanted_by_steps(const PreconditionerOptions& o, const PreconditionerEntry& entry) {
  if (!entry.of_method) return "";
  Choices rest = o.choices;
  rest.words.erase(std::string(option::steps_of.name));
  rest.numbers.erase(std::string(option::steps.name));
  return unwanted(rest, solver_methods(), "method", *find_method(o.choices.word(option::steps_of)));
}

const char* words_for(Structure s) {
  switch (s) {
    case Structure::rectangle:
      return "a rectangle with a constant medium and no shape";
    case Structure::wave_system:
      return "the wave system with space: {order: 2}";
    default:
      return "the wave system";
  }
}

/// What a choice asks of a matrix that has products with vectors and no more.
std::string unreadable(const SolverOptions& o, const Method& method, const PreconditionerEntry& M) {
  const std::string why =
      " reads rows of the matrix, and this format has only products with it; write format: csr, or ";
  if (method.reads_rows)
    return quoted("method", method.name) + why + "one of the methods " +
           names_that(solver_methods(), [](const Method& e) { return !e.reads_rows; });
  if (M.reads_rows)
    return full_name(o.preconditioner, M) + why + "one of the preconditioners " +
           names_that(solver_preconditioners(), [](const auto& e) { return !e.reads_rows; });
  if (o.mixed) return "precision: mixed" + why + "precision: double";
  if (o.accurate) return "accurate: true" + why + "accurate: false";
  return "";
}

}  // namespace

std::string incompatibility(const SolverOptions& o, std::string_view format) {
  const Format* const f = find_format(format);
  if (!f || f->readable) return "";
  std::string why = unreadable(o, *find_method(o.method), entry_of(o.preconditioner));
  for (const SolverOptions& other : o.fallback)
    if (why.empty()) why = unreadable(other, *find_method(other.method), entry_of(other.preconditioner));
  return why;
}

std::string unavailable_on_cpu(std::string_view format) {
  const Format* const f = find_format(format);
  if (!f || f->library.empty()) return "";
  return quoted("format", format) + " takes products by " + std::string(f->library) +
         ", which works on a GPU only; write device: cuda, or another format, as csr";
}

std::string incompatibility(const SolverOptions& o) {
  const Method* method = find_method(o.method);
  if (!method)
    return "unknown method '" + o.method +
           "'; one of: " + names_that(solver_methods(), [](auto&) { return true; });
  return incompatibility(*method, o);
}

std::string incompatibility(const Method& of, const SolverOptions& o) {
  const Method* const method = &of;
  if (!find_preconditioner(o.preconditioner.type))
    return "unknown preconditioner '" + o.preconditioner.type +
           "'; one of: " + names_that(solver_preconditioners(), [](auto&) { return true; });
  const PreconditionerEntry entry = entry_of(o.preconditioner), *M = &entry;
  const std::string m = quoted("method", method->name), p = full_name(o.preconditioner, entry);
  if (o.mixed && (method->doubles || M->doubles))
    return (method->doubles ? m : p) + " holds a solve in single precision already; write precision: double";
  if (std::string s = unwanted(o.choices, solver_methods(), "method", *method); !s.empty()) return s;
  if (std::string s = unwanted(o.preconditioner.choices, solver_preconditioners(), "preconditioner", *M);
      !s.empty())
    return s;
  if (std::string s = unwanted_by_steps(o.preconditioner, entry); !s.empty()) return s;
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

std::string incompatibility(const SolverOptions& o, const MatrixFacts& matrix) {
  if (std::string s = incompatibility(o); !s.empty()) return s;
  return incompatibility(*find_method(o.method), o, matrix);
}

std::string incompatibility(const Method& method, const SolverOptions& o, const MatrixFacts& matrix) {
  if (std::string s = incompatibility(method, o); !s.empty()) return s;
  const PreconditionerEntry M = entry_of(o.preconditioner);
  const std::string m = quoted("method", method.name), p = full_name(o.preconditioner, M);
  const auto fits = [&](const Method& e) {
    return matrix.fits(e.structure) && (matrix.readable || !e.reads_rows) &&
           (matrix.symmetric || !e.symmetric) && (matrix.square || e.least_squares) &&
           (!e.triangular || matrix.lower || matrix.upper);
  };
  if (!matrix.readable)
    if (std::string s = unreadable(o, method, M); !s.empty()) return s;
  if (matrix.single && (method.doubles || M.doubles))
    return (method.doubles ? m : p) +
           " works with a solve in single precision within one in double; write "
           "precision: double";
  if (!matrix.square && !method.least_squares && !method.automatic)
    return m + " is for square matrices with entries in each row; methods for least squares: " +
           names_that(solver_methods(), fits);
  if (!matrix.square && o.mixed)
    return "precision: mixed refines solutions of square systems; write precision: double";
  if (!matrix.square && o.preconditioned() && !M.least_squares)
    return p + " is for square matrices with entries in each row; write preconditioner: none, or " +
           names_that(solver_preconditioners(), [](const auto& e) { return e.least_squares; });
  if (method.triangular && !matrix.lower && !matrix.upper)
    return m +
           " is for triangular matrices, and this one is not; take a triangle of it (wavesim solve --uplo), "
           "or a method that fits: " +
           names_that(solver_methods(), fits);
  if (!matrix.fits(method.structure))
    return m + " is for " + words_for(method.structure) +
           "; methods that fit here: " + names_that(solver_methods(), fits);
  if (!matrix.fits(M.structure))
    return p + " is for " + words_for(M.structure) + "; preconditioners that fit here: " +
           names_that(solver_preconditioners(), [&](const auto& e) { return matrix.fits(e.structure); });
  if (method.symmetric && !matrix.symmetric)
    return m + " needs a symmetric matrix, and this one is not; methods that fit: " +
           names_that(solver_methods(), fits);
  if (M.symmetric_only && !matrix.symmetric)
    return p +
           " needs a symmetric matrix, and this one is not; write another method of steps, or one of the "
           "preconditioners " +
           names_that(solver_preconditioners(),
                      [&](const auto& e) { return matrix.fits(e.structure) && e.name != M.name; });
  // the transpose of a symmetric preconditioner is itself, and it is symmetric where A is
  const auto transposes = [&](const PreconditionerEntry& e) {
    return e.transpose || (e.symmetric && e.fixed && matrix.symmetric);
  };
  if (o.preconditioned() && method.transpose && !transposes(M))
    return m + " needs the transpose of its preconditioner, which " + p +
           " does not have; one of: " + names_that(solver_preconditioners(), transposes);
  return "";
}

}  // namespace wavesim
