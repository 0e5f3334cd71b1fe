#include "sim/edges/edge.hpp"

namespace wavesim {

namespace {

struct Periodic : Edge {
  void fields(Section&) override {}
  EdgeCondition condition(double, double) const override { return {.kind = EdgeCondition::periodic}; }
};

}  // namespace

Kind<Edge> periodic_kind() {
  return {"periodic", "goes on at the opposite edge; both edges of an axis", Form::word,
          make_kind<Edge, Periodic>};
}

}  // namespace wavesim
