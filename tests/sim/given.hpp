#pragma once
// What the tests of sim/ are given: pieces of config as a user writes them, files in a folder of their own.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "kernels/backend/errors.hpp"
#include "sim/config/config.hpp"
#include "sim/model/model.hpp"

namespace wavesim::test {

/// A folder that is removed at the end of the test.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  std::filesystem::path path;
  /// Writes a text file.
  void write(const std::string& name, const std::string& text) const;
  /// Writes a two-dimensional dataset of doubles, with a `spacing` attribute unless that is {0, 0}.
  void write_hdf5(const std::string& name, const std::string& dataset, long rows, long columns,
                  const std::vector<double>& values, std::array<double, 2> spacing = {0, 0}) const;
  /// Writes a PNG: channels 1 (grey) or 3 (red, green, blue), 8 or 16 bits; row 0 is the top.
  void write_png(const std::string& name, long rows, long columns, int channels, int bits,
                 const std::vector<unsigned>& samples) const;
};

/// A config from YAML in block style or as one flow map; `grid`, `medium` and `time` are added where the text
/// does not have them: a unit square of 10 x 10 cells with speed 1, stepped to 1 s.
Config config(const std::string& yaml, const std::filesystem::path& folder = ".");
Model model(const std::string& yaml, const std::filesystem::path& folder = ".");

/// One field, signal or shape from YAML in flow style: "{gaussian: {center: [0, 0], width: 1}}".
std::shared_ptr<Field2> field(const std::string& yaml, const std::filesystem::path& folder = ".");
std::shared_ptr<Signal> signal(const std::string& yaml, const std::filesystem::path& folder = ".");
std::shared_ptr<Shape> shape(const std::string& yaml, const std::filesystem::path& folder = ".");
std::shared_ptr<Edge> edge(const std::string& yaml, const std::filesystem::path& folder = ".");

/// A grid without layers.
Grid grid(std::array<double, 2> size, std::array<long, 2> cells, std::array<double, 2> origin = {0, 0});

/// The sentence of the InputError that `act` throws; empty if it throws none.
template <class Act>
std::string sentence(Act&& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace wavesim::test

/// The sentence that `act` fails with holds all of these pieces.
#define EXPECT_SENTENCE(act, ...)                                                              \
  do {                                                                                         \
    const std::string said = ::wavesim::test::sentence([&] { act; });                          \
    for (const char* piece : {__VA_ARGS__})                                                    \
      EXPECT_NE(said.find(piece), std::string::npos) << "no \"" << piece << "\" in: " << said; \
  } while (false)
