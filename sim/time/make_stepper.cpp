#include "sim/time/stepper.hpp"

namespace wavesim {

std::unique_ptr<Stepper> make_stepper([[maybe_unused]] const std::string& device, bool single,
                                      const StepperSetup& setup) {
#ifdef WAVESIM_HAVE_CUDA
  if (device == "cuda") return make_cuda_stepper(single, setup);
#endif
  return make_host_stepper(single, setup);
}

}  // namespace wavesim
