#pragma once
// Amplitudes by frequency, and the peaks among them.

#include <vector>

namespace wavesim {

struct AmplitudeSpectrum {
  std::vector<double> frequency, amplitude;  // Hz; in the unit of the values
};

/// Of a series in even steps without its mean: a sine of amplitude a over the whole series is a peak of height a, as wide
/// as two over the duration (a Hann window). At least 4 samples, else empty.
AmplitudeSpectrum spectrum_of(double time_step, const std::vector<double>& values);

struct Peak {
  double frequency, amplitude;
};

/// The highest first: local maxima above `least` of the highest, with dips to less than 0.7 of them on both sides. Where
/// they are to a hundredth of the width of a peak: a parabola through the logarithms.
std::vector<Peak> peaks_of(const AmplitudeSpectrum& spectrum, std::size_t most, double least = 0.05);

}  // namespace wavesim
