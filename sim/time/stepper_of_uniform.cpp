// Steps in a constant medium. For both backends.
#include "kernels/backend/backend.hpp"
#include "sim/time/stepper_on.hpp"

namespace wavesim {

template std::unique_ptr<Stepper> make_stepper_of<Backend, UniformCoefficients>(bool, const StepperSetup&,
                                                                                HostCoefficients);

}  // namespace wavesim
