// What stands around a field: ticks, names, units, arrows; and what range its colours take.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "output/pictures/colour_bar.hpp"
#include "output/pictures/picture.hpp"

namespace wavesim::testing {
namespace {

using plotting::CairoPen;

Scene lens(std::size_t nx = 161, std::size_t ny = 121) {
  Scene scene;
  scene.name = "lens";
  scene.model = "acoustic";
  scene.nx = nx, scene.ny = ny;
  scene.spacing[0] = 0.16 / double(nx - 1), scene.spacing[1] = 0.12 / double(ny - 1);
  scene.moments.longest = 1e-4;
  return scene;
}

int grey(const Canvas& canvas, int x, int y) {
  const std::uint8_t* p = canvas.row(y) + 3 * x;
  return (p[0] + p[1] + p[2]) / 3;
}

/// Whether the text stands there, and its pixels are dark: (x, y) from the upper left.
bool shows(const Canvas& canvas, double x, double y, const std::string& text, int size, Canvas::Anchor anchor,
           bool turned = false) {
  CairoPen pen = CairoPen::pixels(canvas.width(), canvas.height());
  pen.text({x, y}, text, size, anchor, turned);
  const Canvas wanted = pen.canvas();
  int dark = 0, missing = 0;
  for (int j = 0; j < canvas.height(); ++j)
    for (int i = 0; i < canvas.width(); ++i)
      if (grey(wanted, i, j) < 100) {
        ++dark;
        missing += grey(canvas, i, j) > grey(wanted, i, j) + 30;
      }
  return dark > 10 && missing == 0;
}

TEST(Axes, HaveTicksAtRoundMillimetres) {
  Picture picture(lens(), {});
  const Image image = picture.field().sample(std::vector<float>(161 * 121, 0));
  const Canvas canvas = picture.draw(image, 6e-5, 1);
  // Under the frame of one pixel there are ticks alone.
  std::vector<int> at;
  for (int x = picture.left() - 2; x < picture.left() + picture.field().width() + 5; ++x)
    if (grey(canvas, x, picture.bottom() - 4) < 100) at.push_back(x - picture.left());
  ASSERT_EQ(at.size(), 9u);  // 0, 20, ..., 160 mm
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(at[std::size_t(k)], k * (picture.field().width() - 1) / 8.0, 0.6);
  const int font = 20, under = picture.height() - picture.bottom();
  const double middle = picture.left() + picture.field().width() / 2.0;
  EXPECT_TRUE(shows(canvas, middle, picture.height() - 0.5 * font, "x (mm)", font, Canvas::middle));
  EXPECT_FALSE(shows(canvas, middle, picture.height() - 0.5 * font, "x (m)", font, Canvas::middle));
  const double x = picture.left() + std::round(0.125 * (picture.field().width() - 1)) + 0.5,
               y = under + 1 + std::round(0.35 * font) + font;
  EXPECT_TRUE(shows(canvas, x, y, "20", font, Canvas::middle));
  EXPECT_FALSE(shows(canvas, x, y, "0.02", font, Canvas::middle));
  EXPECT_TRUE(shows(canvas, 1.2 * font, under - picture.field().height() / 2.0, "y (mm)", font,
                    Canvas::middle, true));
}

TEST(Axes, CountFromTheTopWhereYPointsDown) {
  Scene scene = lens();
  scene.spacing[1] *= 10;  // 0 ... 1.2 m
  for (const char* way : {"up", "down"}) {
    PicturesOutput look;
    look.width = 480;
    look.y = way;
    Picture picture(scene, look);
    const Canvas canvas = picture.draw(picture.field().sample(std::vector<float>(161 * 121, 0)), 0, 1);
    const int top = picture.height() - picture.bottom() - picture.field().height(), font = 10;
    const double x = picture.left() - 1 - std::round(0.35 * font) - 0.3 * font, upper = top + 0.36 * font,
                 lower = upper + picture.field().height() - 1;
    const bool up = std::string(way) == "up";
    EXPECT_EQ(shows(canvas, x, up ? upper : lower, "1.2", font, Canvas::right), true) << way;
    EXPECT_EQ(shows(canvas, x, up ? lower : upper, "1.2", font, Canvas::right), false) << way;
  }
}

TEST(Axes, NameTheTimeAsPeopleSayIt) {
  Picture picture(lens(), {});
  Canvas canvas = picture.draw(picture.field().sample(std::vector<float>(161 * 121, 0)), 8e-5, 1);
  Canvas wanted = canvas;
  wanted.rectangle(picture.left(), picture.bottom() + picture.field().height() + 2, canvas.width(), 60,
                   {255, 255, 255});
  wanted.text(picture.left(), picture.bottom() + picture.field().height() + 10, "lens    t = 80 \u00b5s", 24,
              plotting::ink, Canvas::left);
  EXPECT_TRUE(canvas.png() == wanted.png());
}

/// A bar 20 wide from 10 to 190 of a sheet of 200 x 200.
Canvas bar(Beyond beyond, bool sign, double range = 0.3, const char* unit = "Pa") {
  CairoPen pen = CairoPen::pixels(200, 200);
  const ColourBar bar{colour_maps().front(), sign, range, "pressure", unit, beyond};
  bar.draw(pen, 10, 10, 20, 180, 200, 14);
  return pen.canvas();
}

TEST(ColourBars, HaveArrowsAtTheEndsBeyondWhichValuesLie) {
  // The arrows are 13 high: their middles are 7 from the ends.
  for (const bool below : {false, true})
    for (const bool above : {false, true}) {
      const Canvas canvas = bar({below, above}, true);
      EXPECT_EQ(grey(canvas, 20, 190 - 8) < 250, above) << below;
      EXPECT_EQ(grey(canvas, 20, 10 + 8) < 250, below) << above;
    }
  // What has no sign ends at zero.
  EXPECT_LT(grey(bar({true, false}, false), 20, 12), 250);  // the bar itself
  EXPECT_TRUE(bar({true, false}, false).png() == bar({false, false}, false).png());
}

TEST(ColourBars, SayAtTheirArrowsHowFarValuesGo) {
  const auto labels = [](Beyond beyond, bool sign, double range) {
    const ColourBar bar{colour_maps().front(), sign, range, "pressure", "Pa", beyond};
    std::string all;
    for (const ColourBar::Label& l : bar.extremes(10, 20, 20, 160, 200, 14)) all += l.text + ";";
    return all;
  };
  EXPECT_EQ(labels({true, true, -4.126, 3.89}, true, 1.8), "max 3.89;min \u22124.13;");
  EXPECT_EQ(labels({true, true, -4.126, 3.89}, false, 1.8), "max 3.89;");
  EXPECT_EQ(labels({false, false, -4, 3}, true, 5), "");
  EXPECT_EQ(labels({false, true, 0, 3890}, false, 0.02), "max 3890000;");  // in mPa, as the ticks
  EXPECT_EQ(labels({true, true}, true, 1.8), "");
  CairoPen pen = CairoPen::pixels(200, 200);
  const ColourBar bar{colour_maps().front(), true, 1.8, "pressure", "Pa", {true, true, -4.126, 3.89}};
  bar.draw(pen, 10, 20, 20, 160, 200, 14);
  const Canvas canvas = pen.canvas();
  EXPECT_TRUE(shows(canvas, 34.2, 19.3, "max 3.89", 14, Canvas::left));
  EXPECT_TRUE(shows(canvas, 34.2, 190.5, "min \u22124.13", 14, Canvas::left));
}

TEST(Axes, WriteTheLargestValueOfTheNodesWhereColoursEnd) {
  PicturesOutput look;
  look.quantity = "max-displacement";
  Picture picture(lens(), look);
  std::vector<float> values(161 * 121, 1);
  values[60 * 161 + 80] = 3.89f;
  const Image image = picture.field().sample(values);
  EXPECT_EQ(image.low, 1);
  EXPECT_EQ(image.high, 3.89f);
  const Canvas whole = picture.draw(image, 0, 4), clipped = picture.draw(image, 0, 1.8);
  const int font = 20, x = picture.left() + picture.field().width() + 2 * font + 6;
  const auto dark = [&](const Canvas& canvas) {  // above the bar
    int n = 0;
    for (int y = picture.bottom() + picture.field().height() + 1; y < picture.height(); ++y)
      for (int i = x; i < picture.width(); ++i) n += grey(canvas, i, y) < 100;
    return n;
  };
  EXPECT_EQ(dark(whole), 0);
  EXPECT_GT(dark(clipped), 50);
  // The same range with another maximum: another number on the same bar.
  values[60 * 161 + 80] = 7;
  EXPECT_FALSE(picture.draw(picture.field().sample(values), 0, 1.8).png() == clipped.png());
}

TEST(ColourBars, HaveRoundTicksANameAndAUnit) {
  const Canvas canvas = bar({}, true);
  // The body spans 23 to 177 for [-0.3, 0.3]: 0.2 is at 1 / 6 of it.
  for (const auto& [label, part] : {std::pair{"0.2", 1 / 6.0}, {"0", 0.5}, {"\u22120.2", 5 / 6.0}}) {
    const double y = std::round(23 + part * 154);
    EXPECT_TRUE(shows(canvas, 31 + 0.65 * 14, y + 0.36 * 14, label, 14, Canvas::left)) << label;
    EXPECT_FALSE(shows(canvas, 31 + 0.65 * 14, y + 0.36 * 14, "0.15", 14, Canvas::left)) << label;
  }
  const double x = 31 + 0.65 * 14 + plotting::text_width("\u22120.2", 14) + 1.4 * 14;
  EXPECT_TRUE(shows(canvas, x, 100, "pressure (Pa)", 14, Canvas::middle, true));
  EXPECT_TRUE(shows(bar({}, true, 7300),
                    x - plotting::text_width("\u22120.2", 14) + plotting::text_width("\u22125", 14), 100,
                    "pressure (kPa)", 14, Canvas::middle, true));
}

TEST(ColourBars, HaveMoreThanZeroWhereThereIsRoom) {
  for (const double range : {0.041, 0.3, 0.51, 0.99, 2.1})
    for (const bool sign : {false, true}) {
      const ColourBar bar{colour_maps().front(), sign, range, "u", "", {}};
      CairoPen pen = CairoPen::pixels(200, 120);
      bar.draw(pen, 10, 10, 20, 100, 200, 14);
      const Canvas canvas = pen.canvas();
      int ticks = 0;
      for (int y = 0; y < 120; ++y) ticks += grey(canvas, 34, y) < 100;
      EXPECT_GE(ticks, sign ? 3 : 2) << range;
      EXPECT_LE(ticks, 7) << range;
    }
}

/// n x n values with the given ones at some nodes.
Image field_of(const FieldPainter& painter, const std::function<float(int, int)>& value, int n = 200) {
  std::vector<float> values;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) values.push_back(value(i, j));
  return painter.sample(values);
}

float range_of(const FieldPainter& painter, const Image& image, double clip) {
  RangeFinder finder;
  painter.count(image, finder);
  return finder.range(clip);
}

TEST(Ranges, LetOnePeakStandOut) {
  const FieldPainter painter(lens(200, 200), {}, 200, 200);
  const Image peak = field_of(painter, [](int i, int j) {
    return std::hypot(i - 70, j - 90) < 4 ? 100.0f : 1 + 0.5f * std::sin(0.1f * float(i));
  });
  EXPECT_NEAR(range_of(painter, peak, 0), 100, 1e-3);
  EXPECT_NEAR(range_of(painter, peak, 0.005), 1.5, 0.1);
  EXPECT_TRUE(painter.beyond(peak, 1.5).above);
  EXPECT_FALSE(painter.beyond(peak, 1.5).below);
  EXPECT_FALSE(painter.beyond(peak, 100).above);
  const Image dip = field_of(painter, [](int i, int) { return i > 6 && i < 12 ? -2.0f : 1.0f; });
  EXPECT_TRUE(painter.beyond(dip, 1.5).below);
  EXPECT_FALSE(painter.beyond(dip, 1.5).above);
}

TEST(Ranges, OfMaximaKeepAFocusAndCutOffAPointSource) {
  PicturesOutput look;
  look.quantity = "max-displacement";
  const FieldPainter painter(lens(200, 200), look, 400, 400);
  const auto hill = [](int i, int j, float high, float wide) {
    const float r = std::hypot(float(i - 100), float(j - 100)) / wide;
    return 1 + high * std::exp(-r * r);
  };
  const Image focus = field_of(painter, [&](int i, int j) { return hill(i, j, 3, 5); }),
              source = field_of(painter, [&](int i, int j) { return hill(i, j, 50, 1); });
  EXPECT_NEAR(painter.range(focus), 4, 0.1);
  EXPECT_LT(range_of(painter, focus, look.clip), 2);  // as a wave's, the focus were one flat patch
  EXPECT_LT(painter.range(source), 30);
}

TEST(Ranges, AreTheLargestValueOfAPulseHoweverSmall) {
  const FieldPainter painter(lens(200, 200), {}, 200, 200);
  for (float width : {3.0f, 10.0f, 60.0f}) {
    const Image pulse = field_of(painter, [&](int i, int j) {
      return 5 * std::exp(-(float(i - 100) * float(i - 100) + float(j - 100) * float(j - 100)) /
                          (2 * width * width));
    });
    EXPECT_EQ(range_of(painter, pulse, 0.005), range_of(painter, pulse, 0)) << width;
    EXPECT_NEAR(range_of(painter, pulse, 0.005), 5, 0.3) << width;
  }
  const Image none = field_of(painter, [](int, int) { return NAN; });
  EXPECT_EQ(range_of(painter, none, 0.005), 0);
}

TEST(Ranges, OfAllPicturesAreNotThoseOfTheFirstAlone) {
  // A shot that is strong and small, then weak and wide.
  RangeFinder all, shot;
  for (int k = 0; k < 100; ++k) shot.add(-50);
  all.add(shot);
  for (int k = 0; k < 100000; ++k) all.add(k % 2 ? 1.0f : -0.9f);
  EXPECT_NEAR(all.range(0.005), 1, 0.05);
  EXPECT_EQ(all.range(0), 50);
  EXPECT_EQ(shot.range(0.005), 50);
}

TEST(Medium, LiesBeneathWavesOnlyAndOnlyWhereItIsWanted) {
  Scene scene = lens(40, 40);
  std::vector<float> speed;
  for (int k = 0; k < 1600; ++k) speed.push_back(k % 40 < 20 ? 1.f : 2.f);
  scene.speed = speed;
  const auto corner = [&](const char* quantity, bool medium) {
    PicturesOutput look;
    look.quantity = quantity;
    look.medium = medium;
    const FieldPainter painter(scene, look, 80, 80);
    Canvas canvas(80, 80, {});
    painter.paint(canvas, 0, 0, painter.sample(std::vector<float>(1600, 0)), 1);
    return grey(canvas, 5, 5) - grey(canvas, 75, 5);
  };
  EXPECT_LT(corner("displacement", true), -30);
  EXPECT_EQ(corner("displacement", false), 0);
  EXPECT_EQ(corner("max-displacement", true), 0);  // whose colours are those of the bar
}

TEST(Pdf, IsAPageAsWideAsTheTextOfAPaper) {
  Picture picture(lens(), {});
  const std::string pdf = picture.pdf(picture.field().sample(std::vector<float>(161 * 121, 0)), 0, 1);
  EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
  const auto box = pdf.find("/MediaBox [");
  if (box != pdf.npos) {  // where Cairo does not compress it
    EXPECT_NEAR(std::strtod(pdf.c_str() + pdf.find("0 0 ", box) + 4, nullptr), 481.9, 0.1);
  }
  EXPECT_NE(pdf.find("%%EOF"), pdf.npos);
}

}  // namespace
}  // namespace wavesim::testing
