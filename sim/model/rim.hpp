#pragma once
// Where rims of shapes cut grid lines, faces and dual cells (docs/math.md, section 2). Rims that are
// staircases have none of it.

#include <cstddef>
#include <memory>
#include <vector>

#include "sim/model/grid.hpp"
#include "sim/signals/signal.hpp"

namespace wavesim {

struct Rim {
  /// A fixed rim on the grid line from a node to its next one along an axis; one of the two is an
  /// unknown.
  struct Crossing {
    std::size_t node;
    int axis;
    double share;  // of the line, from the unknown to the rim; in (0, 1]
  };
  /// A face between two unknowns, the first of them `node`, that a free rim cuts.
  struct Face {
    std::size_t node;
    int axis;
    double share;   // of its length, that is inside
    double middle;  // of that part, from the middle of the face, in spacings
  };
  std::vector<Crossing> crossings;
  std::vector<Face> faces;
  NodeField cell_share{1, {}};  // of the area of dual cells: the part inside
  NodeField damping{0, {}};     // of absorbing rims: beta times their length in a dual cell, over dx dy

  /// A face that a driven rim goes through: from `node` to its next one along an axis; one of the two is an unknown.
  struct DrivenFace {
    std::size_t node;
    int axis;
    int signal;  // which of `signals` is u on the rim
  };
  std::vector<DrivenFace> driven;  // by node, then axis
  std::vector<std::shared_ptr<Signal>> signals;
};

}  // namespace wavesim
