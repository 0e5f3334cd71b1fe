// Steps in a constant medium with nine points. For both backends.
#include "kernels/backend/backend.hpp"
#include "sim/time/stepper_on.hpp"

namespace wavesim {

template std::unique_ptr<Stepper> make_stepper_of<Backend, UniformNinePointCoefficients>(bool,
                                                                                         const StepperSetup&,
                                                                                         HostCoefficients);

}  // namespace wavesim
