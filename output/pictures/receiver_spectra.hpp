#pragma once
// Which frequencies receivers heard.

#include <string>
#include <vector>

#include "output/hdf5/result_reader.hpp"
#include "output/pictures/plot.hpp"
#include "output/pictures/spectrum.hpp"

namespace wavesim {

struct ReceiverPeak {
  std::size_t curve;            // of the plot
  double frequency, amplitude;  // Hz; in the unit of the plot
  std::string text;             // the frequency, to what its accuracy leaves
};

struct ReceiverSpectra {
  std::string name;                 // of the line; empty: of those that stand alone
  Plot plot;                        // its peaks are named
  std::vector<ReceiverPeak> peaks;  // of each curve, the highest first
  double resolution = 0;            // Hz: one over the duration
};

/// One for the receivers that stand alone, a curve each, and one for each line of gather.hpp: the root of the mean square
/// of its spectra. None where there are less than four samples or nothing has arrived.
std::vector<ReceiverSpectra> receiver_spectra(const ResultReader& result);

}  // namespace wavesim
