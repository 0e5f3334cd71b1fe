// For both backends.
#include "sim/time/stepper.hpp"

#include <utility>

#include "kernels/backend/backend.hpp"
#include "kernels/comm/row_share.hpp"
#include "sim/time/stepper_of.hpp"

namespace wavesim {

namespace {

std::unique_ptr<Stepper> make(bool single, const StepperSetup& setup) {
  Unknowns unknowns = make_unknowns(setup.model, single ? sizeof(float) : sizeof(double));
  if (const Ranks* ranks = setup.model.grid.own.ranks)
    unknowns.extent = share_of(unknowns.extent, ranks->rank(), ranks->count());
  HostCoefficients host = make_coefficients(setup.model, unknowns, setup.plan.dt,
                                            eigenvalue_to_keep(setup.scheme, setup.model), setup.balance);
  const auto make = [&](auto of) { return of(single, setup, std::move(host)); };
  if (host.uniform_nine_points) return make(make_stepper_of<Backend, UniformNinePointCoefficients>);
  if (host.nine_points) return make(make_stepper_of<Backend, NinePointCoefficients>);
  if (host.varying) return make(make_stepper_of<Backend, VariableCoefficients>);
  return make(make_stepper_of<Backend, UniformCoefficients>);
}

}  // namespace

#ifdef __CUDACC__
std::unique_ptr<Stepper> make_cuda_stepper(bool single, const StepperSetup& setup) {
#else
std::unique_ptr<Stepper> make_host_stepper(bool single, const StepperSetup& setup) {
#endif
  return make(single, setup);
}

}  // namespace wavesim
