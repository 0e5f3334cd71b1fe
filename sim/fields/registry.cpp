// The list of fields: a new one is its own file and a line here.
#include "sim/fields/field.hpp"
#include "sim/fields/on_nodes.hpp"

namespace wavesim {

Kind<Field2> number_kind();
Kind<Field2> expression_field_kind();
Kind<Field2> layers_kind();
Kind<Field2> file_field_kind();
Kind<Field2> image_field_kind();
Kind<Field2> gaussian_kind();
Kind<Field2> ring_kind();
Kind<Field2> mode_kind();
Kind<Field2> packet_kind();

template <>
const std::vector<Kind<Field2>>& kinds<Field2>() {
  static const std::vector<Kind<Field2>> all{
      number_kind(),      expression_field_kind(), layers_kind(), file_field_kind(),
      image_field_kind(), gaussian_kind(),         ring_kind(),   mode_kind(),
      packet_kind()};
  return all;
}

template <>
std::string_view family<Field2>() {
  return "field";
}

NodeField evaluate(const std::vector<std::shared_ptr<Field2>>& terms, const Grid& grid) {
  NodeField sum;
  for (const auto& term : terms) {
    NodeField one = term->evaluate(grid);
    const bool first = sum.uniform() && sum.constant == 0;
    sum = first ? std::move(one) : combine(sum, one, [](double a, double b) { return a + b; });
  }
  return sum;
}

}  // namespace wavesim
