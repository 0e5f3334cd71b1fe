#include "solvers/registry.hpp"

#include "kernels/backend.hpp"
#include "kernels/errors.hpp"
#include "kernels/formats/csr.hpp"
#include "kernels/formats/dia.hpp"
#include "kernels/formats/ellpack_r.hpp"
#include "solvers/bicgstab.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/cg.hpp"
#include "solvers/jacobi.hpp"
#include "solvers/preconditioners/jacobi.hpp"
#include "solvers/row_operator.hpp"

namespace wavesim {

namespace {

[[noreturn]] void unknown(const char* what, const std::string& name, const std::vector<Entry>& table) {
  std::string names;
  for (const Entry& e : table) names += (names.empty() ? "" : ", ") + std::string(e.name);
  throw InputError(std::string("unknown ") + what + " '" + name + "'; one of: " + names);
}

template <class B, class T, class Coefficients>
std::unique_ptr<FivePointOperator<B, T>> operator_of(const std::string& format, B& be, Extent e,
                                                     const Coefficients& c) {
  using Operator = std::unique_ptr<FivePointOperator<B, T>>;
  const bool periodic = c.topology.wrap_x != 0 || c.topology.wrap_y != 0;
  if (format == "stencil") return Operator(new StencilOperator<B, T, Coefficients>(be, e, c));
  if (format == "dia" && !periodic)
    return Operator(new StoredOperator<B, T, Dia<B, T, 5>, Coefficients>(be, e, c));
  if (format == "dia") return Operator(new StoredOperator<B, T, Dia<B, T, 9>, Coefficients>(be, e, c));
  if (format == "ellpack-r")
    return Operator(new StoredOperator<B, T, EllpackR<B, T>, Coefficients>(be, e, c));
  if (format == "csr") return Operator(new StoredOperator<B, T, Csr<B, T>, Coefficients>(be, e, c));
  unknown("format", format, solver_formats());
}

}  // namespace

template <class B, class T>
std::unique_ptr<FivePointOperator<B, T>> make_operator(const std::string& format, B& be, Extent e,
                                                       const UniformCoefficients<T>& c) {
  return operator_of<B, T>(format, be, e, c);
}
template <class B, class T>
std::unique_ptr<FivePointOperator<B, T>> make_operator(const std::string& format, B& be, Extent e,
                                                       const VariableCoefficients<T>& c) {
  return operator_of<B, T>(format, be, e, c);
}

template <class B, class T>
std::unique_ptr<Preconditioner<B, T>> make_preconditioner(const std::string& name, B& be, Extent e) {
  if (name == "none") return nullptr;
  if (name == "jacobi") return std::make_unique<JacobiPreconditioner<B, T>>(be, e);
  unknown("preconditioner", name, solver_preconditioners());
}

template <class B, class T>
std::unique_ptr<Solver<B, T>> make_solver(const SolverOptions& o, B& be, const Operator<B, T>& A) {
  const Extent e = A.extent();
  const bool preconditioned = o.preconditioner != "none";
  for (const Entry& m : solver_methods())
    if (m.name == o.method && preconditioned && !m.takes_preconditioner)
      throw InputError("method '" + o.method +
                       "' takes no preconditioner; use preconditioner: none, or another method");
  if (o.method == "cg") return std::make_unique<Cg<B, T>>(be, e, o, A, preconditioned);
  if (o.method == "bicgstab") return std::make_unique<BiCgStab<B, T>>(be, e, o, preconditioned);
  if (o.method == "jacobi") return std::make_unique<Jacobi<B, T>>(be, e, o);
  unknown("method", o.method, solver_methods());
}

#define WAVESIM_INSTANTIATE(T)                                                                           \
  template std::unique_ptr<FivePointOperator<Backend, T>> make_operator(                                 \
      const std::string&, Backend&, Extent, const UniformCoefficients<T>&);                              \
  template std::unique_ptr<FivePointOperator<Backend, T>> make_operator(                                 \
      const std::string&, Backend&, Extent, const VariableCoefficients<T>&);                             \
  template std::unique_ptr<Preconditioner<Backend, T>> make_preconditioner(const std::string&, Backend&, \
                                                                           Extent);                      \
  template std::unique_ptr<Solver<Backend, T>> make_solver(const SolverOptions&, Backend&,               \
                                                           const Operator<Backend, T>&);
WAVESIM_INSTANTIATE(double)
WAVESIM_INSTANTIATE(float)

}  // namespace wavesim
