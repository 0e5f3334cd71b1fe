#pragma once
// Numbers at axes and bars: round ticks, units of a fitting size, times as people say them.

#include <string>
#include <vector>

namespace wavesim {

/// 1, 2 or 5 times a power of ten, so that `length` has at most `most` such steps; 0 where there is none.
double tick_step(double length, int most);

/// The multiples of tick_step() in [low, high]; none where the ends are no numbers or cannot be told apart.
std::vector<double> round_ticks(double low, double high, int most);

/// A tick with as many decimals as the step needs: "0.20", "-1500" with the sign minus, "0".
std::string tick_label(double value, double step);

/// "10⁻⁵".
std::string power_of_ten(int exponent);

/// How a quantity is written: its value times `factor`, in `unit`.
struct Scale {
  double factor = 1;
  std::string unit;
  /// "pressure (kPa)"; the name alone without a unit.
  std::string label(const std::string& name) const;
};

/// The SI prefix that makes `largest` a short number: m is mm below 0.2 m, um below 1 mm, km from 5 km; s goes on
/// to min and h. A quantity without unit gets a power of 1000.
Scale scale_of(const std::string& unit, double largest);

/// "201 Hz", "50.2 mHz"; to four digits, or where `accuracy` (Hz) is given to the last digit that it leaves.
std::string frequency_text(double hertz, double accuracy = 0);

/// "80 µs", "2 h", "1 h 25 min", to four digits. `longest`: seconds; the unit below a minute is the one that fits it,
/// so that times of one series have one; 0: the one that fits this time.
std::string time_text(double seconds, double longest = 0);

}  // namespace wavesim
