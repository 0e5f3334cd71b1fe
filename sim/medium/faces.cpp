#include <cmath>

#include "sim/medium/medium.hpp"

namespace wavesim {

namespace {

double tension_at_node(PointMedium& medium, const Grid& g, std::size_t node) {
  const long nx = g.nodes(0);
  const double t = medium.at(g.x(long(node) % nx), g.y(long(node) / nx)).tension;
  return std::isnan(t) ? 0 : t;
}

/// Tension at a point between a node and its next one along an axis: `along` and `across` in spacings.
double tension_beside(PointMedium& medium, const Grid& g, std::size_t node, int axis, double along,
                      double across) {
  const long nx = g.nodes(0);
  std::array<double, 2> at{g.x(long(node) % nx), g.y(long(node) / nx)};
  at[std::size_t(axis)] += along * g.spacing[axis];
  at[std::size_t(1 - axis)] += across * g.spacing[1 - axis];
  return medium.at(at[0], at[1]).tension;
}

/// The sign of a face that a rim on nodes makes: 1 between unknowns, -1 to a fixed one, 0 where it is free.
int sign(Node a, Node b) {
  if (is_inside(a) && is_inside(b)) return 1;
  if (!is_inside(a) && !is_inside(b)) return 0;
  const Node in = is_inside(a) ? a : b, out = is_inside(a) ? b : a;
  return out == Node::outside_fixed || (out == Node::outside && in == Node::inside_fixed_rim) ? -1 : 0;
}

/// Makes an array of a constant.
void spread(NodeField& field, const Grid& g) {
  if (field.uniform()) field.values = in_own_rows(g, field.constant);
}

}  // namespace

void build_faces(const PointMedium& points, Model& model) {
  if (model.region.empty()) return;
  const Grid& g = model.grid;
  const std::array<NodeField*, 2> faces{&model.face_x, &model.face_y};
  for (NodeField* field : faces) spread(*field, g);
#pragma omp parallel
  {
    PointMedium medium(points);
#pragma omp for schedule(static)
    for (long iy = g.first_row(); iy < g.end_row(); ++iy)
      for (long ix = 0; ix < g.nodes(0); ++ix)
        for (int axis = 0; axis < 2; ++axis) {
          if (!g.has_next(axis, ix, iy)) continue;
          const std::size_t i = g.index(ix, iy), j = g.next(axis, i);
          const int s = sign(model.region[i], model.region[j]);
          double& face = faces[axis]->values[i];
          if (s == 0) face = 0;
          // what lies outside has no tension of its own
          if (s < 0) face = -tension_at_node(medium, g, is_inside(model.region[i]) ? i : j);
        }
  }
  PointMedium medium(points);
  for (const Rim::Crossing& c : model.rim.crossings) {
    const bool first = is_inside(model.region[c.node]);  // the unknown is the first of the two nodes
    const double along = first ? c.share / 2 : 1 - c.share / 2;
    const double there = tension_beside(medium, g, c.node, c.axis, along, 0);
    double& face = faces[std::size_t(c.axis)]->values[c.node];
    face = -(there > 0 ? there : -face) / c.share;
  }
  for (const Rim::Face& f : model.rim.faces) {
    const double there = tension_beside(medium, g, f.node, f.axis, 0.5, f.middle);
    double& face = faces[std::size_t(f.axis)]->values[f.node];
    face = f.share * (there > 0 ? there : std::abs(face));
  }
}

}  // namespace wavesim
