// For both backends.
#include "sim/modes/membrane_modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/backend/backend.hpp"
#include "sim/time/filter_on.hpp"
#include "sim/time/medium_on.hpp"
#include "sim/time/read_out.hpp"
#include "solvers/eigenpairs/lobpcg_preconditioner.hpp"

namespace wavesim {

namespace {

using Vector = Field<Backend, double>;

/// A mode as what is read of a state.
struct ModeView {
  const double* v;
  FilterView<double> filter;
  HD double value(Quantity, Row r) const { return filter(v, r); }
};

/// One where a point moves, zero where it lies outside of the shapes.
Vector moving_points_on(Backend& be, const Model& m, const Unknowns& u) {
  const Extent e = u.extent;
  std::vector<double> inside(std::size_t(e.pitch) * std::size_t(e.ny + 2), 0);
  for (int row = 0; row < e.ny; ++row)
    for (int col = 0; col < e.nx; ++col)
      if (m.region.empty() || is_inside(m.region[m.grid.index(u.first[0] + col, u.first[1] + row)]))
        inside[std::size_t(row + 1) * std::size_t(e.pitch) + std::size_t(col)] = 1;
  Vector f(be, e);
  f.memory().upload(inside);
  return f;
}

/// About 1 / omega^2 of the lowest mode, seconds squared, by Weyl's law: omega^2 = 4 pi k / integral of 1 / c^2.
double weyl(const Model& m) {
  double integral = 0;
  for (std::size_t i = 0; i < m.grid.node_count(); ++i)
    if ((m.region.empty() || is_inside(m.region[i])) && m.speed[i] > 0)
      integral += 1 / (m.speed[i] * m.speed[i]);
  return integral * m.grid.spacing[0] * m.grid.spacing[1] / (4 * std::numbers::pi);
}

/// omega^2 of K + sigma M less sigma. What its residual does not tell from zero is zero: the constant mode.
double without_shift(double shifted, double residual) {
  return shifted - 1 <= residual * shifted ? 0 : shifted - 1;
}

/// The value of largest magnitude; 1 where all are zero.
double peak_of(const std::vector<double>& v) {
  const double peak =
      *std::max_element(v.begin(), v.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  return peak != 0 ? peak : 1;
}
void divide(std::vector<double>& v, double by) {
  for (double& vi : v) vi /= by;
}

/// What each receiver reads of the unknowns on all nodes of the grid. Driven edges and rims are at rest.
std::vector<double> readings_of(const Model& m, const std::vector<double>& nodes) {
  std::vector<double> read;
  for (const Receiver& receiver : m.receivers) {
    double sum = 0;
    for (std::size_t k = 0; k < receiver.node.size(); ++k) {
      const auto [ix, iy] = m.grid.place(receiver.node[k]);
      sum += receiver.weight[k] * nodes[std::size_t(iy) * std::size_t(m.grid.nodes(0)) + std::size_t(ix)];
    }
    read.push_back(sum);
  }
  return read;
}

template <class Coefficients>
MembraneModes modes_in(Backend& be, const ModesSetup& setup, const Unknowns& unknowns,
                       const HostCoefficients& host, double dt) {
  const MediumOn<Backend, double, Coefficients> medium(be, unknowns, host);
  const Extent e = unknowns.extent;
  // The operators of a step, M + b K and M: M + b K stands for the K of the method. Its lowest eigenvalue is near
  // 2, and none is zero, also where K alone has the constant mode.
  const double b = weyl(setup.model) / (dt * dt);
  const auto shifted = make_operator<Backend, double>(setup.format, be, e, medium.view());
  const auto mass = make_operator<Backend, double>(setup.format, be, e, medium.view());
  shifted->assemble(0, b);
  mass->assemble(0, 0);
  const Vector inside = moving_points_on(be, setup.model, unknowns);
  const LobpcgPreconditioner<Backend> T(be, *shifted, setup.preconditioner);
  Lobpcg<Backend, double> lobpcg(be, *shifted, mass.get(), T.get(), inside, setup.options);

  MembraneModes modes{T.run(be, lobpcg), {}, {}, {}};
  for (std::size_t k = 0; k < modes.pairs.value.size(); ++k) {
    double& value = modes.pairs.value[k];
    value = without_shift(value, modes.pairs.residual[k]) / (b * dt * dt);
    modes.frequencies.push_back(std::sqrt(value) / (2 * std::numbers::pi));
  }
  const FilterOn<Backend, double> filter(be, setup.model, unknowns);
  ReadOut<Backend> read_out(be);
  const auto plane = [&](int k, FilterView<double> by, const Window& window) {
    const ModeView view{lobpcg.vector(k).data(), by};
    const Values values = read_out.read<double>(Quantity::displacement, view, unknowns, window, EdgeValues{});
    const auto read = values.as<double>();
    return std::vector<double>(read.begin(), read.end());
  };
  Window all;
  all.count = {setup.model.grid.nodes(0), setup.model.grid.nodes(1)};
  for (int k = 0; k < setup.options.count; ++k) {
    modes.shapes.push_back(plane(k, filter.view(), setup.window));
    const double peak = peak_of(modes.shapes.back());
    divide(modes.shapes.back(), peak);
    if (setup.model.receivers.empty()) continue;
    modes.readings.push_back(readings_of(setup.model, plane(k, {}, all)));  // the filter is in their weights
    divide(modes.readings.back(), peak);
  }
  return modes;
}

}  // namespace

#ifdef __CUDACC__
MembraneModes modes_on_cuda(const ModesSetup& setup) {
#else
MembraneModes modes_on_host(const ModesSetup& setup) {
#endif
  const Model& m = setup.model;
  // Some time step: coefficients are in its units, with faces of about one.
  const double dt = 1 / (m.largest_speed * std::hypot(1 / m.grid.spacing[0], 1 / m.grid.spacing[1]));
  Backend be;
  const Unknowns unknowns = make_unknowns(m);
  const HostCoefficients host = make_coefficients(m, unknowns, dt, eigenvalue_to_keep(setup.scheme, m));
  if (host.uniform_nine_points)
    return modes_in<UniformNinePointCoefficients<double>>(be, setup, unknowns, host, dt);
  if (host.nine_points) return modes_in<NinePointCoefficients<double>>(be, setup, unknowns, host, dt);
  if (host.varying) return modes_in<VariableCoefficients<double>>(be, setup, unknowns, host, dt);
  return modes_in<UniformCoefficients<double>>(be, setup, unknowns, host, dt);
}

}  // namespace wavesim
