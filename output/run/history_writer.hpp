#pragma once
// results/NAME/NAME_history.csv: one row a step.

#include <memory>

#include "sim/run/writer.hpp"

namespace wavesim {

std::unique_ptr<Writer> make_history_writer();

}  // namespace wavesim
