#include <gtest/gtest.h>
#include <stdlib.h>
#include <zlib.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "kernels/backend/errors.hpp"
#include "output/hdf5/vtkhdf_writer.hpp"
#include "output/pages/html_report.hpp"
#include "output/pictures/contact_sheet.hpp"
#include "output/pictures/movie.hpp"
#include "output/pictures/picture.hpp"
#include "output/pictures/picture_writer.hpp"
#include "output/pictures/png_file.hpp"
#include "output/pictures/render.hpp"
#include "output/pictures/result_plots.hpp"
#include "tests/output/fresh_folder.hpp"
#include "tests/output/small_run.hpp"

namespace wavesim::testing {
namespace {

double grey(const Colour& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

TEST(ColourMaps, AreLighterFromStepToStepOrDarkerToBothSides) {
  for (const ColourMap& map : colour_maps()) {
    const int half = int(map.colours.size() / 2);
    EXPECT_EQ(find_colour_map(map.name), &map);
    for (int k = 0; k < half; ++k) {
      const auto at = [&](int i) { return grey(map.colours[std::size_t(i)]); };
      if (map.diverging) {
        EXPECT_GE(at(half + k) + 0.8, at(half + k + 1)) << map.name << k;
        EXPECT_GE(at(half - k) + 0.8, at(half - k - 1)) << map.name << k;
      } else {
        EXPECT_LE(at(2 * k), at(2 * k + 2) + 0.8) << map.name << k;
      }
    }
  }
  EXPECT_EQ(find_colour_map("rainbow"), nullptr);
}

TEST(Png, HoldsThePixelsFromTheTopRowDown) {
  const std::size_t width = 3, height = 130;
  std::vector<std::uint8_t> rgb;
  for (std::size_t k = 0; k < 3 * width * height; ++k) rgb.push_back(std::uint8_t(k * 7 + k / 50));
  const std::string png = png_of(rgb, width, height);
  ASSERT_EQ(png.substr(1, 3), "PNG");
  const auto number = [&](std::size_t at) {
    std::uint32_t v = 0;
    for (std::size_t k = 0; k < 4; ++k) v = v << 8 | std::uint8_t(png[at + k]);
    return v;
  };
  EXPECT_EQ(number(16), width);
  EXPECT_EQ(number(20), height);
  const std::size_t idat = png.find("IDAT");
  const uLong size = number(idat - 4);
  EXPECT_EQ(number(idat + 4 + size), crc32(0, reinterpret_cast<const Bytef*>(&png[idat]), uInt(size + 4)));
  std::vector<std::uint8_t> rows(height * (3 * width + 1));
  uLongf length = rows.size();
  ASSERT_EQ(uncompress(rows.data(), &length, reinterpret_cast<const Bytef*>(&png[idat + 4]), size), Z_OK);
  ASSERT_EQ(length, rows.size());
  std::vector<std::uint8_t> before(3 * width, 0);
  for (std::size_t row = 0; row < height; ++row) {
    const std::uint8_t* in = &rows[row * (3 * width + 1)];
    for (std::size_t k = 0; k < 3 * width; ++k) {
      before[k] = std::uint8_t(in[1 + k] + (in[0] == 2 ? before[k] : 0));
      ASSERT_EQ(before[k], rgb[(height - 1 - row) * 3 * width + k]);
    }
  }
}

/// A finished run of `frames` small frames with receivers, history and energy.
void write_result(const std::filesystem::path& folder, long frames, RunSummary summary = {}) {
  const auto writer = make_vtkhdf_writer();
  RunInfo info = small_info(folder, frames);
  info.config = "name: small\nsources:\n  - {at: [0.0, 1.0], ricker: {frequency: 1}}\nnote: <b>\n";
  writer->begin(info);
  for (long n = 0; n < 10 * frames; ++n)
    writer->step(small_record(n)), writer->sample(small_receiver_sample(n));
  for (long n = 0; n < frames; ++n) writer->frame(small_frame(n));
  summary.complete = summary.ending.empty();
  if (summary.complete) summary.ending = "done";
  writer->finish(summary);
}

TEST(ResultReader, GivesBackWhatWasWritten) {
  const FreshFolder folder;
  write_result(folder.path, 4);
  const ResultReader result(folder.path);
  EXPECT_TRUE(result.complete());
  EXPECT_EQ(result.info().name, "small");
  EXPECT_EQ(result.info().nx, small_nx);
  EXPECT_EQ(result.info().origin[0], -1);
  EXPECT_EQ(result.info().facts.at("device"), "a CPU");
  ASSERT_EQ(result.frames().size(), 4u);
  EXPECT_EQ(result.frames()[3].step, 30);
  EXPECT_EQ(result.frames()[3].time, small_time(3));
  std::vector<float> values;
  result.read("velocity", 2, values);
  EXPECT_EQ(values[small_nx + 3], float(-small_value(2, 3, 1)));
  EXPECT_EQ(result.quantities(), (std::vector<std::string>{"displacement", "velocity", "speed"}));
  EXPECT_EQ(result.history().iterations[6], 6);
  EXPECT_EQ(result.history().status[6], "converged");
  EXPECT_EQ(result.receivers().values[1][7], small_sample(7, 1));
  EXPECT_EQ(result.receivers().time.size(), 40u);
  EXPECT_GT(result.energy().value.size(), 3u);
}

TEST(ResultReader, CountsTheFrameThatStandsForTwoOnce) {
  const FreshFolder folder;
  write_result(folder.path, 1);
  EXPECT_EQ(ResultReader(folder.path / "small.vtkhdf").frames().size(), 1u);
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(ResultReader, RefusesWhatIsNoResult) {
  const FreshFolder folder;
  EXPECT_NE(refusal([&] { ResultReader r(folder.path); }).find("holds no result"), std::string::npos);
  EXPECT_NE(refusal([&] { ResultReader r(folder.path / "x.h5"); }).find("there is no such result"),
            std::string::npos);
  std::ofstream(folder.path / "x.h5") << "text";
  EXPECT_NE(refusal([&] { ResultReader r(folder.path); }).find("is no result of wavesim"), std::string::npos);
}

TEST(Render, ChoosesFramesByTimeAndNumber) {
  const FreshFolder folder;
  write_result(folder.path, 9);
  const ResultReader result(folder.path);
  RenderPlan plan;
  plan.every = 2;
  plan.from = 0.25;
  plan.to = 1.75;
  EXPECT_EQ(chosen_frames(result, plan), (std::vector<std::size_t>{1, 3, 5, 7}));
  plan.from = 50;
  EXPECT_NE(refusal([&] { chosen_frames(result, plan); }).find("its times are 0 to 2 s"), std::string::npos);
  plan.from.reset();
  plan.look.quantity = "velocty";
  EXPECT_NE(refusal([&] { chosen_frames(result, plan); }).find("did you mean 'velocity'?"),
            std::string::npos);
  EXPECT_EQ(spread({0, 1, 2, 3, 4, 5, 6, 7, 8}, 3), (std::vector<std::size_t>{0, 4, 8}));
  EXPECT_EQ(spread({5, 6}, 3), (std::vector<std::size_t>{5, 6}));
}

TEST(Render, MakesTheSamePicturesAsTheRunDoes) {
  const FreshFolder folder;
  write_result(folder.path, 3);
  PicturesOutput look;
  look.width = 200;
  look.range = 250;
  const auto during = make_picture_writer(look);
  RunInfo info = small_info(folder.path, 3);
  info.config = "sources:\n  - {at: [0, 1]}\n";
  during->begin(info);
  for (long n = 0; n < 3; ++n) during->picture(small_frame(n));
  during->finish({});
  RenderPlan plan;
  plan.look = look;
  plan.pictures = true;
  plan.folder = (folder.path / "after").string();
  render(ResultReader(folder.path), plan);
  for (const char* name : {"small_000000.png", "small_000010.png", "small_000020.png"}) {
    EXPECT_FALSE(content(folder.path / "after" / name).empty()) << name;
    EXPECT_EQ(content(folder.path / "after" / name), content(folder.path / "pictures" / name)) << name;
  }
}

TEST(Render, MarksSourcesAndReceivers) {
  PicturesOutput look;
  look.width = 200;
  RunInfo info = small_info(".", 1);
  info.config = "sources:\n  - {at: [0, 1]}\n";
  const Scene scene = scene_of(info);
  ASSERT_EQ(scene.marks.size(), 3u);
  EXPECT_TRUE(scene.marks[2].source);
  EXPECT_EQ(scene.marks[2].y, 1);
  const std::vector<float> zeros(small_nx * small_ny, 0);
  std::string seen[2];
  for (const bool marks : {false, true}) {
    look.marks = marks;
    Picture picture(scene, look);
    seen[marks] = picture.draw(picture.field().sample(zeros), 0, 1).png();
  }
  EXPECT_NE(seen[0], seen[1]);
}

/// The middle of the dark pixels, in parts of the field.
std::pair<double, double> mark_at(const FieldPainter& field, double time) {
  Canvas canvas(field.width(), field.height(), {});
  const std::vector<float> zeros(std::size_t(small_nx) * small_ny, 0);
  field.paint(canvas, 0, 0, field.sample(zeros), 1, time);
  double x = 0, y = 0, dark = 0;
  for (int j = 0; j < canvas.height(); ++j)
    for (int i = 0; i < canvas.width(); ++i)
      if (canvas.row(j)[3 * i] < 100) x += i + 0.5, y += j + 0.5, ++dark;
  return {x / dark / canvas.width(), y / dark / canvas.height()};
}

TEST(Render, MarksSourcesThatMoveWhereTheyAre) {
  RunInfo info = small_info(".", 1);
  info.receivers.clear();
  info.config =
      "parameters:\n  v: 0.5\nsources:\n  - {name: car, at: {x: \"-1 + v * t\", y: \"t > 3 ? 1e9 : 0.5\"}}\n";
  Scene scene = scene_of(info);
  EXPECT_TRUE(scene.marks.empty());
  ASSERT_EQ(scene.moving.size(), 1u);
  EXPECT_EQ(scene.only_source(), nullptr);
  scene.inside = scene.rim = scene.speed = Values();
  scene.origin[0] = scene.origin[1] = -1;
  scene.spacing[0] = 4.0 / (small_nx - 1), scene.spacing[1] = 2.0 / (small_ny - 1);
  const FieldPainter field(scene, {}, 400, 200);
  for (const double t : {1.0, 2.0}) {
    const auto [x, y] = mark_at(field, t);
    EXPECT_NEAR(x, 0.5 * t / 4, 0.01) << t;
    EXPECT_NEAR(y, 1.5 / 2, 0.01) << t;
  }
  EXPECT_TRUE(std::isnan(mark_at(field, 4).first));  // outside
}

TEST(Render, MarksThePlacesOfARecording) {
  const FreshFolder folder;
  write_result(folder.path, 1);
  RunInfo info = small_info(".", 1);
  info.receivers.clear();
  info.config = "sources:\n  - {name: mirror, recorded: {file: " + (folder.path / "small.vtkhdf").string() +
                ", backwards: true}}\n  - {at: [0, 1]}\n";
  const std::vector<Mark> marks = scene_of(info).marks;
  const std::vector<ReceiverInfo> places = small_info(".", 1).receivers;
  ASSERT_EQ(marks.size(), places.size() + 1);
  for (std::size_t k = 0; k < places.size(); ++k) {
    EXPECT_TRUE(marks[k].source);
    EXPECT_EQ(marks[k].x, places[k].x);
    EXPECT_EQ(marks[k].y, places[k].y);
  }
  std::filesystem::remove(folder.path / "small.vtkhdf");
  EXPECT_EQ(scene_of(info).marks.size(), 1u);  // the one that has a place of its own
}

TEST(Render, NamesTheUnitOfTheMedium) {
  EXPECT_EQ(model_of("name: a\nmedium:\n  model: acoustic\n"), "acoustic");
  EXPECT_EQ(model_of("name: a\n"), "membrane");
  EXPECT_EQ(unit_of("displacement", "acoustic"), "Pa");
  EXPECT_EQ(unit_of("velocity", "acoustic"), "Pa/s");
  EXPECT_EQ(unit_of("max-displacement", "shallow-water"), "m");
  EXPECT_EQ(unit_of("energy-density", "membrane"), "J/m\u00b2");
  EXPECT_EQ(unit_of("energy-density", "acoustic"), "");
}

/// Pixel of the field at (part_x, part_y) of its box.
Colour pixel(Canvas& canvas, const FieldPainter& field, double part_x, double part_y) {
  const std::uint8_t* p = canvas.row(int(part_y * field.height())) + 3 * int(part_x * field.width());
  return {p[0], p[1], p[2]};
}

TEST(Render, ShowsTheMediumBeneathTheFieldAndTheMaskBesideIt) {
  Scene scene;
  scene.nx = scene.ny = 40;
  std::vector<float> speed;
  std::vector<std::uint8_t> inside;
  for (int k = 0; k < 1600; ++k) {
    speed.push_back(k % 40 < 20 ? 1.f : 2.f);
    inside.push_back(k / 40 < 30);
  }
  scene.speed = speed, scene.inside = inside;
  PicturesOutput look;
  const FieldPainter field(scene, look, 80, 80);
  Canvas canvas(80, 80, {1, 2, 3});
  field.paint(canvas, 0, 0, field.sample(std::vector<float>(1600, 0)), 1);
  const Colour slow = pixel(canvas, field, 0.1, 0.1), fast = pixel(canvas, field, 0.9, 0.1);
  EXPECT_NEAR(slow[0], 0.8 * fast[0], 2);
  EXPECT_EQ(fast, diverging_colour(0));
  EXPECT_EQ(pixel(canvas, field, 0.5, 0.95), (Colour{158, 158, 158}));
}

TEST(Render, TurnsYAroundAndTakesTheColoursOfTheRange) {
  Scene scene;
  scene.nx = scene.ny = 20;
  std::vector<float> values;
  for (int k = 0; k < 400; ++k) values.push_back(k < 200 ? -1.f : 1.f);
  for (const char* y : {"up", "down"}) {
    PicturesOutput look;
    look.y = y;
    const FieldPainter field(scene, look, 40, 40);
    Canvas canvas(40, 40, {});
    const Image image = field.sample(values);
    EXPECT_NEAR(field.range(image), 1, 1e-6);
    field.paint(canvas, 0, 0, image, 2);
    const bool up = std::string(y) == "up";
    EXPECT_EQ(pixel(canvas, field, 0.5, 0.1), diverging_colour(up ? -0.5 : 0.5));
    EXPECT_EQ(pixel(canvas, field, 0.5, 0.9), diverging_colour(up ? 0.5 : -0.5));
  }
}

TEST(Render, DrawsValuesThatAreNoNumberInAColourOfTheirOwn) {
  Scene scene;
  scene.nx = scene.ny = 8;
  PicturesOutput look;
  look.quantity = "arrival-time";
  const FieldPainter field(scene, look, 16, 16);
  Canvas canvas(16, 16, {});
  field.paint(canvas, 0, 0, field.sample(std::vector<float>(64, NAN)), 1);
  EXPECT_EQ(pixel(canvas, field, 0.5, 0.5), (Colour{225, 225, 225}));
}

#ifdef WAVESIM_HAVE_VTK
TEST(Render, MakesAFilmThroughVtk) {
  const FreshFolder folder;
  write_result(folder.path, 5);
  RenderPlan plan;
  plan.look.width = 160;
  plan.movie = "ogv";
  plan.folder = folder.path.string();
  const std::vector<std::string> files = render(ResultReader(folder.path), plan);
  ASSERT_EQ(files, std::vector<std::string>{(folder.path / "small.ogv").string()});
  const std::string film = content(folder.path / "small.ogv");
  EXPECT_EQ(film.substr(0, 4), "OggS");
  EXPECT_NE(film.find("theora"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.path / "small.ogv.partial"));
}
#endif

/// PATH with a program `ffmpeg` that does what `script` says, and nothing else.
struct FakeFfmpeg {
  FakeFfmpeg(const std::filesystem::path& folder, const std::string& script) {
    if (const char* const path = getenv("PATH")) before = path;
    if (!script.empty()) {
      std::ofstream(folder / "ffmpeg") << "#!/bin/sh\nPATH=/usr/bin:/bin\n" << script;
      std::filesystem::permissions(folder / "ffmpeg", std::filesystem::perms::owner_all);
    }
    setenv("PATH", folder.c_str(), 1);
  }
  ~FakeFfmpeg() { setenv("PATH", before.c_str(), 1); }
  std::string before;
};

TEST(Render, GivesRawPicturesToFfmpegAndRefusesItsFormatsWithoutIt) {
  const FreshFolder folder, programs;
  write_result(folder.path, 5);
  RenderPlan plan;
  plan.look.width = 160;
  plan.folder = folder.path.string();
  {
    const FakeFfmpeg none(programs.path, "");
#ifdef WAVESIM_HAVE_VTK
    EXPECT_EQ(movie_format("auto"), "ogv");
    EXPECT_NE(refusal([] { movie_format("mp4"); }).find("take --movie ogv"), std::string::npos);
#else
    for (const char* format : {"auto", "mp4"})
      EXPECT_NE(refusal([&] { movie_format(format); }).find("install it"), std::string::npos) << format;
    EXPECT_NE(refusal([] { movie_format("ogv"); }).find("libvtk9-dev"), std::string::npos);
#endif
    EXPECT_NE(refusal([] { movie_format("gif"); }).find("auto, mp4, webm, ogv"), std::string::npos);
  }
  {
    const FakeFfmpeg fake(programs.path, "for last; do :; done; cat > \"$last\"; echo \"$@\" > " +
                                             (programs.path / "words").string() + "\n");
    EXPECT_EQ(movie_format("auto"), "mp4");
    plan.movie = movie_format("webm");
    render(ResultReader(folder.path), plan);
    const std::string words = content(programs.path / "words");
    const auto size = words.find("-s 160x");
    ASSERT_NE(size, std::string::npos) << words;
    const long height = std::stol(words.substr(size + 7));
    const std::string film = content(folder.path / "small.webm");
    ASSERT_EQ(film.size(), std::size_t(5 * 3 * 160 * height));
    // The frames in their order: the values rise from one to the next, so blue fades.
    double before = 1e9;
    for (std::size_t k = 0; k < 5; ++k) {
      double blue = 0;
      for (std::size_t at = 2; at < film.size() / 5; at += 3)
        blue += std::uint8_t(film[k * film.size() / 5 + at]);
      EXPECT_LT(blue, before) << k;
      before = blue;
    }
  }
  {
    const FakeFfmpeg broken(programs.path, "exit 1\n");
    std::filesystem::remove(folder.path / "small.webm");
    EXPECT_THROW(render(ResultReader(folder.path), plan), OutputError);
    EXPECT_FALSE(std::filesystem::exists(folder.path / "small.webm"));
    EXPECT_FALSE(std::filesystem::exists(folder.path / "small.webm.partial"));
  }
}

TEST(Render, MakesAContactSheet) {
  const FreshFolder folder;
  write_result(folder.path, 9);
  RenderPlan plan;
  plan.look.width = 400;
  plan.sheet = 4;
  plan.folder = folder.path.string();
  const std::vector<std::string> files = render(ResultReader(folder.path), plan);
  ASSERT_EQ(files, std::vector<std::string>{(folder.path / "small_sheet.png").string()});
  EXPECT_EQ(content(folder.path / "small_sheet.png").substr(1, 3), "PNG");
  EXPECT_EQ(sheet_of(ResultReader(folder.path), plan, 4).width(), 400);
}

TEST(Render, DrawsAScaleBarOnAContactSheet) {
  Scene scene;
  scene.name = "lens";
  scene.nx = 81, scene.ny = 61;
  scene.spacing[0] = scene.spacing[1] = 0.01;  // 0.8 m wide
  PicturesOutput look;
  look.width = 800;
  const std::vector<Tile> tiles(4, {0, std::vector<float>(81 * 61, 0)});
  const Canvas sheet = contact_sheet(scene, look, tiles);
  // Of 4 frames in 2 columns: letters 13, a gap of 8, room of 98 for the colour bar.
  const int frame = (800 - 98 - 3 * 8) / 2;
  int longest = 0;
  for (int y = sheet.height() - 30; y < sheet.height(); ++y)
    for (int x = 0, run = 0; x < sheet.width(); ++x) {
      run = sheet.row(y)[3 * x] < 60 ? run + 1 : 0;
      longest = std::max(longest, run);
    }
  EXPECT_NEAR(longest, 0.2 / 0.8 * frame, 1);
  // For a phone: letters twice as large.
  EXPECT_GT(contact_sheet(scene, look, tiles, 2).png().size(), 0u);
  EXPECT_EQ(contact_sheet(scene, look, std::vector<Tile>(9, tiles[0]), 2).width(), 800);
  EXPECT_GT(contact_sheet(scene, look, std::vector<Tile>(9, tiles[0]), 2).height(), 1000);  // five rows
}

TEST(Render, MakesAContactSheetOfATallDomainAndOfOneRow) {
  Scene scene;
  scene.nx = 2, scene.ny = 3;
  scene.spacing[1] = 1e9;
  EXPECT_LT(contact_sheet(scene, {}, {{0, std::vector<float>(6, 1.0f)}}).height(), 3000);
  scene.nx = 1, scene.ny = 6;
  EXPECT_LT(contact_sheet(scene, {}, {{0, std::vector<float>(6, 1.0f)}}).height(), 3000);
  scene.spacing[0] = NAN;
  EXPECT_LT(contact_sheet(scene, {}, {{0, std::vector<float>(6, 1.0f)}}).height(), 3000);
}

TEST(Plots, HaveAPointForEachValueAndAGapForEachThatIsNoNumber) {
  Plot plot{.title = "a < b",
            .x_name = "t",
            .y_name = "u",
            .curves = {{"one", {0, 1, 2, 3, 4}, {0, 1, NAN, 3, 4}}}};
  const std::string svg = svg_of(figure_of(plot));
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = svg.find("stroke=\"#0072b2\"", at)) != std::string::npos; ++at) ++lines;
  EXPECT_EQ(lines, 2u);
  EXPECT_EQ(svg_of(figure_of(plot), false).find("<rect"), std::string::npos);
  EXPECT_NE(svg.find("<rect"), std::string::npos);
}

TEST(Plots, OfLongSeriesKeepTheirPeaks) {
  Plot plot;
  plot.curves = {{"one", {}, {}}};
  for (int k = 0; k < 100000; ++k) {
    plot.curves[0].x.push_back(k);
    plot.curves[0].y.push_back(k == 54321 ? 7 : 0);
  }
  const std::string svg = svg_of(figure_of(plot));
  EXPECT_LT(svg.size(), 40000u);
  // The peak is at 5 % of the height below the upper edge: 44 + (354 - 44) * 0.05 / 1.1.
  EXPECT_NE(svg.find(",58.1 "), std::string::npos) << svg.substr(0, 4000);
}

TEST(Plots, OfANarrowWindowHaveTheirLegendBelowTheTitle) {
  Plot plot;
  plot.title = "What changed the energy since the start";
  plot.curves = {{"work of sources", {0, 1}, {0, 1}}, {"loss by damping", {0, 1}, {0, 2}}};
  const auto place = [&](double width) {
    const std::string svg = svg_of(figure_of(plot), true, width);
    EXPECT_NE(svg.find(width < 500 ? "viewBox=\"0 0 480 420\"" : "viewBox=\"0 0 960 420\""), svg.npos);
    const std::size_t text = svg.rfind("<text", svg.find(">loss by damping<"));
    return std::pair{std::strtod(svg.c_str() + svg.find("x=\"", text) + 3, nullptr),
                     std::strtod(svg.c_str() + svg.find(" y=\"", text) + 4, nullptr)};
  };
  EXPECT_EQ(place(plotting::width).second, 26);  // on the line of the title
  EXPECT_GT(place(plotting::narrow_width).second, 40);
  EXPECT_LT(place(plotting::narrow_width).first, 400);
}

TEST(Plots, EndWhereTicksCannotBeToldApart) {
  for (const std::vector<double>& x :
       {std::vector<double>{1e20, 1e20 + 32768}, {1e20, 1e20}, {0, 1e-320}, {-1.7e308, 1.7e308}, {1e308, 1}})
    for (const bool log_y : {false, true}) {
      Plot plot;
      plot.curves = {{"one", x, x}, {"two", x, {HUGE_VAL, 1}}};
      plot.log_y = log_y;
      EXPECT_LT(svg_of(figure_of(plot)).size(), 20000u);
      canvas_of(figure_of(plot), 200);
    }
}

TEST(Plots, ShowReceiversAndHistoryAsSvgAndPng) {
  const FreshFolder folder;
  write_result(folder.path, 3);
  const ResultReader result(folder.path);
  const NamedFigures receivers = receiver_figures(result);
  const NamedPlots history = history_plots(result);
  ASSERT_EQ(receivers.size(), 1u);
  EXPECT_NE(svg_of(receivers[0].second).find(">line[0]</text>"), std::string::npos);
  std::vector<std::string> names;
  for (const auto& [name, plot] : history) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"energy", "iterations", "residual", "seconds"}));
  write_figures(receivers, result, folder.path.string(), 480);
  EXPECT_EQ(content(folder.path / "small_receivers.png").substr(1, 3), "PNG");
  EXPECT_EQ(content(folder.path / "small_receivers.svg").substr(0, 4), "<svg");
  EXPECT_EQ(content(folder.path / "small_receivers.pdf").substr(0, 4), "%PDF");
}

TEST(HtmlReport, HoldsEverythingAndNeedsNothing) {
  const FreshFolder folder;
  write_result(folder.path, 3);
  const std::string page = html_of(ResultReader(folder.path), "not a picture", "made by a test");
  for (const char* part : {"data:image/png;base64,bm90IGEgcGljdHVyZQ==", "<svg", "Receivers",
                           "Iterations a step", "Time a step", "Energy", "note: &lt;b&gt;", "a CPU",
                           "viewport", "prefers-color-scheme: dark", "@media print", "made by a test"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  for (const char* part : {"<script", "src=\"http", "href=\"http", "@import", "url(", "<b>"})
    EXPECT_EQ(page.find(part), std::string::npos) << part;
  EXPECT_EQ(page.find("class=\"warning\""), std::string::npos);
  EXPECT_NE(page.find("<div class=\"narrow\"><svg"), std::string::npos);
  EXPECT_EQ(page.find("class=\"scroll\""), std::string::npos);
  const std::string two = html_of(ResultReader(folder.path), "not a picture", "", "narrow");
  EXPECT_NE(two.find("<source media=\"(max-width: 40rem)\" srcset=\"data:image/png;base64,bmFycm93\">"),
            std::string::npos);
}

TEST(HtmlReport, HasATableOfThePeaksOfEachReceiver) {
  const FreshFolder folder;
  RunInfo info = small_info(folder.path, 1);
  info.config = "name: small\nmedium:\n  model: acoustic\n";
  info.receivers = {{"a & b", 0, 0}};
  const auto writer = make_vtkhdf_writer();
  writer->begin(info);
  for (long n = 0; n < 1000; ++n)
    writer->sample({n, 1e-3 * double(n), {0.004 * std::sin(0.3 * double(n))}});  // 47.75 Hz
  writer->finish({});
  const std::string page = html_of(ResultReader(folder.path), "", "");
  EXPECT_NE(page.find("<th scope=\"col\">height (mPa)</th>"), std::string::npos);
  EXPECT_NE(page.find("<tr><td>a &amp; b</td><td>47.75 Hz</td><td>4</td></tr>"), std::string::npos);
}

TEST(HtmlReport, SaysTimesInShortNumbersAndHasNoEmptyRows) {
  const FreshFolder folder;
  RunInfo info = small_info(folder.path, 1);
  info.facts["time-step"] = "1.0000000000000001e-05";
  info.facts["cuda-compiler"] = "";
  info.config = "name: small\nmedium:\n  model: acoustic\n";
  const auto writer = make_vtkhdf_writer();
  writer->begin(info);
  for (long n = 0; n < 20; ++n) writer->sample(small_receiver_sample(n));
  writer->finish({});
  const std::string page = html_of(ResultReader(folder.path), "", "");
  EXPECT_NE(page.find("steps of 10 \u00b5s"), std::string::npos);
  EXPECT_NE(page.find("<td>10 \u00b5s</td>"), std::string::npos);
  EXPECT_EQ(page.find("e-05"), std::string::npos);
  EXPECT_EQ(page.find("<td></td>"), std::string::npos);
  EXPECT_EQ(page.find("cuda-compiler"), std::string::npos);
  EXPECT_NE(page.find("pressure"), std::string::npos);
  EXPECT_EQ(page.find("displacement"), std::string::npos);
}

TEST(HtmlReport, WarnsOfARunThatDidNotEndWell) {
  const FreshFolder folder;
  RunSummary summary;
  summary.ending = "stopped by a signal";
  write_result(folder.path, 3, summary);
  const std::string page = html_of(ResultReader(folder.path), "", "");
  EXPECT_NE(page.find("class=\"warning\""), std::string::npos);
  EXPECT_NE(page.find("stopped by a signal"), std::string::npos);
}

}  // namespace
}  // namespace wavesim::testing
