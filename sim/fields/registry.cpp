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

NodeField Field2::at_nodes(const Grid& grid, const PointValues& values) const {
  if (uniform()) return {values.copy()->at(grid.low(0), grid.low(1)), {}};
  return on_nodes_each(grid,
                       [&] { return [own = values.copy()](double x, double y) { return own->at(x, y); }; });
}

namespace {

struct SumOfValues final : PointValues {
  std::vector<std::unique_ptr<PointValues>> terms;

  double sample_spacing() const override {
    double finest = PointValues::sample_spacing();
    for (const auto& t : terms) finest = std::min(finest, t->sample_spacing());
    return finest;
  }
  std::unique_ptr<PointValues> copy() const override {
    auto other = std::make_unique<SumOfValues>();
    for (const auto& term : terms) other->terms.push_back(term->copy());
    return other;
  }
  double at(double x, double y) override {
    double sum = 0;
    for (const auto& term : terms) sum += term->at(x, y);
    return sum;
  }
};

}  // namespace

FieldSum sum_of(const std::vector<std::shared_ptr<Field2>>& terms, const Grid& grid) {
  NodeField nodes;
  auto points = std::make_unique<SumOfValues>();
  for (const auto& term : terms) {
    points->terms.push_back(term->values(grid));
    NodeField one = term->at_nodes(grid, *points->terms.back());
    const bool first = nodes.uniform() && nodes.constant == 0;
    nodes = first ? std::move(one) : combine(grid, nodes, one, [](double a, double b) { return a + b; });
  }
  return {std::move(nodes), std::move(points)};
}

}  // namespace wavesim
