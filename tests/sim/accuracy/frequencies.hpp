#pragma once
// Frequencies of a model: the least eigenvalues of K u = omega^2 M u.

#include <vector>

#include "sim/model/coefficients.hpp"

namespace wavesim::test {

/// The `count` least angular frequencies, rad/s, by subspace iteration with conjugate gradients; a frequency of 0
/// (free rims) is among them. `kept`: as of make_coefficients.
std::vector<double> frequencies(const Model& model, int count, double kept = 0);

/// The largest eigenvalue of M^-1 K, by 300 steps of the power method: from below.
double largest_eigenvalue_of(const Model& model, double kept);

}  // namespace wavesim::test
