#pragma once
// Frequencies of a model: the least eigenvalues of K u = omega^2 M u.

#include <vector>

#include "sim/model/coefficients.hpp"

namespace wavesim::test {

/// The `count` least angular frequencies, rad/s, by subspace iteration; a frequency of 0 (free rims) is among them. `kept`: as of make_coefficients.
std::vector<double> frequencies(const Model& model, int count, double kept = 0);

/// The largest relative error of frequencies against exact ones, of which the first may be 0.
double worst_error(const Model& model, const std::vector<double>& exact, double kept = 0);
/// Six frequencies of a fixed disc of radius 0.4, speed 1: zeros of J0, J1, J2, J0.
extern const std::vector<double> fixed_drum;

/// The largest eigenvalue of M^-1 K, by 300 steps of the power method: from below.
double largest_eigenvalue_of(const Model& model, double kept);

}  // namespace wavesim::test
