#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <memory>

#include "kernels/backend/errors.hpp"
#include "output/pictures/colour_map.hpp"
#include "output/pictures/picture_writer.hpp"
#include "output/pictures/resample.hpp"
#include "tests/output/fresh_folder.hpp"
#include "tests/output/small_run.hpp"

namespace wavesim::testing {
namespace {

double grey(const Colour& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

TEST(Colours, DarkenEvenlyToBothSidesOfZero) {
  for (double s = 0; s < 0.99; s += 0.01) {
    EXPECT_GE(grey(diverging_colour(s)), grey(diverging_colour(s + 0.01)));
    EXPECT_GE(grey(diverging_colour(-s)), grey(diverging_colour(-s - 0.01)));
    EXPECT_NEAR(grey(diverging_colour(s)), grey(diverging_colour(-s)), 16) << s;
  }
  EXPECT_GT(diverging_colour(0.6)[0], diverging_colour(0.6)[2] + 60);    // red above
  EXPECT_GT(diverging_colour(-0.6)[2], diverging_colour(-0.6)[0] + 60);  // blue below
  EXPECT_GT(grey(diverging_colour(0)), 240);
  EXPECT_EQ(diverging_colour(7), diverging_colour(1));
}

TEST(Resample, KeepsAConstantAndALine) {
  for (std::size_t pixels : {3, 10, 64}) {
    const Resampler resample(41, 21, pixels, 16, {});
    std::vector<float> constant(41 * 21, 2.5f), line;
    for (int j = 0; j < 21; ++j)
      for (int i = 0; i < 41; ++i) line.push_back(float(i));
    for (float v : resample(constant).values) EXPECT_NEAR(v, 2.5, 1e-5);
    const Image image = resample(line);
    for (std::size_t p = 1; p + 1 < pixels; ++p)  // at the ends a wide filter is cut
      EXPECT_NEAR(image.values[p], (double(p) + 0.5) * 40 / double(pixels), 0.35)
          << pixels << " pixels, " << p;
  }
}

TEST(Resample, LeavesOutWhatLiesOutside) {
  const Resampler resample(4, 2, 16, 2, std::vector<std::uint8_t>{1, 1, 0, 0, 1, 1, 0, 0});
  const std::vector<float> values{1, 1, 900, 900, 1, 1, 900, 900};
  const Image image = resample(values);
  for (std::size_t p = 0; p < 16; ++p) {
    if (resample.inside()[p] > 0) {
      EXPECT_NEAR(image.values[p], 1, 1e-5);
    }
  }
  EXPECT_EQ(resample.inside()[0], 1);
  EXPECT_EQ(resample.inside()[15], 0);
}

/// Eight hills of a standing wave on a disc; `size` metres high.
Frame hills(long step, double size, long n) {
  Frame f;
  f.step = step;
  f.time = 0.001 * double(step);
  std::vector<float> u;
  for (long iy = 0; iy < n; ++iy)
    for (long ix = 0; ix < n; ++ix)
      u.push_back(float(size * std::sin(9.4 * double(ix) / double(n - 1)) *
                        std::sin(6.3 * double(iy) / double(n - 1))));
  f.planes = {{"displacement", u}};
  return f;
}

RunInfo disc(const std::filesystem::path& directory, long n) {
  RunInfo info;
  info.name = "disc";
  info.directory = directory.string();
  info.nx = info.ny = n;
  std::vector<std::uint8_t> inside;
  for (long iy = 0; iy < n; ++iy)
    for (long ix = 0; ix < n; ++ix)
      inside.push_back(std::hypot(double(ix) / double(n - 1) - 0.5, double(iy) / double(n - 1) - 0.5) < 0.48);
  info.inside = inside;
  return info;
}

TEST(Pictures, AreOneFileEachWithOneRangeForAll) {
  const FreshFolder folder;
  PicturesOutput options;
  options.width = 300;
  const auto writer = make_picture_writer(options);
  writer->begin(disc(folder.path, 101));
  writer->picture(hills(0, 0, 101));
  writer->picture(hills(10, 1e-3, 101));
  writer->picture(hills(20, 0.5e-3, 101));
  writer->finish({});
  for (const char* name : {"disc_000000.png", "disc_000010.png", "disc_000020.png"})
    EXPECT_EQ(content(folder.path / "pictures" / name).substr(1, 3), "PNG") << name;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path / "pictures"), {}), 3);
  EXPECT_EQ(writer->files().size(), 1u);
}

TEST(Pictures, AreTheSameWhateverTheFirstPicturesWereIfTheRangeIsGiven) {
  PicturesOutput options;
  options.width = 200;
  options.range = 1e-3;
  std::string seen[2];
  for (int k = 0; k < 2; ++k) {
    const FreshFolder folder;
    const auto writer = make_picture_writer(options);
    writer->begin(disc(folder.path, 41));
    if (k == 1) writer->picture(hills(0, 5, 41));
    writer->picture(hills(10, 1e-3, 41));
    seen[k] = content(folder.path / "pictures" / "disc_000010.png");  // written at once
    writer->finish({});
  }
  EXPECT_FALSE(seen[0].empty());
  EXPECT_EQ(seen[0], seen[1]);
}

TEST(Pictures, AreWrittenWithoutAHeldRangeOnlyAfterTheFirstTenthOfTheRun) {
  const FreshFolder folder;
  const auto writer = make_picture_writer({});
  writer->begin(disc(folder.path, 41));
  for (long n = 0; n < 9; ++n) writer->picture(hills(n, 1, 41));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path / "pictures"));
  writer->picture(hills(9, 1, 41));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path / "pictures"), {}), 10);
}

/// Of a run on several ranks they stay in the memory of all until the first one lets them go.
TEST(Pictures, KeepNoPlaneThatTheyDoNotReadAgain) {
  const FreshFolder folder;
  RunInfo info = disc(folder.path, 41);
  info.rim = std::vector<float>(41 * 41, 1.0f);
  info.once = {{"speed", std::vector<float>(41 * 41, 2.0f)}};
  const std::weak_ptr<const PendingCopy> rim = info.rim.source(), speed = info.once[0].values.source();
  const auto writer = make_picture_writer({});
  writer->begin(info);
  info = {};
  EXPECT_TRUE(rim.expired());
  EXPECT_TRUE(speed.expired());
}

TEST(Pictures, NameTheFileThatCannotBeWritten) {
  const FreshFolder folder;
  std::ofstream(folder.path / "pictures") << "in the way";
  EXPECT_THROW(make_picture_writer({})->begin(disc(folder.path, 41)), OutputError);
}

}  // namespace
}  // namespace wavesim::testing
