#pragma once
// results/NAME/NAME_receivers.csv: step, time, one column a receiver.

#include <memory>

#include "sim/run/writer.hpp"

namespace wavesim {

std::unique_ptr<Writer> make_receiver_writer();

}  // namespace wavesim
