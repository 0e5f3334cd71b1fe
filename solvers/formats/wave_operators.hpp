#pragma once
// The operators of the wave system: its rows stored in a format, or computed where they are used (`stencil`).

#include "solvers/formats/row_operator.hpp"
#include "solvers/stationary/blocked_sweeps.hpp"

namespace wavesim {

/// What the operators of the wave system know about it.
template <class T, class Coefficients>
WaveSystemFacts<T> facts_of(const WaveSystem<T, Coefficients>& system) {
  WaveSystemFacts<T> f;
  f.uniform = Coefficients::uniform;
  if constexpr (Coefficients::uniform)
    f.constant = system.coefficients;
  else
    f.varying = system.coefficients;
  f.a = double(system.a);
  f.b = double(system.b);
  return f;
}
template <class T>
Structure structure_of(const WaveSystemFacts<T>& f) {
  if (!f.uniform) return Structure::wave_system;
  for (T radiation : f.constant.radiation)
    if (radiation != 0) return Structure::wave_system;
  return Structure::rectangle;
}

/// A stored format, filled from the coefficients by one kernel.
template <class B, class T, class Storage, class Coefficients>
class StoredOperator final : public RowOperator<B, T, typename Storage::View>, public WaveOperator<B, T> {
 public:
  StoredOperator(B& backend, Extent e, const Coefficients& c)
      : RowOperator<B, T, typename Storage::View>(backend, e),
        system_{c, T(0), T(1)},
        storage_(backend, e, system_),
        facts_(facts_of(system_)) {
    this->view_ = storage_.view();
  }
  void assemble(double a, double b) override {
    if (system_.a != T(a) || system_.b != T(b) || this->version_ == 0) ++this->version_;
    system_.a = T(a);
    system_.b = T(b);
    facts_ = facts_of(system_);
    storage_.assemble(this->be_, this->extent_, system_);
  }
  bool assembly_is_a_pass() const override { return true; }
  const WaveSystemFacts<T>* wave_system() const override { return &facts_; }
  MatrixFacts facts() const override { return {structure_of(facts_), true, sizeof(T) == 4}; }

 private:
  const Csr<B, T>* stored_csr() const override { return kept_csr<B, T>(storage_); }

  WaveSystem<T, Coefficients> system_;
  Storage storage_;
  WaveSystemFacts<T> facts_;
};

/// `stencil`: assembly is two numbers.
template <class B, class T, class Coefficients>
class StencilOperator final : public RowOperator<B, T, WaveStencilView<T, Coefficients>>,
                              public WaveOperator<B, T> {
 public:
  StencilOperator(B& backend, Extent e, const Coefficients& c)
      : RowOperator<B, T, WaveStencilView<T, Coefficients>>(backend, e) {
    this->view_.set({c, T(0), T(1)});
    facts_ = facts_of(this->view_.system);
  }
  void assemble(double a, double b) override {
    auto system = this->view_.system;
    if (system.a != T(a) || system.b != T(b) || this->version_ == 0) ++this->version_;
    system.a = T(a);
    system.b = T(b);
    this->view_.set(system);
    facts_ = facts_of(system);
  }
  bool assembly_is_a_pass() const override { return false; }
  const WaveSystemFacts<T>* wave_system() const override { return &facts_; }
  MatrixFacts facts() const override { return {structure_of(facts_), true, sizeof(T) == 4}; }

  int blocked_sweep_count() const override {
    // a blocked pass ends its sums itself: plainly, and for this rank alone
    if (!temporal::fits<T>(facts_.topology()) || this->be_.compensates() || this->be_.reduces_across())
      return 0;
    // now: a pass may be recorded later, and the allocation of memory cannot be
    blocked_system_.prepare(this->be_, this->extent_, this->view_.system, this->version_);
    return sweeps_of_a_pass;
  }
  void blocked_sweeps(const Field<B, T>& b, From<B, T> from, To<B, T> to, const std::vector<ThreeTerm>& steps,
                      Norms* norms, Epilogue then) const override {
    blocked_system_.prepare(this->be_, this->extent_, this->view_.system, this->version_);
    run_blocked_sweeps(this->be_, this->extent_, blocked_system_, b, from, to, steps, norms, then);
  }
  void fused_step(const FusedStep<B, T>& step, const std::vector<ThreeTerm>& steps, StepNorms* norms,
                  Epilogue then) const override {
    blocked_system_.prepare_fused_steps(this->be_, this->extent_, this->view_.system, this->version_);
    run_fused_step(this->be_, this->extent_, blocked_system_, step, steps, norms, then);
  }

 private:
  WaveSystemFacts<T> facts_;
  mutable BlockedSystem<B, T, Coefficients> blocked_system_;
};

}  // namespace wavesim
