// Lines of receivers as gathers, and the spectra of what they recorded.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <numbers>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/vtkhdf_writer.hpp"
#include "output/pictures/even_series.hpp"
#include "output/pictures/gather.hpp"
#include "output/pictures/receiver_spectra.hpp"
#include "output/pictures/result_plots.hpp"
#include "output/pictures/spectrum.hpp"
#include "output/pictures/ticks.hpp"
#include "output/segy/segy_file.hpp"
#include "tests/output/fresh_folder.hpp"
#include "tests/output/small_run.hpp"

namespace wavesim::testing {
namespace {

constexpr double pi = std::numbers::pi;

/// A result of receivers whose samples are value(receiver, time).
struct Recorded {
  FreshFolder folder;
  Recorded(const std::vector<ReceiverInfo>& receivers, const std::string& config,
           const std::function<double(std::size_t, double)>& value, int samples = 100, double step = 0.01) {
    RunInfo info = small_info(folder.path, 1);
    info.receivers = receivers;
    info.config = config;
    const auto writer = make_vtkhdf_writer();
    writer->begin(info);
    for (long n = 0; n < samples; ++n) {
      std::vector<double> values;
      for (std::size_t r = 0; r < receivers.size(); ++r) values.push_back(value(r, step * double(n)));
      writer->sample({n, step * double(n), values});
    }
    writer->finish({});
  }
  ResultReader result() const { return ResultReader(folder.path); }
};

std::vector<ReceiverInfo> line(const std::string& name, std::size_t count, double x, double y, double dx,
                               double dy) {
  std::vector<ReceiverInfo> all;
  for (std::size_t k = 0; k < count; ++k)
    all.push_back({name + "[" + std::to_string(k) + "]", x + double(k) * dx, y + double(k) * dy});
  return all;
}

const char* const one_source = "name: a\nmedium:\n  model: acoustic\nsources:\n  - {at: [500, 10]}\n";

TEST(Gathers, HoldEveryTraceOfALineByItsOffsetFromTheSource) {
  std::vector<ReceiverInfo> all = line("surface", 200, 100, 10, 5, 0);
  all.insert(all.begin() + 50, {"alone", 3, 4});
  const Recorded recorded(all, one_source, [](std::size_t r, double t) { return t * double(r); });
  const std::vector<ShotGather> gathers = gathers_of(recorded.result(), 0, 6);
  ASSERT_EQ(gathers.size(), 1u);
  const ShotGather& g = gathers[0];
  EXPECT_EQ(g.line, "surface");
  EXPECT_EQ(g.place_name, "offset");
  EXPECT_EQ(g.name, "pressure");
  ASSERT_EQ(g.traces.size(), 200u);
  EXPECT_NEAR(g.places.front(), -400, 1e-9);
  EXPECT_NEAR(g.places[80], 0, 1e-9);
  EXPECT_NEAR(g.places.back(), 595, 1e-9);
  EXPECT_NEAR(g.traces[60][50], 0.5 * 61, 1e-9);  // behind the receiver that is none of them
  EXPECT_EQ(receivers_apart(recorded.result().info().receivers, 6), std::vector<std::size_t>{50});
  const NamedFigures figures = receiver_figures(recorded.result());
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].first, "receivers");
  EXPECT_EQ(figures[1].first, "gather_surface");
}

TEST(Gathers, CountPlacesAlongAnAxisOrTheLineWithoutASingleSource) {
  const auto places = [](const std::vector<ReceiverInfo>& all, const char* config) {
    const Recorded recorded(all, config, [](std::size_t, double t) { return t; });
    const ShotGather g = gathers_of(recorded.result(), 0, 6).at(0);
    return std::pair{g.place_name, g.places.at(1)};
  };
  using P = std::pair<std::string, double>;
  EXPECT_EQ(places(line("a", 10, 100, 10, 5, 0), "name: a\n"), P("x", 105));
  EXPECT_EQ(places(line("a", 10, 100, 10, 0, 2), "name: a\n"), P("y", 12));
  EXPECT_EQ(places(line("a", 10, 100, 10, 3, 4), "name: a\n"), P("distance", 5));
  // A source far to the side of a well.
  EXPECT_EQ(places(line("a", 10, 100, 10, 0, 2), one_source), P("y", 12));
}

TEST(Gathers, MakeLateArrivalsVisibleByTheirGainAndClip) {
  // One sample in a hundred is large.
  const Recorded recorded(line("a", 10, 0, 0, 1, 0), "name: a\n", [](std::size_t, double t) {
    return std::abs(t - 0.1) < 1e-9 ? 100 : std::sin(40 * t);
  });
  const ShotGather plain = gathers_of(recorded.result(), 0, 6).at(0),
                   gained = gathers_of(recorded.result(), 2, 6).at(0);
  EXPECT_NEAR(plain.clip, 1, 0.04);
  EXPECT_TRUE(plain.clipped);
  EXPECT_NEAR(gained.traces[3][10], 100 * std::pow(0.1 / 0.99, 2), 1e-9);
  EXPECT_NEAR(gained.traces[3][99], plain.traces[3][99], 1e-9);
}

TEST(Gathers, HaveTimeDownwards) {
  // All is silent until the half of the time, then positive.
  const Recorded recorded(line("a", 10, 0, 0, 1, 0), "name: a\n",
                          [](std::size_t, double t) { return t < 0.495 ? 0 : 1; });
  const Canvas canvas = canvas_of(figure_of(gathers_of(recorded.result(), 0, 6).at(0)));
  const auto colour = [&](int y) {  // between two wiggles, from the top
    const std::uint8_t* p = canvas.row(canvas.height() - 1 - y) + 3 * (96 + 714 / 9 + 40);
    return Colour{p[0], p[1], p[2]};
  };
  EXPECT_EQ(colour(100), diverging_colour(0));
  EXPECT_EQ(colour(600), diverging_colour(1));
}

TEST(Gathers, OfManyReceiversWithNamesOfTheirOwnCountThem) {
  std::vector<ReceiverInfo> all;
  for (int r = 0; r < 9; ++r) all.push_back({std::string("berth ") + char('a' + r), double(r * r), 0});
  const Recorded recorded(all, "name: a\n", [](std::size_t, double) { return 0; });  // nothing has arrived
  const ShotGather g = gathers_of(recorded.result(), 1, 6).at(0);
  EXPECT_EQ(g.place_name, "receiver");
  EXPECT_EQ(g.places.back(), 8);
  ASSERT_EQ(g.names.size(), 9u);
  const std::string svg = svg_of(figure_of(g));
  for (const char* name : {">berth a</text>", ">berth i</text>"})
    EXPECT_NE(svg.find(name), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("e+"), std::string::npos);
  EXPECT_TRUE(receiver_spectra(recorded.result()).empty());
}

/// A colour of the gather's field, in parts of it.
Colour field_colour(const ShotGather& g, double part_x, double part_y) {
  const Canvas canvas = canvas_of(figure_of(g));
  const int x = 96 + int(part_x * 714), y = 48 + int(part_y * 500);
  const std::uint8_t* p = canvas.row(canvas.height() - 1 - y) + 3 * x;
  return {p[0], p[1], p[2]};
}

TEST(Gathers, DoNotInterpolateBetweenPlacesThatAreOnNoLine) {
  std::vector<ReceiverInfo> all;
  for (int r = 0; r < 8; ++r) all.push_back({std::string("place ") + char('a' + r), double(r), 0});
  const auto value = [](std::size_t r, double) { return r % 2 ? 1.0 : -1.0; };
  const Recorded apart(all, "name: a\n", value), on_a_line(line("a", 8, 0, 0, 1, 0), "name: a\n", value);
  const ShotGather columns = gathers_of(apart.result(), 0, 6).at(0),
                   one = gathers_of(on_a_line.result(), 0, 6).at(0);
  // Beside the edge of the third and the fourth column, and the left margin of the first.
  EXPECT_EQ(field_colour(columns, 3 / 8.0 - 0.01, 0.5), diverging_colour(-1));
  EXPECT_EQ(field_colour(columns, 3 / 8.0 + 0.01, 0.5), diverging_colour(1));
  EXPECT_NE(field_colour(one, 3 / 8.0 - 0.01, 0.5), diverging_colour(-1));
  EXPECT_EQ(field_colour(one, 0.005, 0.5), field_colour(one, 0.02, 0.5));  // the first trace, whole
  EXPECT_NEAR(field_colour(one, 0.005, 0.5)[2], diverging_colour(-1)[2], 4);
  EXPECT_TRUE(one.names.empty());
}

TEST(Gathers, OfADamagedFileAreDrawnOrLeftOut) {
  // Times that stand still, places and values that are no numbers, names that lead elsewhere and are no UTF-8.
  std::vector<ReceiverInfo> all = line("../\xff/a", 10, NAN, 0, 1, 0);
  const Recorded still(
      all, "name: a\n", [](std::size_t, double) { return 1.0; }, 20, 0);
  EXPECT_TRUE(receiver_figures(still.result()).empty());
  EXPECT_TRUE(receiver_spectra(still.result()).empty());
  const Recorded wild(all, "name: a\n", [](std::size_t r, double t) {
    return r == 3 ? NAN : t > 0.1 ? 1e308 : -1;
  });
  const NamedFigures figures = receiver_figures(wild.result(), 1);
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0].first, "gather_.._\x5f_a");
  svg_of(figures[0].second);
  EXPECT_EQ(canvas_of(figures[0].second, 200).width(), 200);
  EXPECT_EQ(pdf_of(figures[0].second).substr(0, 4), "%PDF");
}

TEST(EvenSeries, HoldsCubicsBetweenUnevenSamples) {
  const auto cubic = [](double t) { return 2 - t + 0.5 * t * t - 0.25 * t * t * t; };
  const std::vector<double> time{0, 1, 2.5, 3, 4.25, 6};
  std::vector<double> value;
  for (double t : time) value.push_back(cubic(t));
  const EvenSeries s = even_series(time, value);
  ASSERT_EQ(s.time.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(s.time[k], 1.2 * double(k), 1e-12);
    EXPECT_NEAR(s.value[k], cubic(s.time[k]), 1e-12) << k;
  }
  EXPECT_EQ(even_series({0, 1, 2}, {5, NAN, 6}).value, (std::vector<double>{5, 0, 6}));
  EXPECT_EQ(even_series({0, 1, 4}, {0, 1, 16}).value, (std::vector<double>{0, 4, 16}));
}

TEST(Spectra, HavePeaksAsHighAsTheSinesAndWhereTheyAre) {
  const double step = 1e-3;
  std::vector<double> values;
  for (int k = 0; k < 1000; ++k) {
    const double t = step * k;
    values.push_back(7 + 2 * std::sin(2 * pi * 50.3 * t) + 0.5 * std::sin(2 * pi * 120.7 * t + 1));
  }
  const std::vector<Peak> peaks = peaks_of(spectrum_of(step, values), 8);
  ASSERT_EQ(peaks.size(), 2u);
  EXPECT_NEAR(peaks[0].frequency, 50.3, 0.02);
  EXPECT_NEAR(peaks[0].amplitude, 2, 0.02);
  EXPECT_NEAR(peaks[1].frequency, 120.7, 0.02);
  EXPECT_NEAR(peaks[1].amplitude, 0.5, 0.01);
  EXPECT_EQ(peaks_of(spectrum_of(step, values), 1).size(), 1u);
  EXPECT_TRUE(spectrum_of(step, {1, 2, 3}).frequency.empty());
}

TEST(Spectra, NameTheModesThatReceiversHeard) {
  // One hears the first mode, the other the second.
  const Recorded recorded(
      {{"p", 0, 0}, {"q", 1, 0}}, "name: a\n",
      [](std::size_t r, double t) { return std::sin(2 * pi * (r == 0 ? 2000 : 5500) * t); }, 2000, 2e-5);
  const std::vector<ReceiverSpectra> spectra = receiver_spectra(recorded.result());
  ASSERT_EQ(spectra.size(), 1u);
  ASSERT_EQ(spectra[0].peaks.size(), 2u);
  EXPECT_NEAR(spectra[0].resolution, 25, 1e-9);
  const std::string svg = svg_of(figure_of(spectra[0].plot));
  const auto colour = [&](const std::string& text) {
    const std::size_t at = svg.find(">" + text + "</text>");
    const std::size_t fill = svg.rfind("fill=\"", at) + 6;
    return svg.substr(fill, 7);
  };
  EXPECT_EQ(colour("2000 Hz"), "#0072b2");
  EXPECT_EQ(colour("5.5 kHz"), "#d55e00");
  EXPECT_NE(svg.find(">1/T = 25 Hz</text>"), std::string::npos);
  for (const char* text :
       {">2000 Hz</text>", ">5.5 kHz</text>", ">p</text>", ">q</text>", ">frequency (kHz)</text>"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  // and the axis ends soon behind what is there, far below 25 kHz
  EXPECT_LT(spectra[0].plot.curves[0].x.back(), 8000);
}

TEST(Spectra, NameTheHighestPeakOfEachReceiver) {
  // Many weak peaks of one, which the mean has, too, and a strong one close to another's.
  const Recorded recorded(
      {{"many", 0, 0}, {"one", 1, 0}}, "name: a\n",
      [](std::size_t r, double t) {
        double v = 0;
        for (int k = 1; k <= 9; ++k) v += (10 - 0.5 * k) * std::sin(2 * pi * 500 * k * t);
        return r == 0 ? v : 0.5 * std::sin(2 * pi * 2060 * t);
      },
      2000, 2e-5);
  const ReceiverSpectra s = receiver_spectra(recorded.result()).at(0);
  ASSERT_EQ(s.peaks.size(), 9u);  // eight of one curve at most
  EXPECT_EQ(s.peaks[8].curve, 1u);
  EXPECT_NEAR(s.peaks[8].frequency, 2060, 2);
  ASSERT_GE(s.plot.notes.size(), 2u);
  EXPECT_EQ(s.plot.notes[0].text, "500 Hz");
  EXPECT_EQ(s.plot.notes[1].text, "2060 Hz");
  EXPECT_EQ(s.plot.notes[1].curve, 1);
  EXPECT_NE(svg_of(figure_of(s.plot)).find(">2060 Hz</text>"), std::string::npos);
}

TEST(Spectra, SayNoDigitsThatTheRecordDoesNotHold) {
  EXPECT_EQ(frequency_text(586.27, 0.4), "586 Hz");
  EXPECT_EQ(frequency_text(586.27, 0.02), "586.27 Hz");
  EXPECT_EQ(frequency_text(586.27, 5), "590 Hz");
  EXPECT_EQ(frequency_text(5863.2, 0.4), "5.863 kHz");
  EXPECT_EQ(frequency_text(2000, 0.5), "2000 Hz");
}

std::string refusal(const Recorded& recorded) {
  try {
    write_segy(recorded.result(), (recorded.folder.path / "a.segy").string());
  } catch (const InputError& e) {
    EXPECT_FALSE(std::filesystem::exists(recorded.folder.path / "a.segy"));
    return e.what();
  }
  return "";
}

TEST(Segy, RefusesWhatItsHeadersCannotHold) {
  const auto zero = [](std::size_t, double) { return 0.0; };
  const std::vector<ReceiverInfo> one{{"p", 1, 2}};
  if (!writes_segy()) {
    EXPECT_NE(refusal(Recorded(one, "name: a\n", zero)).find("install libsegyio-dev"), std::string::npos);
    return;
  }
  EXPECT_EQ(refusal(Recorded(one, "name: a\n", zero, 100, 1e-3)), "");
  for (const double step : {1e-7, 0.04, 1.01e-5})
    EXPECT_NE(refusal(Recorded(one, "name: a\n", zero, 1000, step)).find("whole microseconds"),
              std::string::npos)
        << step;
  EXPECT_NE(refusal(Recorded(one, "name: a\n", zero, 1)).find("two samples"), std::string::npos);
  EXPECT_NE(refusal(Recorded(one, "name: a\n", zero, 32768)).find("at most 32767"), std::string::npos);
}

TEST(Segy, HoldsPlacesAndOffsetsBigEndianBehindItsHeaders) {
  if (!writes_segy()) GTEST_SKIP() << "no segyio in this build";
  const Recorded recorded(
      line("a", 10, 100, 10, 50, 0), one_source, [](std::size_t r, double t) { return double(r) + t; }, 20,
      0.004);
  const std::filesystem::path path = recorded.folder.path / "a.segy";
  write_segy(recorded.result(), path.string());
  const std::string bytes = content(path);
  ASSERT_EQ(bytes.size(), 3600u + 10 * (240 + 4 * 20));
  const auto number = [&](std::size_t at, int size) {
    std::int32_t v = std::uint8_t(bytes[at]);
    if (v > 127) v -= 256;
    for (int k = 1; k < size; ++k) v = v * 256 + std::uint8_t(bytes[at + std::size_t(k)]);
    return v;
  };
  EXPECT_EQ(std::uint8_t(bytes[0]), 0xC3);  // the C of EBCDIC
  EXPECT_EQ(number(3216, 2), 4000);
  EXPECT_EQ(number(3220, 2), 20);
  EXPECT_EQ(number(3224, 2), 5);
  const std::size_t third = 3600 + 2 * 320;
  EXPECT_EQ(number(third + 70, 2), -1000);
  EXPECT_EQ(number(third + 72, 4), 500000);  // the source
  EXPECT_EQ(number(third + 80, 4), 200000);
  EXPECT_EQ(number(third + 84, 4), 10000);
  EXPECT_EQ(number(third + 36, 4), -300);
  EXPECT_EQ(std::bit_cast<float>(number(third + 240 + 4 * 5, 4)), 2.02f);
}

}  // namespace
}  // namespace wavesim::testing
