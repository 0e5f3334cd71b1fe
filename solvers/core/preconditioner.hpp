#pragma once
#include <string>

#include "solvers/core/operator.hpp"

namespace wavesim {

/// z <- M^-1 r. Linear, symmetric positive definite and repeatable unless it says otherwise.
template <class B, class T>
class Preconditioner {
 public:
  using Vector = Field<B, T>;
  virtual ~Preconditioner() = default;
  /// Sets up for A if its coefficients changed since the last call.
  void prepare(const Operator<B, T>& A) {
    if (A.version() == version_) return;
    set_up(A);
    version_ = A.version();
    ++set_ups_;
  }
  /// Counts the times it was set up: what it enqueues is the same until it moves.
  long set_ups() const { return set_ups_; }
  /// z <- M^-1 r, rz <- <r, z>, then `after`
  virtual void apply(const Vector& r, Vector& z, double* rz, Quotient after = {}) const = 0;
  /// Whether `apply` waits for results of its own (a solve within a solve): the loop then looks before each
  /// step.
  virtual bool synchronises() const { return false; }
  /// A line on what the last set-up chose or found, the same each time; empty if there is nothing to say.
  virtual std::string describe() const { return ""; }
  /// z <- M'^-1 r, rz <- <r, z>, then `after`; the same map where M is symmetric.
  virtual void apply_transposed(const Vector& r, Vector& z, double* rz, Quotient after = {}) const {
    apply(r, z, rz, after);
  }
  /// z <- M^-1 r where the product is not wanted, without a reduction if it can do without; `spare` may be
  /// overwritten.
  virtual void solve(const Vector& r, Vector& z, double* spare) const { apply(r, z, spare); }

 protected:
  virtual void set_up(const Operator<B, T>& A) = 0;

 private:
  long version_ = -1, set_ups_ = 0;
};

}  // namespace wavesim
