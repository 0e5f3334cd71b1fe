#pragma once
// results/NAME/pictures/NAME_000010.png: the displacement, drawn without a display.

#include <memory>

#include "sim/config/config.hpp"
#include "sim/run/writer.hpp"

namespace wavesim {

std::unique_ptr<Writer> make_picture_writer(const PicturesOutput& pictures);

}  // namespace wavesim
