#include "solvers/catalogue/make.hpp"

#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/automatic/fallback.hpp"
#include "solvers/catalogue/families.hpp"
#include "solvers/catalogue/register.hpp"

namespace wavesim {

namespace {

template <class Table>
Table joined(std::vector<Table> families) {
  Table all;
  for (Table& family : families)
    for (auto& e : family) all.push_back(std::move(e));
  return all;
}

template <class Table>
auto find(Table& table, std::string_view name) {
  auto at = table.begin();
  while (at != table.end() && at->row.name != name) ++at;
  return at;
}

/// The methods of the library, and how many they are.
template <class B, class T>
struct AllMethods {
  Methods<B, T> table =
      joined<Methods<B, T>>({krylov_methods<B, T>(), onchip_methods<B, T>(), short_recurrences<B, T>(),
                             least_squares_methods<B, T>(), subspace_methods<B, T>(),
                             stationary_methods<B, T>(), multigrid_methods<B, T>(), direct_methods<B, T>(),
                             composed_methods<B, T>(), automatic_methods<B, T>()});
  const std::size_t own = table.size();
};

template <class B, class T>
AllMethods<B, T>& all_methods() {
  static AllMethods<B, T> all;
  return all;
}

void check_fit(const std::string& why) {
  if (!why.empty()) throw InputError(why);
}

}  // namespace

template <class B, class T>
const Methods<B, T>& methods_on() {
  return all_methods<B, T>().table;
}

template <class B, class T>
const Preconditioners<B, T>& preconditioners_on() {
  static const auto table = joined<Preconditioners<B, T>>(
      {simple_preconditioners<B, T>(), least_squares_preconditioners<B, T>(),
       triangular_preconditioners<B, T>(), block_preconditioners<B, T>(), multigrid_preconditioners<B, T>(),
       direct_preconditioners<B, T>(), composed_preconditioners<B, T>()});
  return table;
}

template <class B, class T>
const MethodOn<B, T>& method_on(std::string_view name) {
  const Methods<B, T>& table = methods_on<B, T>();
  const auto at = find(table, name);
  if (at == table.end())
    throw InputError("method '" + std::string(name) + "' is registered for another backend only");
  return *at;
}

template <class B>
void register_method(const MethodOn<B, double>& in_double, const MethodOn<B, float>& in_single) {
  const Method& row = in_double.row;
  const std::string who = "register_method: method '" + std::string(row.name) + "'";
  auto& doubles = all_methods<B, double>().table;
  if (find(doubles, row.name) != doubles.end())
    throw InputError(who + " is in the catalogue already; choose another name");
  if (!in_double.make || (!in_single.make && !row.doubles))
    throw InputError(who + " has no maker; give one for each precision, or say `doubles` in its row");
  if (!find_method(row.name)) add_row(row);
  doubles.push_back(in_double);
  all_methods<B, float>().table.push_back(in_single);
}

template <class B>
void unregister_method(std::string_view name) {
  const auto drop = [&](auto& all) {
    const auto at = find(all.table, name);
    if (at == all.table.end() || at - all.table.begin() < std::ptrdiff_t(all.own))
      throw InputError("unregister_method: method '" + std::string(name) + "' was not registered");
    all.table.erase(at);
  };
  drop(all_methods<B, double>());
  drop(all_methods<B, float>());
  remove_row(name);
}

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_solver(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  check_fit(incompatibility(o, A.facts()));
  for (const SolverOptions& other : o.fallback) check_fit(incompatibility(other, A.facts()));
  SolverOptions own = o;
  own.fallback.clear();
  auto solver = o.mixed ? make_mixed<B, T>(own, be, A) : method_on<B, T>(o.method).make(own, be, A);
  if (o.fallback.empty()) return solver;
  return std::make_unique<Fallback<B, T>>(be, std::move(solver), o.fallback);
}

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_preconditioner(const PreconditionerOptions& o, B& be,
                                                          const Operator<B, T>& A) {
  const Preconditioners<B, T>& table = preconditioners_on<B, T>();
  const auto at = find(table, o.type);
  if (at == table.end()) throw InputError("unknown preconditioner '" + o.type + "'");
  return at->make ? at->make(o, be, A) : nullptr;
}

#define WAVESIM_INSTANTIATE(T)                                                             \
  template const Methods<Backend, T>& methods_on();                                        \
  template const Preconditioners<Backend, T>& preconditioners_on();                        \
  template const MethodOn<Backend, T>& method_on(std::string_view);                        \
  template std::unique_ptr<Preconditioner<Backend, T>> make_preconditioner(                \
      const PreconditionerOptions&, Backend&, const Operator<Backend, T>&);                \
  template std::unique_ptr<Solver<Backend, T>> make_solver(const SolverOptions&, Backend&, \
                                                           const Operator<Backend, T>&);
WAVESIM_INSTANTIATE(double)
WAVESIM_INSTANTIATE(float)
#undef WAVESIM_INSTANTIATE

template void register_method(const MethodOn<Backend, double>&, const MethodOn<Backend, float>&);
template void unregister_method<Backend>(std::string_view);

}  // namespace wavesim
