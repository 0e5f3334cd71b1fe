#include "output/pictures/source_marks.hpp"

#include <cstdlib>
#include <memory>

#include "kernels/backend/errors.hpp"
#include "sim/config/parameters.hpp"
#include "sim/input/hdf5_array.hpp"

namespace wavesim {

namespace {

double number(const Tree& t) { return std::strtod(t.scalar.c_str(), nullptr); }

void add_moving(const Tree& at, const std::shared_ptr<const Parameters>& parameters, SourcePlaces& places) {
  const Tree *x = at.find("x"), *y = at.find("y");
  if (!x || !y) return;
  Where where = at.where;
  where.parameters = parameters;
  places.moving.push_back({Expression(x->scalar, {"t"}, where), Expression(y->scalar, {"t"}, where)});
}

void add_recorded(const Tree& recorded, SourcePlaces& places) {
  const Tree* file = recorded.find("file");
  if (!file) return;
  const Hdf5Array all = read_hdf5_array(file->scalar, "/wavesim/receivers/positions", recorded.where);
  if (all.columns != 2) return;
  for (std::size_t k = 0; k + 1 < all.values.size(); k += 2)
    places.resting.push_back({all.values[k], all.values[k + 1]});
}

void add_source(const Tree& source, const std::shared_ptr<const Parameters>& parameters,
                SourcePlaces& places) {
  if (!source.is_map()) return;
  const Tree *at = source.find("at"), *recorded = source.find("recorded");
  if (at && at->is_list() && at->items.size() == 2)
    places.resting.push_back({number(at->items[0]), number(at->items[1])});
  else if (at && at->is_map())
    add_moving(*at, parameters, places);
  else if (recorded && recorded->is_map())
    add_recorded(*recorded, places);
}

}  // namespace

std::array<double, 2> MovingPlace::at(double time) const {
  return {Expression::Evaluator(x)({time}), Expression::Evaluator(y)({time})};
}

SourcePlaces source_places(const Tree& config) {
  SourcePlaces places;
  const Tree* sources = config.find("sources");
  if (!sources || !sources->is_list()) return places;
  std::shared_ptr<const Parameters> parameters;
  if (const Tree* section = config.find("parameters"))
    parameters = std::make_shared<const Parameters>(read_parameters(*section));
  for (const Tree& source : sources->items) try {
      add_source(source, parameters, places);
    } catch (const InputError&) {  // a recording that is gone: the picture lacks its marks, no more
    }
  return places;
}

}  // namespace wavesim
