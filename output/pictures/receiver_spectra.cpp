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

constexpr std::size_t most_peaks = 8;  // of a curve
constexpr double of_width = 0.02;      // how well the place of a peak is known, in parts of 1/T: spectrum.hpp

using Traces = std::vector<std::vector<double>>;

/// Up to a little above the highest frequency that has a two hundredth of the largest amplitude.
std::size_t kept_of(const std::vector<double>& amplitude) {
  const double least = *std::max_element(amplitude.begin(), amplitude.end()) / 200;
  std::size_t last = amplitude.size();
  while (last > 1 && amplitude[last - 1] < least) --last;
  return std::min(amplitude.size(), last + last / 8 + 2);
}

/// The highest of each curve first, and then the others, the higher first. What several curves have is written at the
/// highest of them alone.
std::vector<Plot::Note> notes_of(const ReceiverSpectra& r) {
  std::vector<Plot::Note> first, then;
  std::vector<bool> has(r.plot.curves.size(), false);
  std::vector<const ReceiverPeak*> highest_first;
  for (const ReceiverPeak& p : r.peaks) highest_first.push_back(&p);
  std::stable_sort(highest_first.begin(), highest_first.end(),
                   [](const ReceiverPeak* p, const ReceiverPeak* q) { return p->amplitude > q->amplitude; });
  std::vector<double> written;
  for (const ReceiverPeak* p : highest_first) {
    const Plot::Note note{p->frequency, p->amplitude, p->text, int(p->curve)};
    const bool known = std::any_of(written.begin(), written.end(),
                                   [&](double f) { return std::abs(f - p->frequency) < r.resolution / 2; });
    if (!has[p->curve])
      first.push_back(note);
    else if (!known)
      then.push_back(note);
    has[p->curve] = true;
    written.push_back(p->frequency);
  }
  first.insert(first.end(), then.begin(), then.end());
  return first;
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
  r.resolution = 1 / (time_step * double(traces.front().size()));
  const std::size_t kept = kept_of(mean.amplitude);
  const auto curve = [&](const std::string& name, const AmplitudeSpectrum& s) {
    for (const Peak& p : peaks_of(s, most_peaks))
      if (p.frequency < s.frequency[kept - 1])
        r.peaks.push_back({r.plot.curves.size(), p.frequency, p.amplitude,
                           frequency_text(p.frequency, of_width * r.resolution)});
    r.plot.curves.push_back({name,
                             {s.frequency.begin(), s.frequency.begin() + long(kept)},
                             {s.amplitude.begin(), s.amplitude.begin() + long(kept)}});
  };
  for (std::size_t k = 0; k < names.size(); ++k) curve(names[k], each[k]);
  if (names.empty()) curve("", mean);
  r.plot.notes = notes_of(r);
  r.plot.x_note = "1/T = " + frequency_text(r.resolution, of_width * r.resolution);
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
