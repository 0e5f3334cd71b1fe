#pragma once
// What a solver may do with a matrix: a closed set of passes over memory, each written once over a format's
// `row` (row_operator.hpp). A format that recomputes its rows fuses where stored formats read and compose;
// methods never know.

#include <span>
#include <stdexcept>

#include "kernels/formats/csr.hpp"
#include "kernels/grid/coefficients.hpp"
#include "kernels/grid/nine_point_coefficients.hpp"
#include "kernels/temporal/blocked_sweeps.hpp"
#include "solvers/catalogue/catalogue.hpp"
#include "solvers/core/fused_form.hpp"
#include "solvers/core/iteration_state.hpp"

namespace wavesim {

/// Where a pass leaves inner products of its result y: <w, y> and <y, y>. In the backend's memory; null: not
/// wanted.
template <class T>
struct Dots {
  const T* w = nullptr;
  double* wy = nullptr;
  double* yy = nullptr;
};

/// The coefficients of one step of a three-term recurrence.
struct ThreeTerm {
  double momentum = 0, weight = 1;
};

/// Iterates that `blocked_sweeps` goes from (x null: zero; before null: not needed, the first momentum is 0) and to
/// (before null: not wanted).
template <class B, class T>
struct From {
  const Field<B, T>*x = nullptr, *before = nullptr;
};
template <class B, class T>
struct To {
  Field<B, T>*x = nullptr, *before = nullptr;
};

/// A step in time in one of the forms of FusedForm. `tried`: u + d of an earlier pass, which this one goes on from.
template <class B, class T>
struct FusedStep {
  const Field<B, T>*u = nullptr, *p = nullptr;
  Field<B, T>*u_to = nullptr, *p_to = nullptr;
  double delta = 0.5, carry = 2;
  bool whole = true;  // the residual is relative to b + A u, else to b
  const Field<B, T>*tried = nullptr, *force = nullptr;
};

/// What happens to a control block when the residual's norms are known; null: nothing.
struct Epilogue {
  enum Call { nothing, begin, record, conclude, begin_and_conclude, verify } call = nothing;
  IterationState* control = nullptr;
  const double* curvature = nullptr;  // record
  const Norms* reference = nullptr;   // begin; null: the norms themselves
  Quotient quotient = {};             // taken as well
  int iterations = 1;                 // record, conclude
  /// All that it reads it reads before it writes anything: one wait for memory at the end of a pass, where
  /// loads between stores would each have theirs.
  HD void operator()(const Norms& n) const {
    const double ratio = quotient.value();
    if (call != nothing) {
      const double curved = curvature ? *curvature : 1;
      const Norms relative_to = reference ? *reference : n;
      IterationState c = *control;
      if (call == begin) {
        c.reset();
        c.begin(n, relative_to);
      } else if (call == record) {
        c.record(n, curvature ? &curved : nullptr, iterations);
      } else if (call == conclude) {
        c.conclude(n, iterations);
      } else {
        c.verify(n);
      }
      *control = c;
    }
    if (quotient.to) *quotient.to = ratio;
  }
  /// After a pass of a step in time.
  HD void operator()(const StepNorms& n) const {
    IterationState c = *control;
    if (call == begin_and_conclude) {
      c.reset();
      c.begin(n.reference, n.reference);
    }
    c.conclude(n.residual, iterations);
    *control = c;
  }
};

/// The coefficients and weights of A = M + a D + b K, in one of two kinds.
template <class T>
struct WaveSystemFacts {
  bool uniform = false;
  UniformCoefficients<T> constant;    // if uniform
  VariableCoefficients<T> varying{};  // if not
  double a = 0, b = 0;
  const Topology& topology() const { return uniform ? constant.topology : varying.topology; }
};

/// The same of the system of nine points.
template <class T>
struct NinePointSystemFacts {
  bool uniform = false;
  UniformNinePointCoefficients<T> constant;  // if uniform
  NinePointCoefficients<T> varying{};        // if not
  double a = 0, b = 0;
};

/// Whether points that are coupled differ in the parity of col + row: not round an odd periodic axis.
inline bool red_black(const Topology& t) {
  return !(t.wrap_x != 0 && t.nx % 2 != 0) && !(t.wrap_y != 0 && t.ny % 2 != 0);
}

template <class B, class T>
class Operator {
 public:
  using Vector = Field<B, T>;
  Operator() = default;  // a virtual base: those who derive from it set the extent
  explicit Operator(Extent e) : extent_(e) {}
  virtual ~Operator() = default;

  /// y <- A x
  virtual void apply(const Vector& x, Vector& y, Dots<T> dots = {}) const = 0;
  /// Y <- A X for several vectors, as many of each; none is in both. The bits are those of apply; most formats read the
  /// matrix once for several of them (solvers/formats/block_product.hpp).
  virtual void apply_all(std::span<const Vector> x, std::span<Vector> y) const { apply_one_by_one(x, y); }
  void apply_one_by_one(std::span<const Vector> x, std::span<Vector> y) const {
    for (std::size_t k = 0; k < x.size(); ++k) apply(x[k], y[k]);
  }
  /// r <- b - A x and its norms; with r null only the norms.
  virtual void residual(const Vector& b, const Vector& x, Vector* r, Norms* norms,
                        Epilogue then = {}) const = 0;
  /// p <- z + beta p_before (beta null: p <- z), pq <- <p, A p>, then `after`; stored formats leave A p in q. p_before is
  /// what the last direction left.
  virtual void direction(const Vector& z, const double* beta, const Vector& p_before, Vector& p, Vector& q,
                         double* pq, Quotient after) const = 0;
  /// x <- x + alpha p, r <- r - alpha A p and the norms of r; q as direction left it.
  virtual void update(const double* alpha, const Vector& p, const Vector& q, Vector& x, Vector& r,
                      Norms* norms, Epilogue then) const = 0;
  /// x_after <- x + omega D^-1 (b - A x), with the norms of b - A x.
  virtual void relax(const Vector& b, const Vector& x, Vector& x_after, double omega, Norms* norms,
                     Epilogue then) const = 0;
  /// x <- x + omega D^-1 (b - A x) on the points of one colour, 0 (red: col + row is even) or 1, where they
  /// lie. For the wave system where red_black() holds: no point is coupled with one of its colour.
  virtual void relax_colour(const Vector& b, Vector& x, double omega, int colour) const = 0;
  /// y <- A' x
  virtual void apply_transposed(const Vector& x, Vector& y, Dots<T> dots = {}) const = 0;
  /// x_before <- x + momentum (x - x_before) + weight D^-1 (b - A x), with the norms of b - A x if wanted: a
  /// step of a three-term recurrence.
  virtual void recur(const Vector& b, const Vector& x, Vector& x_before, ThreeTerm step, Norms* norms,
                     Epilogue then) const = 0;
  /// An even number of such steps, x and x_before in turn, so that the last is in x; with the norms of the
  /// residual that the last of them started from.
  virtual void sweeps(const Vector& b, Vector& x, Vector& x_before, const std::vector<ThreeTerm>& steps,
                      Norms* norms, Epilogue then) const {
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const bool last = k + 1 == steps.size(), forth = k % 2 == 0;
      recur(b, forth ? x : x_before, forth ? x_before : x, steps[k], last ? norms : nullptr,
            last ? then : Epilogue{});
    }
  }
  /// How many such steps one pass over memory takes at once (`blocked_sweeps`); 0: none, they are taken one by one.
  virtual int blocked_sweep_count() const { return 0; }
  /// blocked_sweep_count() steps from iterates that stay as they are, to ones that lie elsewhere; with the
  /// norms of b - A x after the last of them.
  virtual void blocked_sweeps(const Vector& /*b*/, From<B, T> /*from*/, To<B, T> /*to*/,
                              const std::vector<ThreeTerm>& /*steps*/, Norms* /*norms*/,
                              Epilogue /*then*/) const {
    throw std::logic_error("this operator has no blocked sweeps: blocked_sweep_count() is 0");
  }
  /// Whether fused_step takes steps of this form.
  virtual bool fuses(FusedForm) const { return false; }
  /// The eigenvalue of D^-1 A where it has slowly varying fields, given its bounds after Gershgorin.
  virtual double eigenvalue_of_smooth(const Bounds& bounds) const { return bounds.least; }
  /// The same for a step in time: b is made, and the increment added, in the pass. `then` begins the control
  /// block if the pass is the first.
  virtual void fused_step(const FusedStep<B, T>& /*step*/, const std::vector<ThreeTerm>& /*steps*/,
                          StepNorms* /*norms*/, Epilogue /*then*/) const {
    throw std::logic_error("this operator has no fused steps: blocked_sweep_count() is 0");
  }
  /// d <- 1 / diagonal of A; infinite where that is zero.
  virtual void inverse_diagonal(Vector& d) const = 0;
  /// squares_j <- sum of a_ij^2 over the rows i, in padding 0.
  virtual void column_squares(Vector& squares) const = 0;
  /// Bounds of the eigenvalues of D^-1 A after Gershgorin: the least and largest of 1 -+ sum |a_ij| / |a_ii|.
  virtual void gershgorin(Bounds* bounds) const = 0;

  /// The same matrix as compressed sparse rows over the linear index, for algorithms that go by rows in an
  /// order of their own. Made when first asked for, and again when version() has moved. Padding has empty
  /// rows.
  virtual const Csr<B, T>& csr() const = 0;
  /// The wave system of five points that the matrix is; null if it is none.
  virtual const WaveSystemFacts<T>* wave_system() const { return nullptr; }
  /// The same, or the one beside a system of nine points (lumped_system.hpp), for preconditioners; null if there is none.
  virtual const WaveSystemFacts<T>* five_point_system() const { return wave_system(); }
  /// The wave system of nine points that the matrix is; null if it is none.
  virtual const NinePointSystemFacts<T>* nine_point_system() const { return nullptr; }
  virtual MatrixFacts facts() const = 0;
  /// Bytes that a product reads of the matrix.
  virtual double matrix_bytes() const { return 0; }

  /// Whether `direction` leaves A p in q; if not, q may be empty.
  virtual bool stores_product() const = 0;
  const Extent& extent() const { return extent_; }
  /// Counts changes of the coefficients: what depends on them is set up again when it moves.
  long version() const { return version_; }

 protected:
  Extent extent_;
  long version_ = 0;
};

/// An operator whose rows are those of the wave system A = M + a D + b K, assembled on the backend. The base is
/// virtual: passes over a format's rows (row_operator.hpp) are compiled once, for this and for any matrix.
template <class B, class T>
class WaveOperator : public virtual Operator<B, T> {
 public:
  virtual void assemble(double a, double b) = 0;
  /// Whether that is a pass over memory, not a few numbers.
  virtual bool assembly_is_a_pass() const = 0;
};

}  // namespace wavesim
