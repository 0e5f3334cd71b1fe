#include "output/pictures/contact_sheet.hpp"

#include <algorithm>
#include <cmath>

#include "output/pictures/colour_bar.hpp"
#include "output/pictures/picture.hpp"
#include "output/pictures/ticks.hpp"

namespace wavesim {

namespace {

using plotting::ink;

/// Of a round length, about a third of a frame, on the line of the title; none where that leaves no room.
void draw_scale_bar(Canvas& canvas, const Scene& scene, double first, double last, double tile_width,
                    int line, int font) {
  const double metres = scene.spacing[0] * double(scene.nx - 1);
  const Scale scale = scale_of("m", metres);
  const double step = tick_step(metres * scale.factor, 4),
               length = step / (metres * scale.factor) * tile_width;
  const std::string text = tick_label(step, step) + " " + scale.unit;
  if (!(length >= 4) || last - length - plotting::text_width(text, font) - font < first) return;
  const int thick = std::max(1, font / 8), tick = font / 3, from = int(std::lround(last - length)),
            to = int(last);
  const int middle = line + font / 2;
  canvas.rectangle(from, middle - thick / 2, to - from, thick, ink);
  for (const int x : {from, to - thick}) canvas.rectangle(x, middle - tick, thick, 2 * tick + 1, ink);
  canvas.text(from - font / 2, line, text, font, ink, Canvas::right);
}

}  // namespace

Canvas contact_sheet(const Scene& scene, const PicturesOutput& look, const std::vector<Tile>& tiles,
                     int most_columns) {
  const double aspect = scene.aspect();
  // On a phone, and beside others on a page, a sheet is shown at half its size.
  const int letters_across = tiles.size() < 2 || most_columns < 3 ? 30 : 60;
  const int width = std::max(int(look.width), 64), font = std::max(width / letters_across, 9),
            gap = font / 2 + 2;
  const int bar_room = int((2 + bar_labels) * font), count = int(tiles.size());
  // As many columns as make the sheet about 4 : 3.
  const int columns = std::clamp(int(std::lround(std::sqrt(count * aspect * 4 / 3))), 1,
                                 std::max(1, std::min(count, most_columns)));
  const int rows = (count + columns - 1) / columns, label = font + font / 2;
  int tile_width = std::max(8, (width - bar_room - (columns + 1) * gap) / columns);
  int tile_height = std::max(4, int(std::lround(tile_width * aspect)));
  if (tile_height > 2 * width) {  // a tall domain, as in Picture
    tile_height = 2 * width;
    tile_width = std::max(1, int(std::lround(tile_height / aspect)));
  }
  const int head = 2 * font + gap + font / 2, height = head + rows * (tile_height + label + gap) + gap;
  const FieldPainter field(scene, look, tile_width, tile_height);
  const bool each = look.scale == "picture";
  std::vector<Image> images;
  RangeFinder finder;
  Moments moments{0, scene.moments.frequencies};
  for (const Tile& tile : tiles) {
    images.push_back(field.sample(tile.values));
    field.count(images.back(), finder);
    moments.longest = std::max(moments.longest, tile.time);
  }
  const double range = look.range.value_or(two_digits(field.range(finder)));
  Beyond beyond;
  for (const Image& image : images) {
    const Beyond here = field.beyond(image, range);
    beyond = {beyond.below || here.below, beyond.above || here.above, std::fmin(beyond.low, here.low),
              std::fmax(beyond.high, here.high)};
  }
  plotting::CairoPen pen = plotting::CairoPen::pixels(width, height);
  const ColourBar bar{field.colours(),
                      field.with_sign(),
                      each ? 0 : range,
                      name_of(look.quantity, scene.model),
                      moments.frequencies.empty() ? unit_of(look.quantity, scene.model) : "",
                      each ? Beyond{} : beyond};
  const int bar_height = std::max(8, std::min(height - head - 2 * gap - font, 40 * font));
  bar.draw(pen, width - bar_room + gap, height - gap - bar_height - font, font, bar_height, width - gap,
           font);
  Canvas canvas = pen.canvas();
  const int title = height - font - gap, title_size = font + font / 4;
  canvas.text(gap, title, scene.name, title_size, ink, Canvas::left);
  draw_scale_bar(canvas, scene, gap + plotting::text_width(scene.name, title_size) + font, width - gap,
                 tile_width, title, font);
  for (int k = 0; k < count; ++k) {
    const int left = gap + k % columns * (tile_width + gap);
    const int bottom = height - head - (k / columns + 1) * (tile_height + label + gap) + gap;
    canvas.rectangle(left - 1, bottom - 1, tile_width + 2, tile_height + 2, ink);
    const Image& image = images[std::size_t(k)];
    field.paint(canvas, left, bottom, image, each ? two_digits(field.range(image)) : range,
                tiles[std::size_t(k)].time);
    canvas.text(left, bottom + tile_height + font / 3, moments.text(tiles[std::size_t(k)].time, true), font,
                ink, Canvas::left);
  }
  return canvas;
}

}  // namespace wavesim
