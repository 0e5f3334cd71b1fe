#pragma once
// The result file of a run, results/NAME/NAME.vtkhdf: HDF5, written so that a run killed at any moment leaves
// every finished frame readable. docs/output.md has the layout.

#include <memory>

#include "sim/run/writer.hpp"

namespace wavesim {

/// What goes into the file besides config, facts, history, energy and summary.
struct ResultFileParts {
  bool frames = true;     // /VTKHDF: without it the file is NAME.h5
  bool receivers = true;  // /wavesim/receivers
};

std::unique_ptr<Writer> make_vtkhdf_writer(ResultFileParts parts = {});

}  // namespace wavesim
