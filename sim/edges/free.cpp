#include "sim/edges/edge.hpp"

namespace wavesim {

namespace {

struct Free : Edge {
  void fields(Section&) override {}
  EdgeCondition condition(double, double) const override { return {.kind = EdgeCondition::free}; }
};

}  // namespace

Kind<Edge> free_kind() {
  return {"free", "no force across the edge: u_n = 0", Form::word, make_kind<Edge, Free>};
}

}  // namespace wavesim
