#pragma once
// Points and lines of points: receivers, shots.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/section.hpp"

namespace wavesim {

struct Config;

/// A point, or points along a line.
struct PlacesConfig : Configured {
  std::optional<std::array<double, 2>> at, from, to;
  long count = 1;  // points of a line, ends included
  bool is_line() const { return from && to; }
  /// Along the line, its ends included.
  std::vector<std::array<double, 2>> points() const;
  void fields(Section&) override;
  void verify() const override;
  /// What stands there, for sentences: "receiver".
  virtual std::string_view word() const = 0;
};

struct ReceiverConfig : PlacesConfig {
  std::string name;
  void fields(Section&) override;
  void verify() const override;
  std::string_view word() const override { return "receiver"; }
};

struct ShotConfig : PlacesConfig {
  void verify() const override;
  std::string_view word() const override { return "shot"; }
};

/// All places of all shots, in their order.
std::vector<std::array<double, 2>> shot_places(const std::vector<ShotConfig>& shots);
/// Throws InputError where there are shots and it is not clear what stands at their places.
void check_shots(const Config& config);

/// Names stand in lines of tables and in pictures.
void check_name(const Where& where, const std::string& name);

}  // namespace wavesim
