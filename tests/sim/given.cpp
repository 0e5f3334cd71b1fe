#include "given.hpp"

#include <hdf5.h>
#include <png.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>

namespace wavesim::test {

Folder::Folder() {
  static std::atomic<int> count = 0;
  path = std::filesystem::temp_directory_path() /
         ("wavesim-test-" + std::to_string(getpid()) + "-" + std::to_string(count++));
  std::filesystem::create_directories(path);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

void Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path / name) << text;
}

void Folder::write_hdf5(const std::string& name, const std::string& dataset, long rows, long columns,
                        const std::vector<double>& values, std::array<double, 2> spacing) const {
  const hid_t file = H5Fcreate((path / name).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t sizes[2] = {hsize_t(rows), hsize_t(columns)}, two = 2;
  const hid_t space = H5Screate_simple(2, sizes, nullptr);
  const hid_t set =
      H5Dcreate2(file, dataset.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  if (spacing[0] != 0) {
    const hid_t pair = H5Screate_simple(1, &two, nullptr);
    const hid_t attribute = H5Acreate2(set, "spacing", H5T_IEEE_F64LE, pair, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, spacing.data());
    H5Aclose(attribute);
    H5Sclose(pair);
  }
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
}

void Folder::write_png(const std::string& name, long rows, long columns, int channels, int bits,
                       const std::vector<unsigned>& samples) const {
  std::vector<png_byte> bytes;
  for (const unsigned s : samples) {
    if (bits == 16) bytes.push_back(png_byte(s >> 8));
    bytes.push_back(png_byte(s & 255));
  }
  std::FILE* file = std::fopen((path / name).c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, png_uint_32(columns), png_uint_32(rows), bits,
               channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (long r = 0; r < rows; ++r)
    png_write_row(png, bytes.data() + std::size_t(r * columns * channels * (bits / 8)));
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

Config config(const std::string& yaml, const std::filesystem::path& folder) {
  const bool flow = yaml.starts_with('{');
  // A section is there if its name begins a line or, in flow style, stands at depth one.
  const auto has = [&](const std::string& section) {
    int depth = 0;
    for (std::size_t i = 0; i < yaml.size(); ++i) {
      depth += (yaml[i] == '{') - (yaml[i] == '}');
      const bool begins =
          i == 0 || (flow ? depth == 1 && (yaml[i - 1] == ' ' || yaml[i - 1] == '{') : yaml[i - 1] == '\n');
      if (begins && yaml.compare(i, section.size(), section) == 0) return true;
    }
    return false;
  };
  std::string text = flow ? yaml.substr(0, yaml.rfind('}')) : yaml;
  for (const char* line : {"grid: {size: [1, 1], cells: [10, 10]}", "medium: {speed: 1}", "time: {end: 1}"})
    if (const std::string added = line; !has(added.substr(0, added.find(':') + 1)))
      text += (flow ? ", " : "\n") + added;
  return parse_config(text + (flow ? "}" : "\n"), "test.yaml", folder);
}

Model model(const std::string& yaml, const std::filesystem::path& folder) {
  return build_model(config(yaml, folder));
}

std::shared_ptr<Field2> field(const std::string& yaml, const std::filesystem::path& folder) {
  return config("initial: {displacement: " + yaml + "}", folder).initial.displacement.at(0);
}

std::shared_ptr<Signal> signal(const std::string& yaml, const std::filesystem::path& folder) {
  auto s = config("sources: [{at: [0.5, 0.5], " + yaml + "}]", folder).sources.at(0).signal;
  s->prepare();
  return s;
}

std::shared_ptr<Shape> shape(const std::string& yaml, const std::filesystem::path& folder) {
  return config("shape: " + yaml, folder).shape.at(0);
}

std::shared_ptr<Edge> edge(const std::string& yaml, const std::filesystem::path& folder) {
  return config("edges: {left: " + yaml + "}", folder).edges[left];
}

Grid grid(std::array<double, 2> size, std::array<long, 2> cells, std::array<double, 2> origin) {
  Grid g;
  g.cells = cells;
  g.spacing = {size[0] / double(cells[0]), size[1] / double(cells[1])};
  g.origin = origin;
  return g;
}

}  // namespace wavesim::test
