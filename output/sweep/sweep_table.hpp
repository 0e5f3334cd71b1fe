#pragma once
// The runs of a sweep or a survey, a row each.

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "output/hdf5/result_reader.hpp"
#include "sim/config/tree.hpp"

namespace wavesim {

inline constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

struct SweepRow {
  std::string name;                 // of its folder
  std::vector<std::string> values;  // of the keys that vary
  std::string status = "not-run";   // done | failed | stopped | not-run
  int exit_status = 0;
  double steps = not_known, seconds = not_known, iterations = not_known;  // iterations: the mean of a step
  double energy_first = not_known, energy_last = not_known, energy_drift = not_known;
  double largest = not_known;   // |u|, where the run tracked it
  double received = not_known;  // the largest |u| that a receiver recorded
  std::string message;          // why it failed

  bool done() const { return status == "done"; }
};

struct SweepTable {
  std::vector<std::string> keys;
  std::vector<SweepRow> rows;
};

struct SweepFigure {
  const char *name, *heading;  // in files; for readers
  double SweepRow::*value;
};
/// Those of a row, in the order of the table.
std::span<const SweepFigure> sweep_figures();
/// Whether some row has it.
bool any_has(const SweepTable& table, const SweepFigure& figure);

/// Takes over what a complete result says of its run.
void read_figures(const ResultReader& result, SweepRow& row);

std::string sweep_csv(const SweepTable& table);
/// For a terminal: columns without a figure are left out; what failed, and why, stands below.
std::string sweep_text(const SweepTable& table);
/// For programs: a list of runs.
Tree sweep_tree(const SweepTable& table);

}  // namespace wavesim
