#pragma once
// What a config means, on the host, in doubles: grid, region, medium, edges, initial state, sources and
// receivers as arrays over the nodes. The stepper turns it into device fields.

#include "sim/config/config.hpp"
#include "sim/model/pml.hpp"
#include "sim/model/rim.hpp"

namespace wavesim {

class MovingSource;  // source_points.hpp

enum Side { left, right, bottom, top };

/// What a node is to the region cut out by the shapes.
enum class Node : std::uint8_t {
  inside_fixed_rim,  // inside; a face to an outside node without a rule of its own is fixed
  inside_free_rim,   // inside; ... is free
  outside,           // outside of all shapes: the rim is the inside node's
  outside_fixed,     // cut out by {not: shape} with a fixed rim: every face to it is fixed
  outside_free,      // cut out, free rim
  beyond_free_rim,   // an unknown although it lies outside: a free rim leaves a part of its dual cell inside
};
inline bool is_inside(Node n) {
  return n == Node::inside_fixed_rim || n == Node::inside_free_rim || n == Node::beyond_free_rim;
}

/// f = s(t) g(x, y), integrated over dual cells: node k receives s(t) weight[k] (for a membrane N; m^2 times
/// the unit of f). Point source: weights of interpolation, which sum to 1. Area source: g times the area of the
/// dual cell.
struct Source {
  std::string name;
  std::vector<std::size_t> node;
  std::vector<double> weight;
  std::shared_ptr<Signal> signal;
  std::shared_ptr<MovingSource> moving =
      {};  // where it acts later, node and weight being those at t = 0; null: it rests
};

/// A share of a value that a driven rim prescribes.
struct Held {
  std::shared_ptr<Signal> by;
  double weight;
};

/// Interpolation at one point: the sum of weight[k] u(node[k]) and of what is held.
struct Receiver {
  std::string name;  // "rim", or "line[3]" for the points of a line
  double x = 0, y = 0;
  std::vector<std::size_t> node;
  std::vector<double> weight;
  std::vector<Held> held;
};

struct Model {
  Grid grid;
  long space_order = 2;                // of the scheme: 2, 4 or 8
  std::array<EdgeCondition, 4> edges;  // by Side
  Array<Node> region;                  // empty: every node is inside
  Rim rim;                             // where it cuts the grid
  // m u_tt + eta u_t = div(T grad u) + f
  NodeField mass, damping;   // m, eta on the nodes; damping includes sponges
  NodeField face_x, face_y;  // T of the faces between a node and its next one along x and y: positive between
                             // two nodes inside; negative to a fixed rim, then over the share of the line
                             // that is inside; times the share of the face that is inside at a free rim
  PmlProfile pml;
  NodeField speed;                               // m/s, for advice and output
  double largest_speed = 0, smallest_speed = 0;  // over the inside
  NodeField displacement, velocity;              // at t = 0; zero outside and on fixed edges
  double largest_displacement = 0;               // the largest |u| at t = 0
  std::vector<Source> sources;
  std::vector<Receiver> receivers;
  std::vector<std::string> notes;  // sentences for the user: "the initial displacement is 0.2 on the fixed
                                   // left edge; it is set to 0"
};

/// Builds the model. Throws InputError for everything that is wrong with the physics of a config: negative
/// speed, source outside, periodic on one side only, no unknowns left, NaN in a field, a file that does not
/// cover the grid, ...
/// `ranks` that share out the rows ask together: each has values of its own rows (Grid::own), and the same ranges, notes and
/// errors as the others.
Model build_model(const Config& config, Ranks* ranks = nullptr);
/// Whether the indices of each of so many ranks count its nodes (kernels/grid/extent.hpp); of the model its grid and the kinds of
/// its edges are read.
bool is_countable(const Config& config, const Model& model, int ranks);
/// Throws InputError where they do not.
void require_countable(const Config& config, const Model& model, int ranks);

}  // namespace wavesim
