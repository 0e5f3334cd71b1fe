#include "sim/edges/edge.hpp"

namespace wavesim {

namespace {

/// {driven: {sinusoid: {frequency: 5, amplitude: 0.01}}}: the edge moves as the signal says.
struct Driven : Edge {
  std::shared_ptr<Signal> signal;

  void fields(Section& s) override {
    s.inside(signal, {.text = "u on the edge", .unit = "m", .required = true});
  }
  EdgeCondition condition(double, double) const override {
    if (!signal) where.fail("a driven edge needs a signal; write {driven: {sinusoid: {frequency: ...}}}");
    signal->prepare();
    return {.kind = EdgeCondition::driven, .driven_by = signal};
  }
};

}  // namespace

Kind<Edge> driven_kind() {
  return {"driven", "moved by a signal: u = s(t) on the edge", Form::nested, make_kind<Edge, Driven>};
}

}  // namespace wavesim
