#pragma once
// The formats in groups, one source file each, so that they compile side by side.

#include <memory>
#include <string>

#include "kernels/backend/backend.hpp"
#include "solvers/catalogue/make.hpp"

namespace wavesim {

/// The formats of the wave system that are filled from compressed sparse rows; null for others.
template <class B, class T, class Coefficients>
std::unique_ptr<WaveOperator<B, T>> make_row_format(const std::string& format, B&, Extent,
                                                    const Coefficients&);

/// Throws InputError with the names that there are.
[[noreturn]] void unknown_format(const std::string& name, bool any_matrix);

}  // namespace wavesim
