#pragma once
// Waves for runs that are saved in the middle, and their bits.

#include <bit>
#include <cstdint>

#include "solvers/core/archive.hpp"
#include "tests/sim/running.hpp"

namespace wavesim::test {

using Bits = std::vector<std::uint64_t>;
inline Bits bits(const std::vector<double>& values) {
  Bits b;
  for (const double v : values) b.push_back(std::bit_cast<std::uint64_t>(v));
  return b;
}

inline const char* const constant =
    "grid: {size: [1, 0.8], cells: [21, 17]}, edges: {left: free, right: fixed, bottom: fixed, top: {driven: "
    "{sinusoid: {frequency: 2, amplitude: 0.2}}}}, medium: {speed: 1, damping: 0.3}";
inline const char* const varying =
    "grid: {size: [1, 0.8], cells: [21, 17]}, edges: {left: free, right: {absorbing: {radiation: {}}}, "
    "bottom: fixed, top: {driven: {sinusoid: {frequency: 2, amplitude: 0.2}}}}, shape: {not: {circle: "
    "{center: "
    "[0.6, 0.4], radius: 0.12}}, edge: free}, medium: {speed: '1 + 0.5 * x', density: '2 - y', damping: "
    "'0.4 * y'}";
inline const char* const wave =
    "initial: {displacement: {gaussian: {center: [0.3, 0.4], width: 0.1, amplitude: 1}}, velocity: "
    "{gaussian: "
    "{center: [0.7, 0.2], width: 0.2, amplitude: 1}}}, sources: [{name: s, at: [0.2, 0.21], ricker: "
    "{frequency: 3, delay: 0.2}}], receivers: [{name: l, from: [0.1, 0.1], to: [0.9, 0.7], count: 5}], "
    "output: {fields: {quantities: [displacement, max-displacement, arrival-time], arrival-threshold: 0.05}}";

/// `scheme`, `guess`, ...: as they are written after their keys.
inline std::string yaml(const char* medium, const std::string& scheme, const std::string& method, bool single,
                        const std::string& guess = "previous", const std::string& more = "", int steps = 14,
                        double courant = 0) {
  if (courant == 0) courant = scheme == "explicit" ? 0.5 : 1.2;
  return with(
      "{precision: %s, %s, %s, time: {scheme: %s, courant: %g, steps: %d}, solver: {method: %s, guess: %s, "
      "tolerance: %s%s}}",
      single ? "single" : "double", medium, wave, scheme.c_str(), courant, steps, method.c_str(),
      guess.c_str(), single ? "1e-4" : "1e-9", more.c_str());
}

}  // namespace wavesim::test
