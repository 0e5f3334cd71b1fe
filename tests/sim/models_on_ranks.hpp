#pragma once
// Models that ranks share out: each has the values of one that has all, in its own rows, and the same ranges, notes and points;
// so do the coefficients that are made of them.

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/comm/rank_threads.hpp"
#include "kernels/comm/row_share.hpp"
#include "sim/model/coefficients.hpp"
#include "sim/run/output_plan.hpp"
#include "sim/run/simulation.hpp"
#include "tests/process_memory.hpp"
#include "tests/sim/restarted.hpp"

namespace wavesim::test {

/// The rows of a field that a rank has, but for the outermost ones that others' values would be needed for.
template <class Values>
Bits rows_of(const Values& values, const Grid& grid) {
  constexpr long unsure =
      OwnRows::unsure / 2;  // filter and curvature, which take the rest, are no fields of the model
  const long first = grid.own.first > 0 ? grid.own.first + unsure : 0,
             end = grid.end_row() < grid.nodes(1) ? grid.end_row() - unsure : grid.nodes(1);
  Bits rows;
  for (std::size_t i = grid.index(0, first); i < grid.index(0, end); ++i)
    rows.push_back(std::bit_cast<std::uint64_t>(double(values[i])));
  return rows;
}
inline Bits rows_of(const NodeField& field, const Grid& grid) {
  return field.uniform() ? bits({field.constant}) : rows_of(field.values, grid);
}

/// Numbers of what rims do in those rows, node by node.
inline std::vector<std::vector<double>> rim_in_rows(const Rim& rim, const Grid& grid) {
  std::vector<std::vector<double>> all;
  const auto add = [&](std::size_t node, std::vector<double> numbers) {
    const long row = grid.place(node)[1];
    if (grid.is_sure(row)) numbers.push_back(double(node)), all.push_back(numbers);
  };
  for (const Rim::Crossing& c : rim.crossings) add(c.node, {1, double(c.axis), c.share});
  for (const Rim::Face& f : rim.faces) add(f.node, {2, double(f.axis), f.share, f.middle});
  for (const Rim::DrivenFace& f : rim.driven) add(f.node, {3, double(f.axis), double(f.signal)});
  return all;
}

inline void expect_same_points(const Model& own, const Model& whole) {
  ASSERT_EQ(own.receivers.size(), whole.receivers.size());
  for (std::size_t k = 0; k < own.receivers.size(); ++k) {
    const Receiver &a = own.receivers[k], &b = whole.receivers[k];
    EXPECT_EQ(a.node, b.node);
    EXPECT_EQ(bits(a.weight), bits(b.weight));
    ASSERT_EQ(a.held.size(), b.held.size());
    for (std::size_t h = 0; h < a.held.size(); ++h) EXPECT_EQ(a.held[h].weight, b.held[h].weight);
  }
  const auto in_rows = [&](const Source& s) {
    std::vector<std::pair<std::size_t, double>> points;
    for (std::size_t k = 0; k < s.node.size(); ++k)
      if (own.grid.is_sure(own.grid.place(s.node[k])[1])) points.emplace_back(s.node[k], s.weight[k]);
    return points;
  };
  ASSERT_EQ(own.sources.size(), whole.sources.size());
  for (std::size_t k = 0; k < own.sources.size(); ++k)
    EXPECT_EQ(in_rows(own.sources[k]), in_rows(whole.sources[k]));
}

/// Of each point of layers in rows of `e`: its reaction, and the ends and numbers of its faces.
inline std::vector<std::vector<double>> layers_in(const HostPml& pml, const Extent& e) {
  std::vector<std::vector<double>> all;
  for (std::size_t k = 0; k < pml.point.size(); ++k) {
    if (!e.is_near(e.row_of(pml.point[k]), 0)) continue;
    std::vector<double>& numbers = all.emplace_back(std::vector{double(pml.point[k]), pml.reaction[k]});
    for (const std::vector<int>& face : pml.face) {
      numbers.push_back(face[k] >= 0);
      if (face[k] < 0) continue;
      const auto f = std::size_t(face[k]);
      for (const double v :
           {double(pml.from[f]), double(pml.to[f]), pml.keep[f], pml.own[f], double(pml.row[f])})
        numbers.push_back(v);
      for (const HostPml::Beside* b : {&pml.before, &pml.after})
        if (!b->flux.empty())
          for (const double v : {double(b->from[f]), double(b->to[f]), b->flux[f]}) numbers.push_back(v);
    }
  }
  return all;
}

inline void expect_same_coefficients(const Model& own, const Model& whole, Ranks& ranks) {
  Unknowns here = make_unknowns(own);
  here.extent = share_of(here.extent, ranks.rank(), ranks.count());
  const Extent e = here.extent;
  constexpr double dt = 0.02, kept = 1e4;
  const HostCoefficients a = make_coefficients(own, here, dt, kept),
                         b = make_coefficients(whole, make_unknowns(whole), dt, kept);
  EXPECT_EQ(a.reference_mass, b.reference_mass);
  EXPECT_EQ(a.varying, b.varying);
  const auto same_rows = [&](const Array<double>& of_a, const Array<double>& of_b) {
    ASSERT_EQ(of_a.size(), of_b.size());
    for (int row = e.first_own; !of_a.empty() && row < e.end_own(); ++row)
      for (int col = 0; col < e.nx; ++col) {
        const std::size_t k = std::size_t(row + 1) * std::size_t(e.pitch) + std::size_t(col);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(of_a[k]), std::bit_cast<std::uint64_t>(of_b[k]))
            << "row " << row << ", column " << col;
      }
  };
  same_rows(a.mass, b.mass), same_rows(a.damping, b.damping);
  same_rows(a.east, b.east), same_rows(a.north, b.north);
  ASSERT_EQ(bool(a.nine_points), bool(b.nine_points));
  if (a.nine_points)
    for (const auto part : {&HostNinePoints::mass, &HostNinePoints::damping, &HostNinePoints::stiffness}) {
      const HostNinePointMatrix &of_a = *a.nine_points.*part, &of_b = *b.nine_points.*part;
      same_rows(of_a.centre, of_b.centre), same_rows(of_a.west, of_b.west), same_rows(of_a.south, of_b.south);
      same_rows(of_a.south_west, of_b.south_west), same_rows(of_a.south_east, of_b.south_east);
    }
  // passes of several steps push rows beside the own ones
  const auto pushed = [&](const Force& f) {
    std::vector<std::pair<long, double>> points;
    for (std::size_t k = 0; k < f.index.size(); ++k)
      if (e.is_near(e.row_of(f.index[k]), most_ghosts)) points.emplace_back(f.index[k], f.weight[k]);
    return points;
  };
  ASSERT_EQ(a.forces.size(), b.forces.size());
  for (std::size_t k = 0; k < a.forces.size(); ++k) {
    EXPECT_EQ(pushed(a.forces[k]), pushed(b.forces[k])) << a.forces[k].name;
    EXPECT_EQ(a.forces[k].anywhere, b.forces[k].anywhere);
  }
  ASSERT_EQ(bool(a.pml), bool(b.pml));
  if (!a.pml) return;
  EXPECT_EQ(layers_in(*a.pml, e), layers_in(*b.pml, e));
  for (const int row : a.pml->row)
    EXPECT_TRUE(row >= e.first_own - 1 && row < e.end_own() + (e.end_own() == e.ny));
}

/// Planes that are written once, and parts of a window of them, are those of one on rank 0.
inline void expect_same_planes(const Model& own, const Model& whole, Ranks& ranks) {
  const auto bits_of = [](const Values& v) {
    Bits all;
    std::vector<char> room;
    const char* const bytes = static_cast<const char*>(v.part(0, v.size(), room));
    for (std::size_t k = 0; k < v.size() * v.word(); ++k) all.push_back(std::uint64_t(bytes[k]));
    return all;
  };
  const auto parts = PartsOfRanks::make(ranks);
  for (const Window& window : {Window{.first = {1, 2}, .count = {7, 23}, .stride = 3},
                               Window{.first = {0, 0}, .count = {own.grid.nodes(0), own.grid.nodes(1)}}}) {
    const auto compare = [&](const auto& on) {
      const Values in_parts = on(window, own, parts.get()), at_once = on(window, own, nullptr);
      if (ranks.rank() > 0) return;
      const Bits of_one = bits_of(on(window, whole, nullptr));
      EXPECT_EQ(bits_of(in_parts), of_one);
      EXPECT_EQ(bits_of(at_once), of_one);
    };
    compare([](const Window& w, const Model& m, PartsOfRanks* p) { return speed_on(w, m, false, p); });
    compare([](const Window& w, const Model& m, PartsOfRanks* p) { return inside_on(w, m, p); });
    compare([](const Window& w, const Model& m, PartsOfRanks* p) { return rim_on(w, m, p); });
  }
}

inline void expect_same_models(const std::string& yaml, const std::filesystem::path& folder = ".",
                               const std::vector<int>& counts = {2, 4}) {
  SCOPED_TRACE(yaml);
  const Config c = config("{" + yaml + "}", folder);
  const Model whole = build_model(c);
  for (const int count : counts) {
    SCOPED_TRACE(std::to_string(count) + " ranks");
    run_rank_threads(count, [&](Ranks& ranks) {
      const Model own = build_model(c, &ranks);
      EXPECT_TRUE(own.grid.own.ranks);
      EXPECT_LT(own.grid.end_row() - own.grid.first_row(), own.grid.nodes(1));
      for (const auto field : {&Model::mass, &Model::damping, &Model::face_x, &Model::face_y, &Model::speed,
                               &Model::displacement, &Model::velocity}) {
        EXPECT_EQ((own.*field).uniform(), (whole.*field).uniform());
        EXPECT_EQ(rows_of(own.*field, own.grid), rows_of(whole.*field, own.grid));
      }
      ASSERT_EQ(own.region.size(), whole.region.size());
      if (!own.region.empty()) {
        EXPECT_EQ(rows_of(own.region, own.grid), rows_of(whole.region, own.grid));
      }
      for (const auto field : {&Rim::cell_share, &Rim::damping}) {
        EXPECT_EQ((own.rim.*field).uniform(), (whole.rim.*field).uniform());
        EXPECT_EQ(rows_of(own.rim.*field, own.grid), rows_of(whole.rim.*field, own.grid));
      }
      EXPECT_EQ(rim_in_rows(own.rim, own.grid), rim_in_rows(whole.rim, own.grid));
      EXPECT_EQ(own.largest_speed, whole.largest_speed);
      EXPECT_EQ(own.smallest_speed, whole.smallest_speed);
      EXPECT_EQ(own.largest_displacement, whole.largest_displacement);
      EXPECT_EQ(own.notes, whole.notes);
      expect_same_points(own, whole);
      if (own.space_order != 8) expect_same_coefficients(own, whole, ranks);
      expect_same_planes(own, whole, ranks);
    });
  }
}

/// Bytes in use that a simulation of one rank takes, and those of `ranks` ranks together.
struct MemoryOfSimulations {
  double whole = 0, shared = 0;
};
inline MemoryOfSimulations memory_of_simulations(const Config& c, int count) {
  const double before = process_memory("self", "VmRSS");
  MemoryOfSimulations memory;
  {
    const Simulation simulation(c, "cpu");
    memory.whole = process_memory("self", "VmRSS") - before;
  }
  run_rank_threads(count, [&](Ranks& ranks) {
    const Simulation simulation(c, "cpu", &ranks);
    ranks.any(std::array{true});  // all have theirs
    if (ranks.rank() == 0) memory.shared = process_memory("self", "VmRSS") - before;
    ranks.any(std::array{true});
  });
  return memory;
}

}  // namespace wavesim::test
