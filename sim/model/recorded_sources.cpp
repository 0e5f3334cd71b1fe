#include "sim/model/recorded_sources.hpp"

#include <algorithm>
#include <cmath>

#include "sim/input/hdf5_array.hpp"
#include "sim/input/text.hpp"

namespace wavesim {

namespace {

/// Values at times, joined by straight lines; 0 before and after.
struct Samples1 : Signal {
  std::shared_ptr<const std::vector<double>> times;
  std::vector<double> values;
  double turn = 0;  // played backwards from here
  bool backwards = false;

  void fields(Section&) override {}
  double at(double t) const override {
    const double then = backwards ? turn - t : t;
    const std::vector<double>& all = *times;
    if (then < all.front() || then > turn || then > all.back()) return 0;
    const std::size_t k = std::size_t(std::upper_bound(all.begin(), all.end(), then) - all.begin());
    if (k == all.size()) return values.back();
    return values[k - 1] + (then - all[k - 1]) / (all[k] - all[k - 1]) * (values[k] - values[k - 1]);
  }
};

}  // namespace

std::vector<SourceConfig> recorded_sources(const RecordedConfig& c) {
  const auto read = [&](const char* name, bool column) {
    return read_hdf5_array(c.file.path, std::string("/wavesim/receivers/") + name, c.where, column);
  };
  const Hdf5Array places = read("positions", false), values = read("values", false),
                  times = read("times", true);
  const std::string file = c.file.path.string();
  const long samples = std::min(times.rows, values.rows);  // a killed run may have more of one
  if (places.columns != 2 || places.rows != values.columns)
    c.where.fail(file +
                 " is no result of this program: its receivers are not as they should be; name another file");
  for (long k = 0; k < samples; ++k)
    if (!std::isfinite(times.values[std::size_t(k)]) ||
        (k > 0 && !(times.values[std::size_t(k)] > times.values[std::size_t(k - 1)])))
      c.where.fail("the times of the receivers in " + file + " do not grow; name another result");
  if (!std::all_of(values.values.begin(), values.values.end(), [](double v) { return std::isfinite(v); }))
    c.where.fail("the receivers in " + file + " recorded what is not finite; name another result");
  const auto shared =
      std::make_shared<const std::vector<double>>(times.values.begin(), times.values.begin() + samples);
  std::vector<SourceConfig> all;
  for (long r = 0; r < places.rows; ++r) {
    const auto signal = std::make_shared<Samples1>();
    signal->where = c.where;
    signal->times = shared;
    signal->turn = c.end.value_or(shared->back());
    signal->backwards = c.backwards;
    for (long k = 0; k < samples; ++k)
      signal->values.push_back(c.scale * values.values[std::size_t(k * values.columns + r)]);
    SourceConfig& one = all.emplace_back();
    one.where = c.where;
    one.at = Place{{places.values[std::size_t(2 * r)], places.values[std::size_t(2 * r + 1)]}, {}};
    one.signal = signal;
  }
  return all;
}

}  // namespace wavesim
