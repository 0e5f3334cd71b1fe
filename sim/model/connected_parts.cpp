#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

/// The connected parts of the unknowns: no wave gets from one to another.
class Parts {
 public:
  explicit Parts(const Model& model) : model_(model), rows_(std::size_t(model.grid.nodes(1))) {
    const Grid& g = model.grid;
#pragma omp parallel for schedule(static)
    for (long iy = 0; iy < g.nodes(1); ++iy) {
      std::vector<Stretch>& row = rows_[std::size_t(iy)];
      for (long ix = 0; ix < g.nodes(0); ++ix) {
        if (!is_unknown(model, ix, iy)) continue;
        if (row.empty() || row.back().last + 1 < ix || !(model.face_x[g.index(ix - 1, iy)] > 0))
          row.push_back({ix, ix, 0});
        row.back().last = ix;
      }
    }
    int count = 0;
    for (auto& row : rows_)
      for (Stretch& s : row) s.id = count++;
    parent_.resize(std::size_t(count));
    std::iota(parent_.begin(), parent_.end(), 0);
    for (std::size_t k = 0; k + 1 < rows_.size(); ++k)
      join(rows_[k], rows_[k + 1], [&, k](long ix) { return model.face_y[g.index(ix, long(k))] > 0; });
    if (g.periodic[1]) join(rows_.front(), rows_.back(), [](long) { return true; });  // copies of each other
    if (g.periodic[0])
      for (const auto& row : rows_)
        if (!row.empty() && row.front().first == 0 && row.back().last == g.cells[0])
          parent_[std::size_t(part(row.front().id))] = part(row.back().id);
  }

  /// Of a node; -1 where it is held or outside.
  int at(std::size_t node) {
    const long nx = model_.grid.nodes(0), ix = long(node) % nx;
    const auto& row = rows_[node / std::size_t(nx)];
    const auto s =
        std::partition_point(row.begin(), row.end(), [ix](const Stretch& t) { return t.last < ix; });
    return s == row.end() || s->first > ix ? -1 : part(s->id);
  }

  /// Calls visit(part, first, last) for nodes side by side that are unknowns, row by row.
  template <class Visit>
  void each_stretch(Visit&& visit) {
    for (std::size_t iy = 0; iy < rows_.size(); ++iy)
      for (const Stretch& s : rows_[iy])
        visit(std::size_t(part(s.id)), model_.grid.index(s.first, long(iy)),
              model_.grid.index(s.last, long(iy)));
  }

  /// More than all numbers of parts.
  std::size_t count() const { return parent_.size(); }

 private:
  /// Unknowns side by side in a row.
  struct Stretch {
    long first, last;
    int id;
  };

  int part(int id) {
    while (parent_[std::size_t(id)] != id)
      id = parent_[std::size_t(id)] = parent_[std::size_t(parent_[std::size_t(id)])];
    return id;
  }

  /// `couples(ix)`: whether a wave gets from one row to the other in a column.
  template <class Couples>
  void join(const std::vector<Stretch>& low, const std::vector<Stretch>& high, Couples&& couples) {
    for (auto a = low.begin(), b = high.begin(); a != low.end() && b != high.end();) {
      bool any = false;
      for (long ix = std::max(a->first, b->first); ix <= std::min(a->last, b->last) && !any; ++ix)
        any = couples(ix);
      if (any) parent_[std::size_t(part(a->id))] = part(b->id);
      if (a->last < b->last)
        ++a;
      else
        ++b;
    }
  }

  const Model& model_;
  std::vector<std::vector<Stretch>> rows_;
  std::vector<int> parent_;  // union-find over the stretches
};

/// Calls visit(node) for the unknowns that a signal of an edge or a rim pushes.
template <class Visit>
void each_pushed(const Model& model, Visit&& visit) {
  const Grid& g = model.grid;
  for (int side = 0; side < 4; ++side) {
    const EdgeCondition& edge = model.edges[side];
    if (!edge.driven_by && !edge.incoming) continue;
    const int axis = side / 2, along = 1 - axis;
    const long depth = holds_value(edge.kind), k = side % 2 ? g.cells[axis] - depth : depth;
    for (long i = 0; i < g.nodes(along); ++i) visit(axis == 0 ? g.index(k, i) : g.index(i, k));
  }
  for (const Rim::DrivenFace& f : model.rim.driven)
    visit(is_inside(model, f.node) ? f.node : g.next(f.axis, f.node));
}

/// A billionth of the largest value: smooth pulses are nowhere exactly 0.
double noticeable(const NodeField& field) {
  double peak = std::abs(field.constant);
  const std::size_t n = field.values.size();
#pragma omp parallel for schedule(static) reduction(max : peak)
  for (std::size_t i = 0; i < n; ++i) peak = std::max(peak, std::abs(field.values[i]));
  return 1e-9 * peak;
}

/// "the receiver 'a' lies", "the receivers 'a', 'b', 'c' and 4 more lie"
std::string lies(const char* what, const std::vector<std::string>& names) {
  std::string text = std::string("the ") + what + (names.size() > 1 ? "s " : " ");
  for (std::size_t k = 0; k < std::min<std::size_t>(names.size(), 3); ++k)
    text += (k == 0 ? "'" : ", '") + names[k] + "'";
  if (names.size() > 3) text += " and " + std::to_string(names.size() - 3) + " more";
  return text + (names.size() > 1 ? " lie" : " lies");
}

}  // namespace

void note_separate_parts(Model& model) {
  if (model.region.empty() || model.receivers.empty()) return;
  Parts parts(model);
  std::vector<bool> heard(parts.count()), reached(parts.count());
  std::vector<std::string> silent, unheard;

  const auto mark = [&parts](std::vector<bool>& in, std::size_t node) {
    if (const int p = parts.at(node); p >= 0) in[std::size_t(p)] = true;
  };
  const auto in_any = [&parts](const std::vector<bool>& in, std::size_t node) {
    const int p = parts.at(node);
    return p >= 0 && in[std::size_t(p)];
  };
  const auto each_node = [](const Receiver& r, auto&& visit) {
    for (int k = 0; k < 4; ++k)
      if (r.weight[k] != 0) visit(r.node[k]);
  };
  for (const Receiver& r : model.receivers) each_node(r, [&](std::size_t node) { mark(heard, node); });
  for (const Source& s : model.sources) {
    for (const std::size_t node : s.node) mark(reached, node);
    if (std::none_of(s.node.begin(), s.node.end(), [&](std::size_t node) { return in_any(heard, node); }))
      unheard.push_back(s.name);
  }
  each_pushed(model, [&](std::size_t node) { mark(reached, node); });
  bool all_reached = true;
  for (std::size_t p = 0; p < heard.size(); ++p) all_reached = all_reached && (reached[p] || !heard[p]);
  if (!all_reached) {
    const double u = noticeable(model.displacement), v = noticeable(model.velocity);
    parts.each_stretch([&](std::size_t part, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i <= last && !reached[part]; ++i)
        reached[part] = std::abs(model.displacement[i]) > u || std::abs(model.velocity[i]) > v;
    });
  }

  for (const Receiver& r : model.receivers) {
    bool in_a_part = false, hears = false;
    each_node(r, [&](std::size_t node) {
      in_a_part = in_a_part || parts.at(node) >= 0;
      const std::size_t nx = std::size_t(model.grid.nodes(0));
      const int side = holding_side(model, long(node % nx), long(node / nx));
      hears = hears || in_any(reached, node) || (side >= 0 && model.edges[side].driven_by);
    });
    if (in_a_part && !hears) silent.push_back(r.name);
  }
  if (!silent.empty())
    model.notes.push_back(
        lies("receiver", silent) +
        " in a part of the region that no source, initial state or edge reaches: 0 is all that will "
        "be recorded; look for a gap or a wall between the shapes");
  if (!unheard.empty())
    model.notes.push_back(
        lies("source", unheard) +
        " in a part of the region that holds no receiver; look for a gap or a wall between the "
        "shapes if one should hear it");
}

}  // namespace wavesim
