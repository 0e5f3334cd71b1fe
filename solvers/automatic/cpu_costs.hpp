#pragma once
// Seconds of a system on a CPU, from prices that are known for some sizes.

#include "solvers/automatic/cost_model.hpp"
#include "solvers/automatic/prices.hpp"

namespace wavesim {

class CpuCosts {
 public:
  /// `facts` and `prices` live as long as this. The medium varies where rows of the matrix or the medium are
  /// read.
  CpuCosts(const Prices& prices, const SystemFacts& facts);

  double set_up(const PriceCurve& c) const { return at(c.set_up); }
  double solve(const PriceCurve& c) const { return size_of_word() * at(c.solve); }
  /// Of an iteration or a transform, whose work is in proportion to the points.
  double each(const PriceCurve& c) const { return size_of_word() * at(c.each); }
  /// Of passes that move so many bytes, as fast as those of `cg`.
  double words(double bytes) const { return bytes * seconds_a_byte_; }
  /// Of a pass of several sweeps: in proportion to the points of the rows that one thread goes through.
  double blocked_pass(const PriceCurve& c) const;

  const PriceCurve& cg() const { return prices_.cg[medium_]; }
  const PriceCurve& sweeps() const { return prices_.sweeps[medium_]; }
  const PriceCurve& steps() const { return prices_.steps[medium_]; }
  const PriceCurve& multigrid() const { return prices_.multigrid[medium_]; }
  const PriceCurve& transform() const { return prices_.transform; }

 private:
  double size_of_word() const { return facts_.word / 8; }
  double at(const std::vector<double>& seconds) const;
  double points_of_a_thread(double nx, double ny, bool single) const;
  /// For `measure` of this system where it is `measures` at the sizes. Constant below the smallest size, in
  /// proportion above the largest.
  double interpolated(const std::vector<double>& seconds, const std::vector<double>& measures,
                      double measure) const;

  const Prices& prices_;
  const SystemFacts& facts_;
  std::size_t medium_;
  double seconds_a_byte_;
};

}  // namespace wavesim
