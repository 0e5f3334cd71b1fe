#include "output/pictures/spectrum.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace wavesim {

namespace {

/// Points between the frequencies that the series itself tells apart.
constexpr std::size_t finer = 4;

struct FreeMemory {
  void operator()(void* p) const { fftw_free(p); }
};

}  // namespace

AmplitudeSpectrum spectrum_of(double time_step, const std::vector<double>& values) {
  const std::size_t n = values.size(), padded = finer * n;
  constexpr std::size_t longest = std::size_t(1) << 28;  // of what FFTW counts by int
  if (n < 4 || n > longest || !(time_step > 0)) return {};
  const std::unique_ptr<double, FreeMemory> in(fftw_alloc_real(padded));
  const std::unique_ptr<fftw_complex, FreeMemory> out(fftw_alloc_complex(padded / 2 + 1));
  double mean = 0, weights = 0;
  for (double v : values) mean += v / double(n);
  std::fill_n(in.get(), padded, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const double weight = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (double(k) + 0.5) / double(n));
    in.get()[k] = weight * (values[k] - mean);
    weights += weight;
  }
  const fftw_plan plan = fftw_plan_dft_r2c_1d(int(padded), in.get(), out.get(), FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  AmplitudeSpectrum s;
  for (std::size_t k = 0; k <= padded / 2; ++k) {
    s.frequency.push_back(double(k) / (double(padded) * time_step));
    s.amplitude.push_back(2 / weights * std::hypot(out.get()[k][0], out.get()[k][1]));
  }
  return s;
}

std::vector<Peak> peaks_of(const AmplitudeSpectrum& s, std::size_t most, double least) {
  if (s.amplitude.size() < 3) return {};
  const std::vector<double>& a = s.amplitude;
  const double highest = *std::max_element(a.begin(), a.end());
  std::vector<Peak> peaks;
  for (std::size_t k = 1; k + 1 < a.size(); ++k) {
    if (!(a[k] > a[k - 1] && a[k] >= a[k + 1] && a[k] > least * highest)) continue;
    // On each side something lower before something higher.
    const auto dips = [&](long step) {
      for (long i = long(k) + step; i >= 0 && i < long(a.size()); i += step) {
        if (a[std::size_t(i)] < 0.7 * a[k]) return true;
        if (a[std::size_t(i)] > a[k]) return false;
      }
      return false;
    };
    if (!dips(-1) || !dips(1)) continue;
    const double low = std::log(a[k - 1]), mid = std::log(a[k]), high = std::log(a[k + 1]);
    const double bend = low - 2 * mid + high, shift = bend < 0 ? 0.5 * (low - high) / bend : 0;
    peaks.push_back({s.frequency[k] + shift * (s.frequency[1] - s.frequency[0]),
                     std::exp(mid - 0.25 * (low - high) * shift)});
  }
  std::sort(peaks.begin(), peaks.end(),
            [](const Peak& p, const Peak& q) { return p.amplitude > q.amplitude; });
  if (peaks.size() > most) peaks.resize(most);
  return peaks;
}

}  // namespace wavesim
