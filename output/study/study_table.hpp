#pragma once
// The columns of a study's table, once: CSV, HDF5, the journal and JSON are made of this list.

#include <string>
#include <variant>
#include <vector>

#include "sim/study/study.hpp"

namespace wavesim {

struct StudyColumn {
  const char* name;
  std::variant<long StudyRow::*, double StudyRow::*, std::string StudyRow::*> member;
};

const std::vector<StudyColumn>& study_columns();

/// A cell: the shortest text that reads back as the same number, empty for what is not known.
std::string cell(const StudyRow&, const StudyColumn&);
/// Takes a cell() back. False if it is none.
bool set_cell(StudyRow&, const StudyColumn&, const std::string& text);

/// One line without its end; text with commas or quotes in quotes (RFC 4180).
std::string study_csv_heading();
std::string study_csv_line(const StudyRow&);

}  // namespace wavesim
