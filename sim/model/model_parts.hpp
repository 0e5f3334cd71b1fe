#pragma once
// The parts of build_model, in the order in which they need each other. Each fills its members of the model
// from those that are there already, and throws InputError.

#include <algorithm>
#include <map>

#include "sim/model/model.hpp"

namespace wavesim {

/// grid, from grid.size and the layers of the edges, and edges, but for what needs the speed of the medium.
void build_grid(const Config& config, Model& model);
/// region and rim. At least one node must be an unknown.
void build_region(const Config& config, Model& model);
/// edges, and their sponges into damping.
void build_edges(const Config& config, Model& model);
/// rim.driven and rim.signals.
void build_driven_rims(const Config& config, Model& model);
/// rim.damping.
void build_absorbing_rims(const Config& config, Model& model);
/// Of an impedance, which means what the medium's u is, the damping on the edge. Throws InputError where u has none.
void take_impedance(const Config& config, const Where& where, EdgeCondition& edge);
/// The cuts of the shapes' rims. Nodes beyond a free rim whose dual cells keep a part inside become part of the
/// region.
Rim cut_rims(const std::vector<std::shared_ptr<Shape>>& shapes, const Grid& grid, Array<Node>& region);
/// About the distance of each node to the rim, in spacings: positive inside, at most 1; negative outside, at
/// least -1; 0 on the rim where one is interpolated between nodes. Empty where no rim cuts the grid. All ranks together.
Array<float> rim_distance(const Model& model);
void build_initial(const Config& config, Model& model);
void build_sources(const Config& config, Model& model);
void build_receivers(const Config& config, Model& model);
/// Notes about receivers and sources that no wave connects, in regions that shapes divide.
void note_separate_parts(Model& model);

inline bool holds_value(EdgeCondition::Kind kind) {
  return kind == EdgeCondition::fixed || kind == EdgeCondition::driven;
}

inline bool is_inside(const Model& model, std::size_t node) {
  return model.region.empty() || is_inside(model.region[node]);
}

/// Whether a rank of several can do with values of its own rows and some beside them. A ring of rows takes all.
inline bool can_share_out(const Model& model) { return !model.grid.periodic[1]; }

/// Whether the medium is constant and fills the rectangle, with no layer that stretches it.
inline bool is_constant(const Model& m) {
  return m.mass.uniform() && m.face_x.uniform() && m.damping.uniform() && m.region.empty() && m.pml.empty();
}

/// Damping on an absorbing edge or rim at a node, per metre of it: beta of T u_n = -beta u_t. sqrt(m T) lets waves
/// out.
inline double edge_damping(const EdgeCondition& edge, const Model& m, std::size_t node) {
  if (!edge.radiation) return 0;
  return edge.damping ? *edge.damping : edge.matched * m.mass[node] * m.speed[node];
}
inline double edge_damping(const Model& m, int side, std::size_t node) {
  return edge_damping(m.edges[side], m, node);
}

/// The side whose fixed or driven edge holds node (ix, iy), or -1.
inline int holding_side(const Model& model, long ix, long iy) {
  const Grid& g = model.grid;
  if (ix == 0 && holds_value(model.edges[left].kind)) return left;
  if (ix == g.cells[0] && holds_value(model.edges[right].kind)) return right;
  if (iy == 0 && holds_value(model.edges[bottom].kind)) return bottom;
  if (iy == g.cells[1] && holds_value(model.edges[top].kind)) return top;
  return -1;
}

/// Whether the value at a node is computed: inside the region and not held by an edge.
inline bool is_unknown(const Model& model, long ix, long iy) {
  return is_inside(model, model.grid.index(ix, iy)) && holding_side(model, ix, iy) < 0;
}

inline constexpr std::array<const char*, 4> side_names{"left", "right", "bottom", "top"};

/// Bilinear weights of the four nodes round a point; nodes that periodic axes have twice are given as the
/// first of the two. Points within rounding of a node have all their weight on it.
struct Bilinear {
  std::array<std::size_t, 4> node{};
  std::array<double, 4> weight{};
};
Bilinear locate(const Grid& grid, double x, double y);
/// The same with no weight on nodes outside the region. At a fixed rim that cuts the cell they take the value
/// that makes u zero on the rim (held_by_rims has the rest at a driven one), at a free one that of their neighbours.
Bilinear locate(const Model& model, double x, double y);
/// What driven rims add to that: the shares of their values in u at a point of a cell that they go through, each with the number
/// of its signal.
std::map<int, double> held_by_rims(const Model& model, double x, double y);

/// Whether a point lies in the user's rectangle, its edges included (within rounding).
bool in_rectangle(const Grid& grid, double x, double y);
/// "x = 0 to 0.4, y = 0 to 0.4 m"
std::string rectangle_text(const Grid& grid);

/// A node as it appears in sentences: "x = 0.1, y = 0.2".
std::string place_text(const Grid& grid, std::size_t node);

}  // namespace wavesim
