#pragma once
// The filter of the scheme of fourth order: the displacement is u = S v, where v is the unknown and
//   S = 1 + (dx^2 d_xx + dy^2 d_yy) / 24
// by differences (docs/math.md, section 2). With five points S is 1.

#include <cstdint>
#include <vector>

#include "sim/model/model.hpp"

namespace wavesim {

/// Which cells have nine points: with four nodes inside and no rim through a face. The other ones keep five.
class NinePointCells {
 public:
  explicit NinePointCells(const Model& model);
  /// Of the cell with lower left node (ix, iy); periodic axes wrap round, beyond others there is none. In rows of other ranks cells
  /// count as having five.
  bool at(long ix, long iy) const;
  bool everywhere() const { return five_.empty(); }

 private:
  const Grid grid_;
  std::vector<std::uint8_t> five_;  // by lower left node, from Grid::first_node on; empty: none has five
};

/// A node and what it counts.
struct Weighted {
  std::size_t node;
  double weight;
};

/// At most seven of them, kept in place.
class FilterRow {
 public:
  void add(std::size_t node, double weight) { entries_[std::size_t(count_++)] = {node, weight}; }
  Weighted& operator[](int k) { return entries_[std::size_t(k)]; }
  const Weighted* begin() const { return entries_.data(); }
  const Weighted* end() const { return entries_.data() + count_; }

 private:
  std::array<Weighted, 7> entries_;  // the node, and three along each axis
  int count_ = 0;
};

/// The rows of S, and of its transpose.
class Filter {
 public:
  /// Takes no part in schemes of second order: S is 1.
  explicit Filter(const Model& model);
  /// u at a node as a sum over v. At the outermost unknowns second differences are one-sided, of second order: what v
  /// is beyond them depends on the slopes of the medium. Nodes on fixed and driven edges, whose value is known, are
  /// themselves.
  FilterRow row(std::size_t node) const;
  /// What a force on a node is for the unknowns, b = S'F, with mirror images beyond free edges. On a fixed or driven
  /// edge, where F is that of the half cell, it is h^2 f / (24 T) of v there, and what the node inwards has of it.
  FilterRow load(std::size_t node) const;
  /// 1/24 where S acts, 0 where it is 1.
  double share(long ix, long iy) const;
  /// Whether share() is the same at all nodes.
  bool uniform() const { return order_ == 2 || cells_.everywhere(); }
  const NinePointCells& cells() const { return cells_; }

 private:
  bool is_whole_round(long ix, long iy) const;
  double face_over_edge(int side, std::array<long, 2> at) const;
  /// The outermost unknowns along an axis.
  std::array<long, 2> range(int axis) const;

  const Model& m_;
  int order_;
  NinePointCells cells_;
};

/// v = (2 - S) u, which is S^-1 u to fourth order: the start of a run; in `room`, or u itself where nothing is filtered.
const NodeField& unfiltered(const Model& model, const NodeField& u, NodeField& room);

}  // namespace wavesim
