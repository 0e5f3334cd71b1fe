#include "output/pictures/receiver_spectra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/pictures/even_series.hpp"
#include "output/pictures/gather.hpp"
#include "output/pictures/scene.hpp"
#include "output/pictures/ticks.hpp"

namespace wavesim {

namespace {

constexpr std::size_t most_peaks = 8;

using Traces = std::vector<std::vector<double>>;

/// Up to a little above the highest frequency that has a two hundredth of the largest amplitude.
std::size_t kept_of(const std::vector<double>& amplitude) {
  const double least = *std::max_element(amplitude.begin(), amplitude.end()) / 200;
  std::size_t last = amplitude.size();
  while (last > 1 && amplitude[last - 1] < least) --last;
  return std::min(amplitude.size(), last + last / 8 + 2);
}

/// A curve of each trace where they have names, else of their mean. Without peaks where there is nothing but zeros.
ReceiverSpectra spectra_of(const Traces& traces, double time_step, const std::vector<std::string>& names) {
  std::vector<AmplitudeSpectrum> each;
  for (const std::vector<double>& trace : traces) each.push_back(spectrum_of(time_step, trace));
  AmplitudeSpectrum mean{each.front().frequency, std::vector<double>(each.front().frequency.size(), 0.0)};
  for (const AmplitudeSpectrum& s : each)
    for (std::size_t k = 0; k < s.amplitude.size(); ++k)
      mean.amplitude[k] += s.amplitude[k] * s.amplitude[k] / double(each.size());
  for (double& a : mean.amplitude) a = std::sqrt(a);
  ReceiverSpectra r;
  r.peaks = peaks_of(mean, most_peaks);
  const std::size_t kept = kept_of(mean.amplitude);
  const auto curve = [&](const std::string& name, const AmplitudeSpectrum& s) {
    r.plot.curves.push_back({name,
                             {s.frequency.begin(), s.frequency.begin() + long(kept)},
                             {s.amplitude.begin(), s.amplitude.begin() + long(kept)}});
  };
  for (std::size_t k = 0; k < names.size(); ++k) curve(names[k], each[k]);
  if (names.empty()) curve("", mean);
  for (const Peak& p : r.peaks) {
    const auto at = std::min(kept - 1, std::size_t(std::lround(p.frequency / mean.frequency[1])));
    double high = 0;
    for (const Curve& c : r.plot.curves) high = std::max(high, c.y[at]);
    r.plot.notes.push_back({p.frequency, high, frequency_text(p.frequency)});
  }
  return r;
}

}  // namespace

std::vector<ReceiverSpectra> receiver_spectra(const ResultReader& result) {
  const ReceiverSeries series = result.receivers();
  if (series.time.size() < 4 || !rises(series.time)) return {};
  const std::vector<ReceiverInfo>& all = result.info().receivers;
  const std::string model = model_of(result.info().config);
  const double step = (series.time.back() - series.time.front()) / double(series.time.size() - 1);
  std::vector<ReceiverSpectra> spectra;
  const auto add = [&](const std::string& line, const Traces& traces, const std::vector<std::string>& names) {
    ReceiverSpectra s = spectra_of(traces, step, names);
    if (s.peaks.empty()) return;  // nothing has arrived
    s.name = line;
    s.plot.title = !names.empty()
                       ? (names.size() == 1 ? "Spectrum of " + names.front() : "Spectra of the receivers")
                       : "Mean spectrum of " + line;
    s.plot.x_name = "frequency", s.plot.x_unit = "Hz";
    s.plot.y_name = name_of("displacement", model), s.plot.y_unit = unit_of("displacement", model);
    s.plot.from_zero = true;
    spectra.push_back(std::move(s));
  };
  const std::vector<std::size_t> apart = receivers_apart(all, most_curves);
  if (!apart.empty() && apart.size() <= most_curves) {
    Traces traces;
    std::vector<std::string> names;
    for (std::size_t r : apart)
      traces.push_back(even_series(series.time, series.values[r]).value), names.push_back(all[r].name);
    add("", traces, names);
  }
  for (const ShotGather& g : gathers_of(result, 0, most_curves))
    add(g.line.empty() ? "all receivers" : g.line, g.traces, {});
  return spectra;
}

}  // namespace wavesim
