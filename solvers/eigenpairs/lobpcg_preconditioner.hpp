#pragma once
// The preconditioner of lobpcg, by its name, set up for K: one of the catalogue, or sparse factors.

#include <chrono>
#include <memory>
#include <string>

#include "kernels/backend/errors.hpp"
#include "solvers/catalogue/make.hpp"
#include "solvers/eigenpairs/lobpcg.hpp"
#include "solvers/preconditioners/sparse_solve.hpp"

namespace wavesim {

/// The name of sparse factors of K on the host, those of `method: direct`.
inline constexpr const char* direct_preconditioner = "direct";

template <class B>
class LobpcgPreconditioner {
 public:
  /// Throws InputError where it does not fit or cannot be set up; SolveError where factors find that K is singular.
  LobpcgPreconditioner(B& be, const Operator<B, double>& K, const PreconditionerOptions& options)
      : name_(options.type == direct_preconditioner ? options.type : short_name(options)) {
    const auto begin = std::chrono::steady_clock::now();
    if (options.type == direct_preconditioner) {
      own_ = std::make_unique<SparseSolve<B>>(be);
    } else {
      if (const std::string why = unfit_for_eigenpairs(options, K.facts()); !why.empty())
        throw InputError(why);
      own_ = make_preconditioner<B, double>(options, be, K);
    }
    if (own_) own_->prepare(K);
    be.synchronize();
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  Preconditioner<B, double>* get() const { return own_.get(); }
  /// Solves with it.
  EigenRun run(B& be, Lobpcg<B, double>& lobpcg) const {
    const auto begin = std::chrono::steady_clock::now();
    EigenRun result{lobpcg.solve(), name_, own_ ? own_->describe() : "", seconds_, 0};
    be.synchronize();
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
  }

 private:
  std::string name_;
  double seconds_ = 0;  // of the set-up
  std::unique_ptr<Preconditioner<B, double>> own_;
};

}  // namespace wavesim
