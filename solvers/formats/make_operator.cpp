// The list of formats, and operators by their names.
#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/formats/format.hpp"

namespace wavesim {

template <class B, class T>
const std::vector<FormatOn<B, T>>& formats_on() {
  static const std::vector<FormatOn<B, T>> all{
      stencil_format<B, T>(),   dia_format<B, T>(),     ellpack_r_format<B, T>(), csr_format<B, T>(),
      csr_merge_format<B, T>(), ell_format<B, T>(),     sell_p_format<B, T>(),    hybrid_format<B, T>(),
      chosen_format<B, T>(),    cusparse_format<B, T>()};
  return all;
}

namespace {

/// Throws InputError with the names that there are.
[[noreturn]] void unknown_format(const std::string& name, bool any_matrix) {
  std::string names;
  for (const Format& f : solver_formats())
    if (f.any_matrix || !any_matrix) names += (names.empty() ? "" : ", ") + std::string(f.name);
  throw InputError((find_format(name) ? "format '" + name + "' holds the wave system only"
                                      : "unknown format '" + name + "'") +
                   "; one of: " + names);
}

/// Throws InputError: the format is that of a library which this backend or this build does not have.
template <class B>
[[noreturn]] void no_library(const Format& f) {
  if constexpr (!B::asynchronous) throw InputError(unavailable_on_cpu(f.name));
  throw InputError(
      "this program was built without " + std::string(f.library) + ", which takes the products of format '" +
      std::string(f.name) +
      "'; install that library of the CUDA toolkit and build again, or write another format, as csr");
}

template <class B, class T>
const FormatOn<B, T>& format_on(const std::string& name, bool any_matrix) {
  for (const FormatOn<B, T>& f : formats_on<B, T>())
    if (f.row.name == name && (f.row.any_matrix || !any_matrix)) {
      if (!f.constant) no_library<B>(f.row);
      return f;
    }
  unknown_format(name, any_matrix);
}

}  // namespace

template <class B, class T>
std::unique_ptr<WaveOperator<B, T>> make_operator(const std::string& format, B& be, Extent e,
                                                  const UniformCoefficients<T>& c) {
  return format_on<B, T>(format, false).constant(be, e, c);
}
template <class B, class T>
std::unique_ptr<WaveOperator<B, T>> make_operator(const std::string& format, B& be, Extent e,
                                                  const VariableCoefficients<T>& c) {
  return format_on<B, T>(format, false).varying(be, e, c);
}
template <class B, class T>
std::unique_ptr<WaveOperator<B, T>> make_operator(const std::string& format, B& be, Extent e,
                                                  const NinePointCoefficients<T>& c) {
  return format_on<B, T>(format, false).nine_point(be, e, c);
}
template <class B, class T>
std::unique_ptr<WaveOperator<B, T>> make_operator(const std::string& format, B& be, Extent e,
                                                  const UniformNinePointCoefficients<T>& c) {
  return format_on<B, T>(format, false).constant_nine_point(be, e, c);
}
template <class B, class T>
std::unique_ptr<Operator<B, T>> make_operator(const std::string& format, B& be, const HostCsr& matrix) {
  return format_on<B, T>(format, true).matrix(be, matrix);
}

#define WAVESIM_INSTANTIATE(T)                                                                              \
  template const std::vector<FormatOn<Backend, T>>& formats_on();                                           \
  template std::unique_ptr<WaveOperator<Backend, T>> make_operator(const std::string&, Backend&, Extent,    \
                                                                   const UniformCoefficients<T>&);          \
  template std::unique_ptr<WaveOperator<Backend, T>> make_operator(const std::string&, Backend&, Extent,    \
                                                                   const VariableCoefficients<T>&);         \
  template std::unique_ptr<WaveOperator<Backend, T>> make_operator(const std::string&, Backend&, Extent,    \
                                                                   const NinePointCoefficients<T>&);        \
  template std::unique_ptr<WaveOperator<Backend, T>> make_operator(const std::string&, Backend&, Extent,    \
                                                                   const UniformNinePointCoefficients<T>&); \
  template std::unique_ptr<Operator<Backend, T>> make_operator(const std::string&, Backend&, const HostCsr&);
WAVESIM_INSTANTIATE(double)
WAVESIM_INSTANTIATE(float)

}  // namespace wavesim
