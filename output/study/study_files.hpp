#pragma once
// What a study leaves: study.csv, study.h5 and study.html, each complete or absent.

#include <filesystem>
#include <map>

#include "output/study/study_table.hpp"

namespace wavesim {

/// What the rows were made with.
struct StudyFacts {
  std::string config;                        // effective, as YAML
  std::string best;                          // the best solver as YAML to paste; empty if none converged
  std::map<std::string, std::string> facts;  // name, device, version, commit, command, ...
};

/// Writes all three files into the folder. Throws OutputError.
void write_study(const std::filesystem::path& folder, const StudyFacts&, const std::vector<StudyRow>&);

/// A study as it was written.
struct Study {
  StudyFacts facts;
  std::vector<StudyRow> rows;
};

/// Whether this names a study that is there: a study.h5, or a folder with one.
bool is_study(const std::filesystem::path&);
/// Reads its study.h5. Throws InputError.
Study read_study(const std::filesystem::path&);

}  // namespace wavesim
