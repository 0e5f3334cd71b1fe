#pragma once
// Samples in even steps of time, for what cannot do without.

#include <vector>

namespace wavesim {

struct EvenSeries {
  std::vector<double> time, value;
};

/// As they are where steps are even to a thousandth, else in as many even steps, cubic between the samples; what is no
/// number becomes 0. time: rising, two at least.
EvenSeries even_series(const std::vector<double>& time, const std::vector<double>& value);

}  // namespace wavesim
