#pragma once
#include <new>
#include <stdexcept>
#include <string>

#include "kernels/backend/errors.hpp"

namespace wavesim {

/// Why a solver cannot take a system, from what is being thrown: it does not fit the matrix, a pivot is zero, memory is
/// short. A device that is lost fails with other solvers, too. What else is thrown is a mistake of the program and goes
/// on; `on_ranks`, so does what one rank may meet alone, for the others would go on with the solver.
inline std::string why_it_cannot(bool on_ranks) {
  try {
    throw;
  } catch (const DeviceError& e) {
    if (on_ranks) throw;
    return e.what();
  } catch (const std::runtime_error& e) {
    return e.what();
  } catch (const std::bad_alloc&) {
    if (on_ranks) throw;
    return "too little memory";
  }
}

}  // namespace wavesim
