#pragma once
// A solve in single precision, as a preconditioner of one in double: most of the work at half the bytes, the
// accuracy of the outer residual. It changes from one application to the next.

#include "solvers/core/preconditioner.hpp"
#include "solvers/preconditioners/in_single.hpp"

namespace wavesim {

template <class B>
class SinglePreconditioner final : public Preconditioner<B, double> {
 public:
  using Vector = Field<B, double>;
  using Inner = Field<B, float>;
  /// `inner`: the method in single precision, with its preconditioner and tolerance.
  SinglePreconditioner(B& backend, const Operator<B, double>&, const SolverOptions& inner)
      : be_(backend), options_(inner) {}

  void apply(const Vector& r, Vector& z, double* rz, Quotient after) const override {
    const Extent e = z.extent();
    be_.map(
        "r to single", e, [] KERNEL(const double& ri, float& si) { si = float(ri); }, r.in(), r_.out());
    z_.clear();
    solver_->solve(*single_.A, preconditioner_.get(), r_, z_, true);
    be_.map_sum(
        "z to double, <r, z>", e, reinterpret_cast<Sum<1>*>(rz),
        [] KERNEL(const double& ri, const float& si, double& zi) {
          zi = double(si);
          return Sum<1>{{ri * zi}};
        },
        [=] KERNEL(const Sum<1>&) { after(); }, r.in(), z_.in(), z.out());
  }
  bool synchronises() const override { return true; }
  std::string describe() const override {
    std::string text;
    if (solver_) text = solver_->describe();
    if (preconditioner_ && !preconditioner_->describe().empty())
      text += (text.empty() ? "" : "; ") + preconditioner_->describe();
    return text;
  }

 protected:
  void set_up(const Operator<B, double>& A) override {
    single_ = InSingle<B>(be_, A);
    // As csr it may have more rows, empty ones, than the vectors of A have places.
    if (const Extent e = single_.A->extent(); r_.extent().pitch != e.pitch || r_.extent().ny != e.ny) {
      r_ = Inner(be_, e);
      z_ = Inner(be_, e);
    }
    solver_ = make_solver<B, float>(options_, be_, *single_.A);
    preconditioner_ = make_preconditioner<B, float>(options_.preconditioner, be_, *single_.A);
  }

 private:
  B& be_;
  SolverOptions options_;
  mutable Inner r_, z_;
  InSingle<B> single_;
  std::unique_ptr<Solver<B, float>> solver_;
  std::unique_ptr<Preconditioner<B, float>> preconditioner_;
};

}  // namespace wavesim
