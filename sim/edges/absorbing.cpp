#include <cmath>
#include <cstdlib>
#include <limits>

#include "sim/edges/wall.hpp"
#include "sim/model/pml.hpp"

namespace wavesim {

namespace {

/// u_t + c u_n = 0 at the edge (Engquist and Majda 1977, first order): exact at normal incidence.
struct Radiation : Configured {
  std::shared_ptr<Signal> incoming;
  void fields(Section& s) override {
    s("incoming", incoming, {.text = "u of a wave that comes in through the edge", .unit = "m"});
  }
};

/// Cells of a layer: metres are rounded up to whole cells.
long cells_of(const std::string& thickness, double spacing, const Where& where, const char* layer) {
  const char* begin = thickness.c_str();
  char* end = nullptr;
  const double value = std::strtod(begin, &end);
  std::string unit(end);
  unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? unit.size() : unit.find_first_not_of(' '));
  const bool counted = unit == "cells" || unit == "cell";
  if (end == begin || !(counted || unit.empty() || unit == "m") || !std::isfinite(value) || value <= 0 ||
      (counted && value != std::floor(value)))
    where.fail("the thickness \"" + thickness + "\" of the " + layer +
               " is neither a positive length in metres nor a whole number of cells; "
               "write 0.05 or \"20 cells\"");
  const double count = counted ? value : std::ceil(value / spacing * (1 - 1e-9));
  if (count > std::numeric_limits<int>::max())
    where.fail(std::string("the ") + layer + " would be more than 2^31 cells thick; make it thinner");
  return long(count);
}

/// Damping that grows as (depth / thickness)^2 through a layer outside grid.size.
struct Sponge : Configured {
  std::string thickness;
  std::optional<double> strength;
  void fields(Section& s) override {
    s("thickness", thickness,
      {.text = "metres, or \"20 cells\"; one wavelength or more (at half of one, 3 % of the energy returns)",
       .required = true,
       .above = 0});
    s("strength", strength,
      {.text =
           "damping at the outer end; default 3 ln(10) speed / thickness, which takes a wave that crosses "
           "the layer and returns to a tenth",
       .unit = "1/s",
       .above = 0});
  }
  long cells(double spacing) const { return cells_of(thickness, spacing, where, "sponge"); }
};

/// A perfectly matched layer outside grid.size (sim/model/pml.hpp).
struct Pml : Configured {
  std::string thickness = "20 cells";
  double reflection = 1e-4;
  void fields(Section& s) override {
    s("thickness", thickness, {.text = "metres, or \"20 cells\"", .above = 0});
    s("reflection", reflection,
      {.text = "what returns of the amplitude of a wave that falls on it straight; the cosine of the angle "
               "is the "
               "exponent for others",
       .above = 0,
       .most = 0.5});
  }
  long cells(double spacing) const { return cells_of(thickness, spacing, where, "pml"); }
};

/// A layer, {absorbing: {pml: {...}}} or {absorbing: {sponge: {...}}}, radiation, with a sponge or alone, or an edge
/// that absorbs a part, {absorbing: {reflection: 0.5}} or {absorbing: {impedance: 400}}. `absorbing` alone is the pml.
/// Behind a layer there is always radiation: the default strength of a sponge counts on it, since a stronger one
/// would itself reflect.
struct Absorbing : Edge {
  Pml pml;
  Radiation radiation;
  Sponge sponge;
  Wall wall;

  void fields(Section& s) override {
    s.section("pml", pml,
              {.text = "perfectly matched layer outside grid.size, what 'absorbing' alone means",
               .optional = true});
    s.section("radiation", radiation, {.text = "u_t + c u_n = 0 on the edge", .optional = true});
    s.section("sponge", sponge,
              {.text = "damping layer outside grid.size, with radiation behind it", .optional = true});
    wall.keys(s);
  }
  void verify() const override {
    if (pml.stated + (radiation.stated || sponge.stated) + wall.ways() > 1)
      where.fail(
          "an absorbing edge absorbs in one way; keep one of pml, radiation (with or without sponge), "
          "impedance and reflection");
    if (sponge.stated && radiation.incoming)
      where.fail(
          "the sponge would damp the incoming wave of the same edge; leave out 'sponge' or 'incoming'");
  }
  EdgeCondition condition(double speed, double spacing) const override {
    EdgeCondition edge;
    edge.kind = EdgeCondition::free;
    wall.damp(edge);
    edge.incoming = radiation.incoming;
    if (edge.incoming) edge.incoming->prepare();
    const long cells = layer_cells(spacing);
    if (cells == 0) return edge;
    const double thickness = double(cells) * spacing;
    if (sponge.stated) {
      edge.sponge_damping = sponge.strength.value_or(3 * std::log(10) * speed / thickness);
    } else {
      edge.pml_reflection = pml.reflection;
      edge.pml_rate = pml_rate_at_end(speed, thickness, pml.reflection);
    }
    return edge;
  }
  long layer_cells(double spacing) const override {
    if (sponge.stated) return sponge.cells(spacing);
    return radiation.stated || wall.ways() > 0 ? 0 : pml.cells(spacing);
  }
};

}  // namespace

Kind<Edge> absorbing_kind() {
  return {"absorbing",
          "lets waves out, through a perfectly matched layer outside it or in other ways, or takes a part of "
          "them",
          Form::nested, make_kind<Edge, Absorbing>, true};
}

}  // namespace wavesim
