// Notes about receivers and sources that no wave connects.

#include "sim/model/connected_parts.hpp"

#include <algorithm>
#include <cmath>

#include "sim/model/model_parts.hpp"

namespace wavesim {

namespace {

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
double noticeable(const NodeField& field, const Grid& g) {
  double peak = std::abs(field.constant);
  const std::size_t first = g.first_sure_node(), end = field.uniform() ? first : g.end_sure_node();
#pragma omp parallel for schedule(static) reduction(max : peak)
  for (std::size_t i = first; i < end; ++i) peak = std::max(peak, std::abs(field.values[i]));
  return 1e-9 * g.own.most(peak);
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
  const OwnRows& own = model.grid.own;
  const ConnectedParts parts(model);
  std::vector<char> heard(parts.count()), reached(parts.count());
  std::vector<std::string> silent, unheard;

  const auto mark = [&parts](std::vector<char>& in, std::size_t node) {
    if (const int p = parts.at(node); p >= 0) in[std::size_t(p)] = 1;
  };
  const auto in_any = [&parts](const std::vector<char>& in, std::size_t node) {
    const int p = parts.at(node);
    return p >= 0 && in[std::size_t(p)];
  };
  const auto each_node = [](const Receiver& r, auto&& visit) {
    for (int k = 0; k < 4; ++k)
      if (r.weight[k] != 0) visit(r.node[k]);
  };
  for (const Receiver& r : model.receivers) each_node(r, [&](std::size_t node) { mark(heard, node); });
  parts.join(heard);
  std::vector<char> is_heard;
  for (const Source& s : model.sources) {
    for (const std::size_t node : s.node) mark(reached, node);
    is_heard.push_back(
        std::any_of(s.node.begin(), s.node.end(), [&](std::size_t node) { return in_any(heard, node); }));
  }
  own.join(is_heard);
  for (std::size_t k = 0; k < is_heard.size(); ++k)
    if (!is_heard[k]) unheard.push_back(model.sources[k].name);
  each_pushed(model, [&](std::size_t node) { mark(reached, node); });
  parts.join(reached);
  bool all_reached = true;
  for (std::size_t p = 0; p < heard.size(); ++p) all_reached = all_reached && (reached[p] || !heard[p]);
  if (own.any(!all_reached)) {
    const double u = noticeable(model.displacement, model.grid), v = noticeable(model.velocity, model.grid);
    parts.each_stretch([&](std::size_t part, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i <= last && !reached[part]; ++i)
        reached[part] = std::abs(model.displacement[i]) > u || std::abs(model.velocity[i]) > v;
    });
    parts.join(reached);
  }

  std::vector<char> in_a_part, hears;
  for (const Receiver& r : model.receivers) {
    in_a_part.push_back(0), hears.push_back(0);
    each_node(r, [&](std::size_t node) {
      in_a_part.back() = in_a_part.back() || parts.at(node) >= 0;
      const auto [ix, iy] = model.grid.place(node);
      const int side = holding_side(model, ix, iy);
      hears.back() = hears.back() || in_any(reached, node) || (side >= 0 && model.edges[side].driven_by);
    });
  }
  own.join(in_a_part), own.join(hears);
  for (std::size_t k = 0; k < hears.size(); ++k)
    if (in_a_part[k] && !hears[k]) silent.push_back(model.receivers[k].name);
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
