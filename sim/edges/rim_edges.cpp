#include "sim/edges/rim_edge.hpp"
#include "sim/edges/wall.hpp"

namespace wavesim {

namespace {

struct FixedRim : RimEdge {
  void fields(Section&) override {}
  EdgeCondition condition() const override { return {}; }
};

struct FreeRim : RimEdge {
  void fields(Section&) override {}
  EdgeCondition condition() const override { return {.kind = EdgeCondition::free}; }
};

/// {absorbing: {reflection: 0.5}} or {absorbing: {impedance: 400}}; `absorbing` alone reflects nothing of what falls
/// on it straight.
struct AbsorbingRim : RimEdge {
  Wall wall;
  void fields(Section& s) override { wall.keys(s); }
  void verify() const override {
    if (wall.ways() > 1) where.fail("an absorbing rim absorbs in one way; keep impedance or reflection");
  }
  EdgeCondition condition() const override {
    EdgeCondition rim{.kind = EdgeCondition::free};
    wall.damp(rim);
    return rim;
  }
};

/// {driven: {sinusoid: {frequency: 5, amplitude: 0.01}}}: the rim moves as the signal says.
struct DrivenRim : RimEdge {
  std::shared_ptr<Signal> signal;
  void fields(Section& s) override {
    s.inside(signal, {.text = "u on the rim", .unit = "m", .required = true});
  }
  EdgeCondition condition() const override {
    if (!signal) where.fail("a driven rim needs a signal; write {driven: {sinusoid: {frequency: ...}}}");
    return {.kind = EdgeCondition::driven, .driven_by = signal};
  }
};

}  // namespace

std::shared_ptr<RimEdge> fixed_rim() { return make_kind<RimEdge, FixedRim>(); }

template <>
const std::vector<Kind<RimEdge>>& kinds<RimEdge>() {
  static const std::vector<Kind<RimEdge>> all{
      {"fixed", "u = 0 at the rim", Form::word, make_kind<RimEdge, FixedRim>},
      {"free", "no force at the rim: u_n = 0", Form::word, make_kind<RimEdge, FreeRim>},
      {"driven", "moved by a signal: u = s(t) at the rim", Form::nested, make_kind<RimEdge, DrivenRim>},
      {"absorbing", "takes waves that fall on the rim, or a part of them", Form::nested,
       make_kind<RimEdge, AbsorbingRim>, true}};
  return all;
}

template <>
std::string_view family<RimEdge>() {
  return "rim";
}

}  // namespace wavesim
