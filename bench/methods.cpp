// Every method and preconditioner of the catalogue on the same system. Compiled for the host, and through
// methods.cu for CUDA.

#include "bench/methods.hpp"

#include <algorithm>
#include <cstdio>

#include "bench/membrane.hpp"
#include "kernels/backend/backend.hpp"
#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/make.hpp"

namespace wavesim {

namespace {

struct Candidate {
  std::string method, preconditioner, arithmetic = {};
  std::string name() const {
    return preconditioner == "none"
               ? method
               : method + "+" + preconditioner + (arithmetic.empty() ? "" : "-" + arithmetic);
  }
};

std::vector<Candidate> candidates(const MethodStudy& study) {
  std::vector<Candidate> all;
  for (const Method& m : solver_methods())
    if (!m.triangular) all.push_back({std::string(m.name), "none"});
  for (const PreconditionerEntry& p : solver_preconditioners())
    if (p.name != "none")
      all.push_back({p.fixed ? p.symmetric ? "cg" : "bicgstab" : "fcg", std::string(p.name)});
  if (!study.single) all.push_back({"cg", "multigrid", "single"});
  std::erase_if(all, [&](const Candidate& c) {
    return !study.only.empty() &&
           std::find(study.only.begin(), study.only.end(), c.name()) == study.only.end();
  });
  return all;
}

template <class T>
void run(const MethodStudy& study) {
  Backend be;
  const Extent e = make_extent(study.n, study.n);
  const auto A = make_operator<Backend, T>("stencil", be, e, membrane<T>(e, study.a));
  A->assemble(0, 1);
  const auto b = random_field<T>(be, e, 1);
  Field<Backend, T> x(be, e);
  for (const Candidate& c : candidates(study)) {
    SolverOptions o;
    o.method = c.method;
    o.preconditioner.type = c.preconditioner;
    if (!c.arithmetic.empty()) o.preconditioner.choices.words["arithmetic"] = c.arithmetic;
    o.norm = "relative-2";
    o.tolerance = sizeof(T) == 8 ? 1e-8 : 1e-5;
    o.max_iterations = 4000;
    if (const std::string why = incompatibility(o, A->facts()); !why.empty()) {
      std::printf("%5d  a = %-4g %-34s does not fit: %s\n", study.n, study.a, c.name().c_str(), why.c_str());
      continue;
    }
    try {
      const auto M = make_preconditioner<Backend, T>(o.preconditioner, be, *A);
      const auto solver = make_solver<Backend, T>(o, be, *A);
      std::vector<double> seconds;
      double set_up = 0;
      Report r;
      for (int k = 0; k < 4; ++k) {
        be.zero(x.memory().data(), x.memory().size());
        be.synchronize();
        r = solver->solve(*A, M.get(), b, x, true);
        if (k == 0) set_up = r.setup_seconds;
        if (k > 0) seconds.push_back(r.seconds);
        if (r.seconds > 5) break;
      }
      if (seconds.empty()) seconds.push_back(r.seconds);
      std::sort(seconds.begin(), seconds.end());
      const double s = seconds[seconds.size() / 2];
      std::printf(
          "%5d  a = %-4g %-34s %10.3f ms  %4d iterations, %8.4f ms each, %5.0f GB/s, set-up %8.2f ms, true "
          "residual "
          "%.2g, %s\n",
          study.n, study.a, c.name().c_str(), s * 1e3, r.iterations, s * 1e3 / std::max(1, r.iterations),
          r.bytes / s * 1e-9, set_up * 1e3, r.relative_residual(), std::string(word(r.status)).c_str());
    } catch (const std::exception& problem) {
      std::printf("%5d  a = %-4g %-34s %s\n", study.n, study.a, c.name().c_str(), problem.what());
    }
    std::fflush(stdout);
  }
}

}  // namespace

#ifdef __CUDACC__
void bench_methods_cuda(const MethodStudy& study) {
#else
void bench_methods_host(const MethodStudy& study) {
#endif
  study.single ? run<float>(study) : run<double>(study);
}

}  // namespace wavesim
