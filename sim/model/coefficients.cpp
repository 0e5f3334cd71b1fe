#include "sim/model/coefficients.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "sim/fourth_order/nine_points.hpp"
#include "sim/model/force_points.hpp"
#include "sim/model/model_parts.hpp"
#include "sim/model/outflow.hpp"
#include "sim/model/raise_masses.hpp"

namespace wavesim {

namespace {

/// The data of a model that its faces and cells are computed from.
class Builder {
 public:
  Builder(const Model& m, const Unknowns& u, double dt) : m_(m), u_(u), filter_(m), dt_(dt) {
    out_.reference_mass = m.mass.uniform() ? m.mass.constant : 0;
    if (!m.mass.uniform()) {
      const std::size_t first = m.grid.first_sure_node(), end = m.grid.end_sure_node();
      double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
      for (std::size_t i = first; i < end; ++i)
        if (is_inside(node_kind(i))) most = std::max(most, m.mass[i]);
      out_.reference_mass = m.grid.own.most(most);
    }
    for (int side = 0; side < 4; ++side)
      out_.half[side] = m.edges[side].kind == EdgeCondition::free ? 0.5 : 1;
    scale_ = dt * dt / out_.reference_mass;
  }

  HostCoefficients build(double largest_eigenvalue, bool outflow) {
    out_.varying = !is_constant(m_);
    const bool wide = m_.space_order == 4,
               any_driven = is_driven(0) || is_driven(1) || is_driven(2) || is_driven(3);
    if (out_.varying || (wide && any_driven))
      varying();
    else
      uniform();
    for (const Source& s : m_.sources) source(s);
    for (std::size_t k = 0; k < m_.rim.signals.size(); ++k) rim_force(int(k));
    if (m_.space_order == 2 && out_.varying && largest_eigenvalue > 0)
      raise_masses(m_, u_, dt_ * dt_ * largest_eigenvalue, out_);
    if (!m_.pml.empty()) out_.pml = pml_faces(m_, u_, out_, dt_);
    if (outflow) out_.outflow = outflow_points(m_, u_, out_, dt_);
    if (wide) {
      nine_points(largest_eigenvalue, any_driven);
    } else {
      if (!m_.pml.empty()) stretch(m_, u_, dt_, out_);
      for (int side = 0; side < 4; ++side) edge_force(side);
    }
    join_forces();
    return std::move(out_);
  }

 private:
  void nine_points(double largest_eigenvalue, bool any_driven) {
    std::array<DrivenCouplings, 4> driven;
    if (out_.varying) {
      NinePointSystem system = wavesim::nine_points(m_, u_, out_, dt_, largest_eigenvalue);
      driven = std::move(system.driven);
      out_.nine_points = std::move(system.matrices);
    } else {
      const double m = out_.reference_mass, largest = largest_eigenvalue;
      if (any_driven)
        driven = couplings_with_driven_edges(m_, u_, out_, WholeCells(m_, m, dt_, dt_ * dt_ * largest));
      out_.uniform_nine_points = uniform_nine_points(m_, u_, m, dt_, largest);
    }
    for (int side = 0; side < 4; ++side)
      if (is_driven(side))
        driven_force(side, driven[side]);
      else
        edge_force(side);
    out_.mass = out_.damping = out_.east = out_.north = {};
  }

  double spacing(int axis) const { return m_.grid.spacing[axis]; }
  /// Damping on the length of an absorbing edge, for a whole cell.
  double radiation(int side, std::size_t node) const {
    return dt_ * edge_damping(m_, side, node) / (out_.reference_mass * spacing(side / 2));
  }

  void uniform() {
    UniformCoefficients<double>& c = out_.uniform;
    c.topology = u_.topology;
    c.mass = m_.mass.constant / out_.reference_mass;
    c.damping = dt_ * m_.damping.constant / out_.reference_mass;
    c.face_x = scale_ * m_.face_x.constant / (spacing(0) * spacing(0));
    c.face_y = scale_ * m_.face_y.constant / (spacing(1) * spacing(1));
    for (int side = 0; side < 4; ++side) {
      const double face = side < 2 ? c.face_x : c.face_y;
      const auto kind = m_.edges[side].kind;
      c.edge[side] = kind == EdgeCondition::periodic ? face : kind == EdgeCondition::free ? 0 : -face;
      c.half[side] = out_.half[side];
      c.radiation[side] = radiation(side, 0);
    }
  }

  Node node_kind(std::size_t i) const { return m_.region.empty() ? Node::inside_fixed_rim : m_.region[i]; }

  double share(int low_side, long k, long count) const {
    return (k == 0 ? out_.half[low_side] : 1) * (k == count - 1 ? out_.half[low_side + 1] : 1);
  }

  void varying() {
    const Extent e = u_.extent;
    // forces of driven rims, and with nine points of driven edges, are made of them, beside a rank's rows, too
    const RowRange wanted = wanted_rows(m_, e,
                                        !m_.rim.signals.empty() ? most_ghosts + 1
                                        : m_.space_order == 4   ? most_ghosts
                                                                : 1);
    for (Array<double>* a : {&out_.mass, &out_.east, &out_.north}) *a = zeros_in(e, wanted);
    const bool damped =
        !m_.damping.uniform() || m_.damping.constant != 0 || !m_.rim.damping.uniform() || !m_.pml.empty() ||
        std::any_of(m_.edges.begin(), m_.edges.end(), [](const EdgeCondition& c) { return c.radiation; });
    if (damped) out_.damping = zeros_in(e, wanted);
    const double x = scale_ / (spacing(0) * spacing(0)), y = scale_ / (spacing(1) * spacing(1));
    const Grid& g = m_.grid;
#pragma omp parallel for schedule(static)
    for (int row = wanted.first; row < wanted.end; ++row) {
      const long iy = u_.first[1] + row;
      const double height = share(2, row, e.ny);
      for (int col = 0; col < e.nx; ++col) {
        const long ix = u_.first[0] + col;
        const std::size_t i = g.index(ix, iy), k = std::size_t(row + 1) * e.pitch + col;
        const double width = share(0, col, e.nx);
        if (!is_inside(node_kind(i))) {
          out_.mass[k] = 1;  // decoupled: reference mass on the diagonal, right-hand side 0
        } else {
          const double inside = m_.rim.cell_share[i], area = width * height * inside;
          out_.mass[k] = m_.mass[i] / out_.reference_mass * area;
          if (damped)
            out_.damping[k] =
                dt_ / out_.reference_mass * (m_.damping[i] * area + m_.rim.damping[i]) +
                ((col == 0 ? radiation(left, i) : 0) + (col == e.nx - 1 ? radiation(right, i) : 0)) * height *
                    inside +
                ((row == 0 ? radiation(bottom, i) : 0) + (row == e.ny - 1 ? radiation(top, i) : 0)) * width *
                    inside;
        }
        out_.east[k] = x * height * (col < e.nx - 1 ? m_.face_x[i] : edge_face(right, i));
        out_.north[k] = y * width * (row < e.ny - 1 ? m_.face_y[i] : edge_face(top, i));
        if (col == 0) out_.east[k - 1] = x * height * edge_face(left, i);
        if (row == 0) out_.north[k - e.pitch] = y * width * edge_face(bottom, i);
      }
    }
  }

  /// The face across an edge of the rectangle, at the unknown node i beside it.
  double edge_face(int side, std::size_t i) const {
    const auto kind = m_.edges[side].kind;
    if (kind == EdgeCondition::free) return 0;
    const long nx = m_.grid.nodes(0);
    const long ix = long(i % std::size_t(nx)), iy = long(i / std::size_t(nx));
    if (kind == EdgeCondition::periodic)  // the last node and the first: node N is node 0
      return side < 2 ? m_.face_x[m_.grid.index(m_.grid.cells[0] - 1, iy)]
                      : m_.face_y[m_.grid.index(ix, m_.grid.cells[1] - 1)];
    if (!is_inside(node_kind(i))) return 0;
    const double face = (side < 2 ? m_.face_x : m_.face_y)[std::min(i, beyond(side, i))];
    return face > 0 ? -face : face;  // negative: a fixed rim goes through it
  }

  /// The node on an edge of the rectangle that is fixed or driven, next to node i.
  std::size_t beyond(int side, std::size_t i) const {
    const std::size_t step = side < 2 ? 1 : std::size_t(m_.grid.nodes(0));
    return side == left || side == bottom ? i - step : i + step;
  }

  void spread(Force& f, std::size_t node, double weight) const {
    wavesim::spread(m_, u_, filter_, node, weight, f);
  }

  void source(const Source& s) {
    Force f{{}, s.name, [signal = s.signal](double t) { return signal->at(t); }};
    const double scale = scale_ / (spacing(0) * spacing(1));
    if (s.moving) {
      f.points = moving_points(m_, u_, s, scale);
      out_.forces.push_back(std::move(f));
      return;
    }
    for (std::size_t k = 0; k < s.node.size(); ++k) spread(f, s.node[k], scale * s.weight[k]);
    merge(f);
    out_.forces.push_back(std::move(f));
  }

  /// A driven rim acts on its unknowns through the faces that it cuts. They are there as those to a fixed neighbour:
  /// negative.
  void rim_force(int signal) {
    Force f{{}, "rim", [s = m_.rim.signals[std::size_t(signal)]](double t) { return s->at(t); }, {}, true};
    const RowRange rows = wanted_rows(m_, u_.extent, most_ghosts);
    for (const Rim::DrivenFace& face : m_.rim.driven) {
      if (face.signal != signal) continue;
      const std::size_t inside =
          is_inside(node_kind(face.node)) ? face.node : m_.grid.next(face.axis, face.node);
      const auto [ix, iy] = m_.grid.place(inside);
      const long i = u_.index(ix, iy);
      if (i < 0 || u_.extent.row_of(i) < rows.first || u_.extent.row_of(i) >= rows.end) continue;
      const std::ptrdiff_t low = inside == face.node ? i : i - (face.axis == 0 ? 1 : u_.extent.pitch);
      f.index.push_back(i);
      f.weight.push_back(-(face.axis == 0 ? out_.east : out_.north)[std::size_t(low + u_.extent.pitch)]);
    }
    merge(f);
    out_.forces.push_back(std::move(f));
  }

  bool is_driven(int side) const {
    return m_.edges[side].kind == EdgeCondition::driven && m_.edges[side].driven_by;
  }

  /// A driven edge with nine points: the unknowns' couplings with g, g'' and g', by differences of fourth order.
  void driven_force(int side, const DrivenCouplings& couplings) {
    const auto g = [s = m_.edges[side].driven_by](double t) { return s->at(t); };
    const auto second = [g, h = dt_](double t) {
      return (16 * (g(t + h) + g(t - h)) - (g(t + 2 * h) + g(t - 2 * h)) - 30 * g(t)) / 12;
    };
    const auto first = [g, h = dt_](double t) {
      return (8 * (g(t + h) - g(t - h)) - (g(t + 2 * h) - g(t - 2 * h))) / 12;
    };
    const auto force = [&](double DrivenCoupling::*part, std::function<double(double)> value) {
      Force f{{}, side_names[std::size_t(side)], std::move(value)};
      for (const auto& [index, coupling] : couplings)
        if (coupling.*part != 0) f.index.push_back(index), f.weight.push_back(-(coupling.*part));
      f.held = part == &DrivenCoupling::stiffness;
      out_.forces.push_back(std::move(f));
    };
    force(&DrivenCoupling::stiffness, g);
    force(&DrivenCoupling::inertia, second);
    force(&DrivenCoupling::damping, first);
  }

  /// A driven edge acts on its neighbours through their faces; an incoming wave is a force on the nodes of a
  /// radiating edge: T u_n = -sqrt(m T) (u_t - 2 s'), with s' by central differences over one step each way.
  void edge_force(int side) {
    const EdgeCondition& edge = m_.edges[side];
    const bool driven = is_driven(side);
    if (!driven && !(edge.radiation && edge.incoming)) return;
    Force f;
    f.name = side_names[std::size_t(side)];
    f.held = driven;
    if (driven)
      f.value = [s = edge.driven_by](double t) { return s->at(t); };
    else
      f.value = [s = edge.incoming, dt = dt_](double t) { return s->at(t + dt) - s->at(t - dt); };
    const Extent e = u_.extent;
    const RowRange rows =
        wanted_rows(m_, e, most_ghosts);  // passes of several steps push rows beside the own
    const bool here = side < 2 || (side == bottom ? rows.first == 0 : rows.end == e.ny);
    const int begin = side < 2 ? rows.first : 0, end = !here ? 0 : side < 2 ? rows.end : e.nx;
    for (int k = begin; k < end; ++k) {
      const int col = side == left    ? 0
                      : side == right ? e.nx - 1
                                      : k,
                row = side == bottom ? 0
                      : side == top  ? e.ny - 1
                                     : k;
      const std::size_t i = m_.grid.index(u_.first[0] + col, u_.first[1] + row);
      if (!is_inside(node_kind(i))) continue;
      const double along = side < 2 ? share(2, row, e.ny) : share(0, col, e.nx);
      const double h = spacing(side / 2);
      if (!driven) {
        spread(f, i, along * radiation(side, i));
        continue;
      }
      f.index.push_back(e.number(row, col));
      // none where a fixed rim of a shape lies between
      const double to_edge = is_inside(node_kind(beyond(side, i))) ? -edge_face(side, i) : 0;
      const double stretched = stretching_.outer_face(side, u_.first[0] + col, u_.first[1] + row);
      f.weight.push_back(along * (scale_ / (h * h) * to_edge * stretched));
    }
    merge(f);
    out_.forces.push_back(std::move(f));
  }

  /// All ranks ask whether a force acts, and decide alike.
  void join_forces() {
    std::vector<char> anywhere;
    for (const Force& f : out_.forces) anywhere.push_back(f.points || !f.index.empty());
    m_.grid.own.join(anywhere);
    for (std::size_t k = 0; k < anywhere.size(); ++k) out_.forces[k].anywhere = anywhere[k];
  }

  const Model& m_;
  const Unknowns& u_;
  const Filter filter_;
  double dt_, scale_ = 1;
  const Stretching stretching_{m_, dt_};
  HostCoefficients out_;
};

}  // namespace

HostCoefficients make_coefficients(const Model& model, const Unknowns& unknowns, double dt,
                                   double largest_eigenvalue, bool outflow) {
  return Builder(model, unknowns, dt).build(largest_eigenvalue, outflow);
}

}  // namespace wavesim
