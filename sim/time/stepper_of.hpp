#pragma once
#include "sim/time/stepper.hpp"

namespace wavesim {

/// For one kind of medium. `host`: its coefficients.
template <class B, template <class> class Coefficients>
std::unique_ptr<Stepper> make_stepper_of(bool single, const StepperSetup& setup, HostCoefficients host);

}  // namespace wavesim
