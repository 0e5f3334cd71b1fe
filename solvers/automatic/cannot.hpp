#pragma once
#include <new>
#include <stdexcept>
#include <string>

namespace wavesim {

/// Why a solver cannot take a system, from what is being thrown: it does not fit the matrix, a pivot is zero, memory is
/// short. A device that is lost fails with other solvers, too. What else is thrown is a mistake of the program and goes
/// on.
inline std::string why_it_cannot() {
  try {
    throw;
  } catch (const std::runtime_error& e) {
    return e.what();
  } catch (const std::bad_alloc&) {
    return "too little memory";
  }
}

}  // namespace wavesim
