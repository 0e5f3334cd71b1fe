#pragma once
// results/NAME/NAME.pvd and NAME_vti/NAME_000010.vti: what ParaView 5.11 and older open as a time series.

#include <memory>

#include "sim/run/writer.hpp"

namespace wavesim {

/// Throws InputError in a build without VTK.
std::unique_ptr<Writer> make_vti_writer();

}  // namespace wavesim
