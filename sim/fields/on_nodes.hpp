#pragma once
// Functions of position, evaluated on all nodes.

#include "sim/model/grid.hpp"

namespace wavesim {

/// value(x, y) on the nodes, in parallel. `make` is called once in each thread and returns the function, so
/// that it may own scratch memory; neither may throw.
template <class Make>
NodeField on_nodes_each(const Grid& grid, Make&& make) {
  NodeField field;
  field.values.resize(grid.node_count());
  const long nx = grid.nodes(0);
#pragma omp parallel
  {
    auto value = make();
#pragma omp for schedule(static)
    for (long iy = grid.first_row(); iy < grid.end_row(); ++iy)
      for (long ix = 0; ix < nx; ++ix) field.values[grid.index(ix, iy)] = value(grid.x(ix), grid.y(iy));
  }
  return field;
}

template <class Value>
NodeField on_nodes(const Grid& grid, const Value& value) {
  return on_nodes_each(grid, [&] { return [&](double x, double y) { return value(x, y); }; });
}

/// value(a, b) of two fields on a grid, node by node; uniform if both are.
template <class Value>
NodeField combine(const Grid& grid, const NodeField& a, const NodeField& b, const Value& value) {
  NodeField field;
  if (a.uniform() && b.uniform()) {
    field.constant = value(a.constant, b.constant);
    return field;
  }
  field.values.resize(grid.node_count());
  const std::size_t first = grid.first_node(), end = grid.end_node();
#pragma omp parallel for schedule(static)
  for (std::size_t i = first; i < end; ++i) field.values[i] = value(a[i], b[i]);
  return field;
}

}  // namespace wavesim
