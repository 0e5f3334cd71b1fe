#pragma once
// Where sources act: nodes and what they receive, at a point, round a point as a dipole, or in an area.

#include "sim/fourth_order/interpolation.hpp"
#include "sim/input/expression.hpp"

namespace wavesim {

/// Of the amplitude of a source, node k receives weight[k].
struct SourcePoints {
  std::vector<std::size_t> node;
  std::vector<double> weight;
  double lost = 0;  // on nodes that cannot move
};

/// A point and what it has of a source.
struct Pole {
  double x, y, weight;
};
/// The poles of a point source: itself, or those of the dipole -d grad(delta), of the order of the scheme and about a
/// cell from each other.
std::vector<Pole> poles_of(const SourceConfig& source, std::array<double, 2> at, const Model& model);

/// Adds a pole, spread by the weights of interpolation. One outside the rectangle adds nothing.
void add_pole(const Pole& pole, const Model& model, const Interpolation& interpolation, SourcePoints& to);

/// A density g times the areas of dual cells: half of a cell at an edge, a quarter at a corner.
SourcePoints area_points(const NodeField& density, const Model& model);

/// A source that moves, or whose area changes. One thread at a time uses it.
class MovingSource {
 public:
  MovingSource(const SourceConfig& source, const Grid& grid);
  /// Of ranks each has the points of its rows. Throws InputError where a formula has no value.
  SourcePoints at(double t, const Model& model, const Interpolation& interpolation);
  /// The place of a point source. Throws InputError.
  std::array<double, 2> place(double t);

 private:
  SourceConfig source_;
  std::vector<Expression::Evaluator> path_;
  std::vector<std::unique_ptr<PointValues>> area_;
};

/// Whether it is one.
bool moves(const SourceConfig& source);

}  // namespace wavesim
