// The list of signals: a new one is its own file and a line here.
#include "sim/signals/signal.hpp"

namespace wavesim {

Kind<Signal> ricker_kind();
Kind<Signal> sinusoid_kind();
Kind<Signal> gaussian_pulse_kind();
Kind<Signal> expression_signal_kind();
Kind<Signal> table_kind();

template <>
const std::vector<Kind<Signal>>& kinds<Signal>() {
  static const std::vector<Kind<Signal>> all{ricker_kind(), sinusoid_kind(), gaussian_pulse_kind(),
                                             expression_signal_kind(), table_kind()};
  return all;
}

template <>
std::string_view family<Signal>() {
  return "signal";
}

}  // namespace wavesim
