#include "sim/edges/edge.hpp"

namespace wavesim {

namespace {

struct Fixed : Edge {
  void fields(Section&) override {}
  EdgeCondition condition(double, double) const override { return {.kind = EdgeCondition::fixed}; }
};

}  // namespace

Kind<Edge> fixed_kind() { return {"fixed", "u = 0 on the edge", Form::word, make_kind<Edge, Fixed>}; }

}  // namespace wavesim
