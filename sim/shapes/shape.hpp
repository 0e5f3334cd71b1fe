#pragma once
// The family of shapes that cut the region of the wave out of the rectangle.
// A new kind is one file in sim/shapes/ and one line in sim/shapes/registry.cpp.

#include <cstdint>

#include "sim/config/section.hpp"
#include "sim/edges/rim_edge.hpp"
#include "sim/model/grid.hpp"

namespace wavesim {

/// Where a point lies to a shape. The kinds between outside and inside let shapes that touch become one area
/// (sim/shapes/area.hpp); a cut-out takes away what is on its rim or inside.
enum class Lies : std::uint8_t {
  outside,
  at_threshold,  // outside: the value of a formula or picture is exactly the one that ends the inside
  near_rim,      // outside, but by less than a millionth of a cell
  on_rim,        // within rounding
  inside
};

/// The directions (radians, from x towards y) in which rims leave a point. More of them do no harm; without
/// the true ones an area may be closed over a gap.
struct RimDirections {
  std::vector<double> straight;
  std::vector<double> bent;  // of rims that bend towards the inside: what touches one leaves a gap along it
};

/// A shape on a grid. Not to be shared by threads: each makes a copy.
struct Outline {
  virtual ~Outline() = default;
  virtual std::unique_ptr<Outline> copy() const = 0;
  virtual Lies at(double x, double y) = 0;
  /// Adds those of the shape at a point that is not inside.
  virtual void add_rims(double x, double y, RimDirections& to) const = 0;
  /// Throws InputError for what the points showed that were looked at, by copies too, on any rank.
  virtual void check(const OwnRows&) const {}
};

/// All kinds are written flat: {circle: {...}, edge: free}.
///
/// A rim either cuts the cells that it goes through (sim/model/rim.hpp) or follows the grid in stairs: then a
/// fixed one is put at the nearest node of each grid line (area.hpp). A node exactly on a rim is not part of
/// the wave, unless shapes that touch enclose it. Along the edges of the rectangle it is the edge that decides:
/// a shape that reaches one, or ends on it, goes on beyond it.
struct Shape : Configured {
  std::shared_ptr<RimEdge> edge = fixed_rim();  // what holds at this shape's rim; a key of every kind
  std::optional<std::string> rim;               // "cut" | "staircase"; likewise
  bool has_free_rim() const { return edge->condition().kind == EdgeCondition::free; }
  bool has_cut_rim() const { return rim ? *rim == "cut" : has_geometry(); }
  /// Whether its rim is known between the nodes, and not from pixels.
  virtual bool has_geometry() const { return true; }
  /// The shape that this one takes away from the region instead of adding to it; null for one that adds.
  virtual const Shape* taken_away() const { return nullptr; }
  bool cuts_out() const { return taken_away() != nullptr; }
  /// The shape on a grid; one that cuts out has none. Throws InputError for numbers or files that make no
  /// such shape.
  virtual std::unique_ptr<Outline> outline(const Grid&) const { return nullptr; }
  /// Ends the sentence that no node lies inside; empty where there is nothing to say but its place and size. All ranks together.
  virtual std::string why_empty(const Grid&) const { return ""; }
  /// 1 on the nodes that this shape alone adds or, if it cuts out, leaves; in the rows that are computed here.
  virtual Array<std::uint8_t> inside(const Grid& grid) const;
  /// Likewise, 1 on the nodes that {not: shape} takes away, where its rim is fixed or free.
  virtual Array<std::uint8_t> covered(const Grid& grid, bool fixed) const;

 protected:
  /// Reads the keys `edge` and `rim`.
  void rim_keys(Section& s) {
    s("edge", edge, {.text = "what holds at the rim"});
    s("rim", rim,
      {.text = "cut: cells are cut where the rim goes through them; staircase: it follows the grid; default: "
               "cut, but staircase for pictures and files",
       .choices = {"cut", "staircase"}});
  }
};

template <>
const std::vector<Kind<Shape>>& kinds<Shape>();
template <>
std::string_view family<Shape>();

}  // namespace wavesim
