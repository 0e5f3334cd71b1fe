#pragma once
// The region of a list of shapes, at any point: their union (the whole rectangle if none adds), less what is
// cut out.

#include "sim/shapes/area.hpp"

namespace wavesim {

class RegionOutline {
 public:
  /// `shapes` outlive it. Not to be shared by threads: each makes a copy.
  RegionOutline(const std::vector<std::shared_ptr<Shape>>& shapes, const Grid& grid);

  struct Found {
    bool inside;
    /// Of a point inside: the shape that has it; of one that is cut out: the cut-out, one with a fixed rim
    /// first. Null for a point outside of all shapes, and inside where no shape adds.
    const Shape* by;
  };
  /// Of a point, metres. Past the end of a periodic axis it is looked at on the other end.
  Found at(double x, double y);

 private:
  struct CutOut {
    const Shape* shape;
    Area area;
  };
  Grid grid_;
  std::vector<const Shape*> adding_;
  Area union_;
  std::vector<CutOut> cut_out_;
};

}  // namespace wavesim
