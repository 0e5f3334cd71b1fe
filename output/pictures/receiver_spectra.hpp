#pragma once
// Which frequencies receivers heard.

#include <string>
#include <vector>

#include "output/hdf5/result_reader.hpp"
#include "output/pictures/plot.hpp"
#include "output/pictures/spectrum.hpp"

namespace wavesim {

struct ReceiverSpectra {
  std::string name;         // of the line; empty: of those that stand alone
  Plot plot;                // its peaks are named
  std::vector<Peak> peaks;  // of the root of the mean square, the highest first
};

/// One for the receivers that stand alone, a curve each, and one for each line of gather.hpp: the root of the mean square
/// of its spectra. None where there are less than four samples or nothing has arrived.
std::vector<ReceiverSpectra> receiver_spectra(const ResultReader& result);

}  // namespace wavesim
