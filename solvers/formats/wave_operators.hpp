#pragma once
// The operators of the wave system: its rows stored in a format, or computed where they are used (`stencil`).

#include <optional>
#include <variant>

#include "kernels/grid/rows_in_memory.hpp"
#include "solvers/formats/lumped_system.hpp"
#include "solvers/formats/passes_of.hpp"
#include "solvers/stationary/blocked_sweeps.hpp"

namespace wavesim {

/// What the operators of a wave system tell methods about it: the coefficients behind it, and of nine points also those of
/// the system of five beside it, for which a varying medium is lumped when it is first asked for.
template <class B, class T, class Coefficients>
class KnownSystem {
 public:
  KnownSystem(B& backend, Extent e) : be_(backend), e_(e) {}
  void set(const WaveSystem<T, Coefficients>& system) {
    five_.uniform = Coefficients::uniform;
    if constexpr (five && Coefficients::uniform)
      five_.constant = system.coefficients;
    else if constexpr (five)
      five_.varying = system.coefficients;
    else if constexpr (Coefficients::uniform)
      five_.constant = lumped(nine_.constant = system.coefficients);
    else
      nine_.varying = system.coefficients;
    five_.a = double(system.a);
    five_.b = double(system.b);
    if constexpr (!five) nine_.uniform = five_.uniform, nine_.a = five_.a, nine_.b = five_.b;
  }
  const WaveSystemFacts<T>* facts() const { return five ? &five_ : nullptr; }
  const WaveSystemFacts<T>* of_five_points() const {
    if constexpr (!five && !Coefficients::uniform)
      if (!lumped_) {
        lumped_.emplace(be_, e_, nine_.varying);
        five_.varying = lumped_->view(nine_.varying.topology);
      }
    return &five_;
  }
  const NinePointSystemFacts<T>* of_nine_points() const {
    if constexpr (five)
      return nullptr;
    else
      return &nine_;
  }
  MatrixFacts matrix() const {
    const Structure known = five ? Structure::wave_system : Structure::nine_points;
    return {five && is_rectangle() ? Structure::rectangle : known, true, sizeof(T) == 4, is_rectangle()};
  }

 private:
  static constexpr bool five = std::is_same_v<typename Coefficients::Stencil, FivePoint>;

  bool is_rectangle() const {
    if (!five_.uniform) return false;
    for (T radiation : five_.constant.radiation)
      if (radiation != 0) return false;
    return true;
  }

  B& be_;
  Extent e_;
  mutable WaveSystemFacts<T> five_;
  std::conditional_t<five, std::monostate, NinePointSystemFacts<T>> nine_{};
  mutable std::conditional_t<five || Coefficients::uniform, std::monostate, std::optional<LumpedMedium<B, T>>>
      lumped_;
};

/// A stored format, filled from the coefficients by one kernel.
template <class B, class T, class Storage, class Coefficients>
class StoredOperator final : public PassesOf<B, T, Storage>, public WaveOperator<B, T> {
 public:
  StoredOperator(B& backend, Extent e, const Coefficients& c)
      : PassesOf<B, T, Storage>(backend, e),
        system_{c, T(0), T(1)},
        storage_(backend, e, system_),
        known_(backend, e) {
    known_.set(system_);
    this->use(storage_);
  }
  void assemble(double a, double b) override {
    if (system_.a != T(a) || system_.b != T(b) || this->version_ == 0) ++this->version_;
    system_.a = T(a);
    system_.b = T(b);
    known_.set(system_);
    storage_.assemble(this->be_, this->extent_, system_);
  }
  bool assembly_is_a_pass() const override { return true; }
  const WaveSystemFacts<T>* wave_system() const override { return known_.facts(); }
  const WaveSystemFacts<T>* five_point_system() const override { return known_.of_five_points(); }
  const NinePointSystemFacts<T>* nine_point_system() const override { return known_.of_nine_points(); }
  MatrixFacts facts() const override {
    MatrixFacts known = known_.matrix();
    known.readable = rows_are_readable<Storage>;
    return known;
  }

 private:
  const Csr<B, T>* stored_csr() const override { return kept_csr<B, T>(storage_); }

  WaveSystem<T, Coefficients> system_;
  Storage storage_;
  KnownSystem<B, T, Coefficients> known_;
};

/// `stencil`: assembly is two numbers.
template <class B, class T, class C>
class StencilOperator : public RowOperator<B, T, WaveStencilView<T, C>>, public WaveOperator<B, T> {
 public:
  using Coefficients = C;
  StencilOperator(B& backend, Extent e, const Coefficients& c)
      : RowOperator<B, T, WaveStencilView<T, C>>(backend, e), known_(backend, e) {
    this->view_.set({c, T(0), T(1)});
    known_.set(this->view_.system);
  }
  void assemble(double a, double b) override {
    auto system = this->view_.system;
    if (system.a != T(a) || system.b != T(b) || this->version_ == 0) ++this->version_;
    system.a = T(a);
    system.b = T(b);
    this->view_.set(system);
    known_.set(system);
  }
  bool assembly_is_a_pass() const override { return false; }
  const WaveSystemFacts<T>* wave_system() const override { return known_.facts(); }
  const WaveSystemFacts<T>* five_point_system() const override { return known_.of_five_points(); }
  const NinePointSystemFacts<T>* nine_point_system() const override { return known_.of_nine_points(); }
  MatrixFacts facts() const override { return known_.matrix(); }

 protected:
  const WaveSystem<T, Coefficients>& blocked_input() const { return this->view_.system; }

 private:
  KnownSystem<B, T, Coefficients> known_;
};

/// `stencil` of nine points in a varying medium: M, D and K are ten words or fifteen a row, their sum is five. It is
/// made where its weights change.
template <class B, class T>
class SummedStencilOperator : public RowOperator<B, T, StencilView<SummedNinePoints<T>>>,
                              public WaveOperator<B, T> {
 public:
  using Coefficients = NinePointCoefficients<T>;
  SummedStencilOperator(B& backend, Extent e, const Coefficients& c)
      : RowOperator<B, T, StencilView<SummedNinePoints<T>>>(backend, e),
        coefficients_(c),
        known_(backend, e) {
    for (auto& entries : entries_) entries = Field<B, T>(backend, e);
    this->view_.set({matrix(), c.topology});
  }
  void assemble(double a, double b) override {
    if (a_ == T(a) && b_ == T(b) && this->version_ != 0) return;
    ++this->version_;
    a_ = T(a), b_ = T(b);
    known_.set({coefficients_, a_, b_});
    const NinePointMatrix<T>&M = coefficients_.mass, &D = coefficients_.damping, &K = coefficients_.stiffness;
    add_up(M.south_west, D.south_west, K.south_west, entries_[0]);
    add_up(M.south, D.south, K.south, entries_[1]);
    add_up(M.south_east, D.south_east, K.south_east, entries_[2]);
    add_up(M.west, D.west, K.west, entries_[3]);
    add_up(M.centre, D.centre, K.centre, entries_[4]);
  }
  bool assembly_is_a_pass() const override { return false; }
  const WaveSystemFacts<T>* wave_system() const override { return nullptr; }
  const WaveSystemFacts<T>* five_point_system() const override { return known_.of_five_points(); }
  const NinePointSystemFacts<T>* nine_point_system() const override { return known_.of_nine_points(); }
  MatrixFacts facts() const override { return known_.matrix(); }

  /// A pass of assembly (public, as nvcc wants it of lambdas). Ghost rows and padding, too: entries beside periodic edges
  /// stand there.
  void add_up(const T* mass, const T* damping, const T* stiffness, Field<B, T>& to) {
    const T weight_a = a_, weight_b = b_;
    for (const ByteRange& range : whole_granules(rows_in_memory(this->extent_, sizeof(T)), sizeof(T))) {
      const std::size_t first = range.first / sizeof(T);
      const int n = int(range.end / sizeof(T) - first);
      const auto from = [&](const T* field) {
        return In<T>{field - std::ptrdiff_t(this->extent_.base + 1) * this->extent_.pitch + first};
      };
      const Out<T> sum{to.memory().data() + first};
      if (coefficients_.damped())
        this->be_.map(
            "A = M + a D + b K", n,
            [=] KERNEL(const T& m, const T& d, const T& k, T& A) { A = m + weight_a * d + weight_b * k; },
            from(mass), from(damping), from(stiffness), sum);
      else
        this->be_.map(
            "A = M + b K", n, [=] KERNEL(const T& m, const T& k, T& A) { A = m + weight_b * k; }, from(mass),
            from(stiffness), sum);
    }
  }

 protected:
  typename BlockedSystem<B, T, Coefficients>::System blocked_input() const {
    return {coefficients_, matrix(), double(a_), double(b_)};
  }

 private:
  NinePointMatrix<T> matrix() const {
    return {entries_[0].data(), entries_[1].data(), entries_[2].data(), entries_[3].data(),
            entries_[4].data()};
  }

  Coefficients coefficients_;
  T a_ = 0, b_ = 0;
  Field<B, T> entries_[5];
  KnownSystem<B, T, Coefficients> known_;
};

/// `stencil` with sweeps in blocks. `Base` is one of the two above.
template <class B, class T, class Base>
class WithBlockedSweeps final : public Base {
 public:
  using Base::Base;
  using Coefficients = typename Base::Coefficients;

  int blocked_sweep_count() const override {
    // a blocked pass adds up plainly
    if (!temporal::fits<T>(this->blocked_input().topology()) || this->be_.compensates()) return 0;
    // now: a pass may be recorded later, and the allocation of memory cannot be
    prepare();
    return sweeps_of_a_pass<typename Coefficients::Stencil>;
  }
  void blocked_sweeps(const Field<B, T>& b, From<B, T> from, To<B, T> to, const std::vector<ThreeTerm>& steps,
                      Norms* norms, Epilogue then) const override {
    prepare();
    run_blocked_sweeps(this->be_, this->extent_, blocked_system_, b, from, to, steps, norms, then);
  }
  bool fuses(FusedForm form) const override {
    if constexpr (Coefficients::uniform) prepare();
    return blocked_system_.fuses(form);
  }
  double eigenvalue_of_smooth(const Bounds& bounds) const override {
    if constexpr (Coefficients::uniform) prepare();
    return blocked_system_.eigenvalue_of_smooth(bounds);
  }
  void fused_step(const FusedStep<B, T>& step, const std::vector<ThreeTerm>& steps, StepNorms* norms,
                  Epilogue then) const override {
    blocked_system_.prepare_fused_steps(this->be_, this->extent_, this->blocked_input(), this->version_);
    run_fused_step(this->be_, this->extent_, blocked_system_, step, steps, norms, then);
  }

 private:
  void prepare() const {
    blocked_system_.prepare(this->be_, this->extent_, this->blocked_input(), this->version_);
  }

  mutable BlockedSystem<B, T, Coefficients> blocked_system_;
};

}  // namespace wavesim
