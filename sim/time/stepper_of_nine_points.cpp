// Steps in a medium that varies, with nine points. For both backends.
#include "kernels/backend/backend.hpp"
#include "sim/time/stepper_on.hpp"

namespace wavesim {

template std::unique_ptr<Stepper> make_stepper_of<Backend, NinePointCoefficients>(bool, const StepperSetup&,
                                                                                  HostCoefficients);

}  // namespace wavesim
