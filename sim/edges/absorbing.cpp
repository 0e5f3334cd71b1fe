#include <cmath>
#include <cstdlib>
#include <limits>

#include "sim/edges/edge.hpp"

namespace wavesim {

namespace {

/// u_t + c u_n = 0 at the edge (Engquist and Majda 1977, first order): exact at normal incidence.
struct Radiation : Configured {
  std::shared_ptr<Signal> incoming;
  void fields(Section& s) override {
    s("incoming", incoming, {.text = "u of a wave that comes in through the edge", .unit = "m"});
  }
};

/// Damping that grows as (depth / thickness)^2 through a layer outside grid.size.
struct Sponge : Configured {
  std::string thickness;
  std::optional<double> strength;
  void fields(Section& s) override {
    s("thickness", thickness,
      {.text = "metres, or \"20 cells\"; one wavelength or more (at half of one, 3 % of the energy returns)",
       .required = true});
    s("strength", strength,
      {.text =
           "damping at the outer end; default 3 ln(10) speed / thickness, which takes a wave that crosses "
           "the layer and returns to a tenth",
       .unit = "1/s",
       .above = 0});
  }

  /// Cells of the layer: metres are rounded up to whole cells.
  long cells(double spacing) const {
    const char* begin = thickness.c_str();
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    std::string unit(end);
    unit.erase(0,
               unit.find_first_not_of(' ') == std::string::npos ? unit.size() : unit.find_first_not_of(' '));
    const bool counted = unit == "cells" || unit == "cell";
    if (end == begin || !(counted || unit.empty() || unit == "m") || !std::isfinite(value) || value <= 0 ||
        (counted && value != std::floor(value)))
      where.fail("the thickness \"" + thickness +
                 "\" of the sponge is neither a positive length in metres nor a whole number of cells; "
                 "write 0.05 or \"20 cells\"");
    const double count = counted ? value : std::ceil(value / spacing * (1 - 1e-9));
    if (count > std::numeric_limits<int>::max())
      where.fail("the sponge would be more than 2^31 cells thick; make it thinner");
    return long(count);
  }
};

/// {absorbing: {radiation: {}}}, {absorbing: {sponge: {thickness: "20 cells"}}} or both. Behind a sponge
/// there is always radiation: the default strength counts on it, since a stronger sponge would itself
/// reflect.
struct Absorbing : Edge {
  Radiation radiation;
  Sponge sponge;

  void fields(Section& s) override {
    s.section("radiation", radiation, {.text = "u_t + c u_n = 0 on the edge", .optional = true});
    s.section("sponge", sponge,
              {.text = "damping layer outside grid.size, with radiation behind it", .optional = true});
  }
  void verify() const override {
    if (!radiation.stated && !sponge.stated)
      where.fail(
          "an absorbing edge names what absorbs; write radiation: {}, sponge: {thickness: ...} or both");
    if (sponge.stated && radiation.incoming)
      where.fail(
          "the sponge would damp the incoming wave of the same edge; leave out 'sponge' or 'incoming'");
  }
  EdgeCondition condition(double speed, double spacing) const override {
    EdgeCondition edge;
    edge.kind = EdgeCondition::free;
    edge.radiation = true;
    edge.incoming = radiation.incoming;
    if (edge.incoming) edge.incoming->prepare();
    const long cells = layer_cells(spacing);
    if (cells == 0) return edge;
    if (edge.incoming)
      where.fail(
          "the sponge would damp the incoming wave of the same edge; leave out 'sponge' or 'incoming'");
    edge.sponge_damping = sponge.strength.value_or(3 * std::log(10) * speed / (double(cells) * spacing));
    return edge;
  }
  long layer_cells(double spacing) const override { return sponge.stated ? sponge.cells(spacing) : 0; }
};

}  // namespace

Kind<Edge> absorbing_kind() {
  return {"absorbing", "lets waves out: radiation on the edge, a sponge outside it, or both", Form::nested,
          make_kind<Edge, Absorbing>};
}

}  // namespace wavesim
