#pragma once
// Functions of position, evaluated on all nodes.

#include "sim/model/grid.hpp"

namespace wavesim {

/// value(x, y) on every node, in parallel. `make` is called once in each thread and returns the function, so
/// that it may own scratch memory; neither may throw.
template <class Make>
NodeField on_nodes_each(const Grid& grid, Make&& make) {
  NodeField field;
  field.values.resize(grid.node_count());
  const long nx = grid.nodes(0), ny = grid.nodes(1);
#pragma omp parallel
  {
    auto value = make();
#pragma omp for schedule(static)
    for (long iy = 0; iy < ny; ++iy)
      for (long ix = 0; ix < nx; ++ix) field.values[grid.index(ix, iy)] = value(grid.x(ix), grid.y(iy));
  }
  return field;
}

template <class Value>
NodeField on_nodes(const Grid& grid, const Value& value) {
  return on_nodes_each(grid, [&] { return [&](double x, double y) { return value(x, y); }; });
}

/// value(a, b) of two fields node by node; uniform if both are.
template <class Value>
NodeField combine(const NodeField& a, const NodeField& b, const Value& value) {
  NodeField field;
  if (a.uniform() && b.uniform()) {
    field.constant = value(a.constant, b.constant);
    return field;
  }
  const long n = long(a.uniform() ? b.values.size() : a.values.size());
  field.values.resize(std::size_t(n));
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) field.values[std::size_t(i)] = value(a[std::size_t(i)], b[std::size_t(i)]);
  return field;
}

}  // namespace wavesim
