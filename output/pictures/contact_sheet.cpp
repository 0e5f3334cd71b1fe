#include "output/pictures/contact_sheet.hpp"

#include <algorithm>
#include <cmath>

#include "output/pictures/colour_bar.hpp"
#include "output/pictures/picture.hpp"
#include "output/pictures/ticks.hpp"

namespace wavesim {

Canvas contact_sheet(const Scene& scene, const PicturesOutput& look, const std::vector<Tile>& tiles) {
  using plotting::ink;
  const double aspect = scene.aspect();
  const int width = std::max(int(look.width), 64), font = std::max(width / 60, 9), gap = font / 2 + 2;
  const int bar_room = int((2 + bar_labels) * font), count = int(tiles.size());
  // As many columns as make the sheet about 4 : 3.
  const int columns =
      std::clamp(int(std::lround(std::sqrt(count * aspect * 4 / 3))), 1, std::max(1, std::min(count, 12)));
  const int rows = (count + columns - 1) / columns, label = font + font / 2;
  int tile_width = std::max(8, (width - bar_room - (columns + 1) * gap) / columns);
  int tile_height = std::max(4, int(std::lround(tile_width * aspect)));
  if (tile_height > 2 * width) {  // a tall domain, as in Picture
    tile_height = 2 * width;
    tile_width = std::max(1, int(std::lround(tile_height / aspect)));
  }
  const int head = 2 * font + gap, height = head + rows * (tile_height + label + gap) + gap;
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
  const int bar_height = std::min(height - head - 2 * gap, 40 * font);
  bar.draw(pen, width - bar_room + gap, height - gap - bar_height, font, bar_height, width - gap, font);
  Canvas canvas = pen.canvas();
  canvas.text(gap, height - font - gap, scene.name, font + font / 4, ink, Canvas::left);
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
