#include "sim/fields/field.hpp"

namespace wavesim {

namespace {

struct Number : Field2 {
  double value = 0;
  void fields(Section& s) override { s("value", value, {.required = true}); }
  bool uniform() const override { return true; }
  std::unique_ptr<PointValues> values(const Grid&) const override {
    return point_values([this](double, double) { return value; });
  }
};

}  // namespace

Kind<Field2> number_kind() {
  return {"number", "the same value everywhere", Form::number, make_kind<Field2, Number>};
}

}  // namespace wavesim
