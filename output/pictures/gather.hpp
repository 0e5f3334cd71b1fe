#pragma once
// What a line of receivers recorded, as seismics reads it: time downwards, places across, every trace as a column of
// colours, and wiggles on some of them.

#include <cmath>
#include <string>
#include <vector>

#include "output/hdf5/result_reader.hpp"
#include "output/pictures/figure.hpp"

namespace wavesim {

struct ShotGather {
  std::string line, title;
  std::string place_name, place_unit;       // "offset" in "m"
  std::vector<double> places;               // of the traces, rising in even steps
  std::vector<double> time;                 // seconds, in even steps
  std::vector<std::vector<double>> traces;  // a series each
  std::string name, unit;                   // of the values
  double gain = 0;                          // the power of t that they are multiplied by, 1 at the end
  double clip = 1;                          // where colours end
  bool clipped = false;                     // whether there are values beyond
  double low = HUGE_VAL, high = -HUGE_VAL;  // of the values
  std::vector<std::string> names = {};      // of receivers that are on no line, a column each; empty: a line
};

/// Receivers that are curves on one plot; more are a gather.
inline constexpr std::size_t most_curves = 6;

/// A gather for each line of more than `least` receivers, and one of all that are not on such a line if they are more.
/// `gain`: the power of t that makes late arrivals visible; 0: none.
std::vector<ShotGather> gathers_of(const ResultReader& result, double gain, std::size_t least);

/// The receivers that are on none of these.
std::vector<std::size_t> receivers_apart(const std::vector<ReceiverInfo>& receivers, std::size_t least);

Figure figure_of(const ShotGather& gather);

}  // namespace wavesim
