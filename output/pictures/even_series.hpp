#pragma once
// Samples in even steps of time, for what cannot do without.

#include <vector>

namespace wavesim {

struct EvenSeries {
  std::vector<double> time, value;
};

/// Whether there are two times at least, each later than the one before: not so in a damaged file.
bool rises(const std::vector<double>& time);

/// As they are where steps are even to a thousandth, else in as many even steps, cubic between the samples; what is no
/// number becomes 0. time: rises().
EvenSeries even_series(const std::vector<double>& time, const std::vector<double>& value);

}  // namespace wavesim
