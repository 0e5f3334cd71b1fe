// The list of edges: a new one is its own file and a line here.
#include "sim/edges/edge.hpp"

namespace wavesim {

Kind<Edge> fixed_kind();
Kind<Edge> free_kind();
Kind<Edge> periodic_kind();
Kind<Edge> driven_kind();
Kind<Edge> absorbing_kind();

template <>
const std::vector<Kind<Edge>>& kinds<Edge>() {
  static const std::vector<Kind<Edge>> all{fixed_kind(), free_kind(), periodic_kind(), driven_kind(),
                                           absorbing_kind()};
  return all;
}

template <>
std::string_view family<Edge>() {
  return "edge";
}

}  // namespace wavesim
